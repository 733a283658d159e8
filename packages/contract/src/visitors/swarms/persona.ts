/** @module A persona: whom a synthetic visitor plays. */
import { z } from "zod";
import { deletedFields } from "../../core/gone.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../../core/timestamp.ts";
import { swarmLimits } from "./limits.ts";
import { personaSources } from "./words.ts";

export const Persona = z
  .object({
    id: z.string(),
    projectId: z.string(),
    slug: z
      .string()
      .describe("Made of the name, unique among the project's personas, kept when the name changes"),
    name: z.string(),
    role: z.string(),
    notes: z.string().describe("What this person knows and wants; empty where nothing was said"),
    source: z.enum(personaSources),
    seedKeywords: z.array(z.string()).optional().describe("Of a persona made from what real visitors said"),
    avatar: z.object({ shape: z.int(), palette: z.int() }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Persona" });
export type Persona = z.output<typeof Persona>;

const avatarIndex = z.int().min(0).max(swarmLimits.avatarIndex);
const who = {
  name: z.string().trim().min(1).max(swarmLimits.personaNameLength),
  role: z.string().trim().min(1).max(swarmLimits.personaNameLength),
};
const looks = {
  notes: z.string().max(swarmLimits.personaNotesLength).optional(),
  avatarShape: avatarIndex.optional(),
  avatarPalette: avatarIndex.optional(),
};

export const PersonaCreateRequest = z.strictObject({ ...who, ...looks }).meta({ id: "PersonaCreateRequest" });
export type PersonaCreateRequest = z.output<typeof PersonaCreateRequest>;

export const PersonaUpdateRequest = z
  .strictObject({
    name: who.name.optional(),
    role: who.role.optional(),
    ...looks,
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "PersonaUpdateRequest" });
export type PersonaUpdateRequest = z.output<typeof PersonaUpdateRequest>;

export const PersonaDeleted = z.object(deletedFields).meta({ id: "PersonaDeleted" });
