/** @module The person behind a credential, and the organizations they belong to. */
import { z } from "zod";
import { organizationRoles } from "../core/roles.ts";
import { Timestamp } from "../core/timestamp.ts";

export const Me = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    imageUrl: z.string().nullable(),
    profilePictureUrl: z.string().nullable().describe("The same as `imageUrl`, under its older name"),
    plan: z.string().nullable().describe("Plans belong to organizations here, so always null"),
    createdAt: Timestamp.nullable().optional(),
    updatedAt: Timestamp.nullable().optional(),
  })
  .meta({ id: "Me" });
export type Me = z.output<typeof Me>;

export const OrganizationRoleName = z.enum(organizationRoles);

export const Organization = z
  .object({
    id: z.string(),
    name: z.string(),
    plan: z.string().nullable(),
    myRole: OrganizationRoleName.nullable(),
    isCreator: z.boolean(),
    logoUrl: z.string().nullable(),
    createdAt: Timestamp.nullable(),
  })
  .meta({ id: "Organization" });
export type Organization = z.output<typeof Organization>;
