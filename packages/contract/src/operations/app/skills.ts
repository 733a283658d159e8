/** @module Writing skills, which is done in the web app alone. */
import { z } from "zod";
import { access, operation } from "../../operation.ts";
import { FileMap } from "../../resources/file-map.ts";
import { SkillDetail } from "../../resources/skill.ts";

const tag = "App skills";
const surface = "app";
const body = z.strictObject({ files: FileMap.describe("SKILL.md, and what it refers to") });
const elevated = "the skill's owner, or a project admin when it is shared";

export const createSkill = operation({
  id: "createSkill",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/skills",
  access: access.project.read,
  summary: "Add a skill as one's own draft",
  status: 201,
  built: true,
  body,
  output: SkillDetail,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const updateSkill = operation({
  id: "updateSkill",
  tag,
  surface,
  method: "PUT",
  path: "/projects/{projectId}/skills/{skillId}",
  access: access.project.read,
  elevated,
  summary: "Replace a skill's files",
  built: true,
  body,
  output: SkillDetail,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const shareSkill = operation({
  id: "shareSkill",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/skills/{skillId}/share",
  access: access.project.read,
  elevated,
  summary: "Share a draft with the project",
  built: true,
  output: SkillDetail,
  errors: ["CONFLICT"],
});

export const deleteSkill = operation({
  id: "deleteSkill",
  tag,
  surface,
  method: "DELETE",
  path: "/projects/{projectId}/skills/{skillId}",
  access: access.project.read,
  elevated,
  summary: "Delete a skill",
  built: true,
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ["CONFLICT"],
});
