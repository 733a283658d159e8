/** @module Who may work in one project, beside what the organization gives. */
import { z } from "zod";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { ProjectMember } from "../../member.ts";
import { ProjectRoleName } from "../../project.ts";

const tag = "App project";
const surface = "app";

export const listProjectMembers = operation({
  id: "listProjectMembers",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/members",
  access: access.project.read,
  summary: "People with a grant on the project",
  built: true,
  output: page(ProjectMember),
});

export const setProjectMember = operation({
  id: "setProjectMember",
  tag,
  surface,
  method: "PUT",
  path: "/projects/{projectId}/members/{userId}",
  access: access.project.admin,
  elevated: "the person belongs to the organization, in any role",
  summary: "Grant a person a role on the project, or change it",
  built: true,
  narrows: true,
  body: z.strictObject({ role: ProjectRoleName }),
  output: ProjectMember,
  errors: ["VALIDATION_ERROR"],
});

export const removeProjectMember = operation({
  id: "removeProjectMember",
  tag,
  surface,
  method: "DELETE",
  path: "/projects/{projectId}/members/{userId}",
  access: access.project.admin,
  summary: "Take a person's grant on the project away",
  built: true,
  narrows: true,
  output: z.object({ userId: z.string(), removed: z.literal(true) }),
});
