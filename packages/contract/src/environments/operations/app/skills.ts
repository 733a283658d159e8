/** @module Writing skills, which is done in the web app alone. */
import { z } from "zod";
import { access, operation } from "../../../core/operation.ts";
import { AsLastRead, ExpectedUpdatedAt } from "../../../core/timestamp.ts";
import { FileMap } from "../../file-map.ts";
import { SkillCheck, SkillDetail, SkillFiles } from "../../skill.ts";

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

export const checkSkill = operation({
  id: "checkSkill",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/skills/check",
  access: access.project.read,
  summary: "Say whether files are a skill, without keeping them",
  built: true,
  body,
  output: SkillCheck,
  errors: ["VALIDATION_ERROR"],
});

export const getSkillFiles = operation({
  id: "getSkillFiles",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/skills/{skillId}/files",
  access: access.project.read,
  summary: "Read a skill's files as they were written",
  built: true,
  output: SkillFiles,
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
  body: body.extend({ expectedUpdatedAt: ExpectedUpdatedAt.optional() }),
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

export const unshareSkill = operation({
  id: "unshareSkill",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/skills/{skillId}/unshare",
  access: access.project.read,
  elevated,
  summary: "Make a shared skill its owner's draft again",
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
  query: AsLastRead,
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});
