/** @module Operations of the Skills tag: read-only. */
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { Skill, SkillDetail } from "../skill.ts";

const tag = "Skills";

export const listProjectSkills = operation({
  id: "listProjectSkills",
  tag,
  method: "GET",
  path: "/projects/{projectId}/skills",
  access: access.project.read,
  summary: "List shared skills and the caller's own drafts",
  description: "Lists the skills that are shared in a project, and the caller's own.",
  cli: "fettle cloud skills list",
  built: true,
  output: page(Skill),
});

export const getProjectSkill = operation({
  id: "getProjectSkill",
  tag,
  method: "GET",
  path: "/projects/{projectId}/skills/{skillId}",
  access: access.project.read,
  summary: "Read one skill with its text",
  description: "Reads one skill with the versions of its files.",
  cli: "fettle cloud skills get",
  built: true,
  output: SkillDetail,
});
