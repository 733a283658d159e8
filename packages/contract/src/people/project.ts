/** @module A project: the folder of servers, clients, environments and runs that people share. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { projectGrants, visibilities } from "../core/roles.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";

export const ProjectRoleName = z.enum(projectGrants);
const VisibilityName = z.enum(visibilities);

export const Project = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    organizationId: z.string(),
    visibility: VisibilityName,
    role: ProjectRoleName.describe("What the caller may do here, organization role included"),
    isDefault: z
      .boolean()
      .describe(
        "What `default` in a path stands for: its organization's first, unless an admin chose another",
      ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Project" });
export type Project = z.output<typeof Project>;

const name = z.string().trim().min(1).max(limits.text.nameLength);
const description = z.string().max(limits.text.descriptionLength).nullable().describe("Null clears it");
const icon = z.string().max(limits.text.iconLength).nullable().describe("Null clears it");

export const ProjectCreateRequest = z
  .strictObject({
    name,
    description: description.optional(),
    organizationId: idOf<"organization">().optional().describe("The key's own organization unless said"),
    icon: icon.optional(),
    visibility: VisibilityName.optional(),
  })
  .meta({ id: "ProjectCreateRequest" });
export type ProjectCreateRequest = z.output<typeof ProjectCreateRequest>;

export const ProjectUpdateRequest = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    icon: icon.optional(),
    visibility: VisibilityName.optional(),
    isDefault: z.literal(true).optional().describe("Makes it the one that `default` in a path stands for"),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "ProjectUpdateRequest" });
export type ProjectUpdateRequest = z.output<typeof ProjectUpdateRequest>;

export const ProjectDeleted = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: "ProjectDeleted" });
