/** @module Personas and journeys as they are drafted from servers' tools: nothing of it is stored. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { swarmLimits } from "./limits.ts";

const who = {
  name: z.string().trim().min(1).max(swarmLimits.personaNameLength),
  role: z.string().trim().min(1).max(swarmLimits.personaNameLength),
};

const ground = {
  environmentId: idOf<"environment">()
    .optional()
    .describe("Whose servers; its model drafts where it is one, else rules do"),
  serverAttachmentId: idOf<"serverGroup">().optional().describe("A server group instead; rules draft"),
  journeyCount: z.int().min(1).max(swarmLimits.draftedJourneys.max).optional(),
  description: z
    .string()
    .max(swarmLimits.swarmDescriptionLength)
    .optional()
    .describe("What they are to be about; only a model reads it"),
};

const isGrounded = (request: { environmentId?: unknown; serverAttachmentId?: unknown }) =>
  (request.environmentId === undefined) !== (request.serverAttachmentId === undefined);
const oneGround = { error: "Name an environment or a server group, and not both.", path: ["environmentId"] };

export const PersonaGenerateRequest = z
  .strictObject({
    ...ground,
    personaCount: z
      .int()
      .min(1)
      .max(swarmLimits.personaCount)
      .optional()
      .describe("Answers with so many under `personas`; without it, with one"),
    existingPersonas: z
      .array(z.strictObject(who))
      .max(swarmLimits.listed.max)
      .optional()
      .describe("Whom not to draft again"),
  })
  .refine(isGrounded, oneGround)
  .meta({ id: "PersonaGenerateRequest" });
export type PersonaGenerateRequest = z.output<typeof PersonaGenerateRequest>;

export const JourneyGenerateRequest = z
  .strictObject({
    ...ground,
    persona: z.strictObject({ ...who, notes: z.string().max(swarmLimits.personaNotesLength).optional() }),
  })
  .refine(isGrounded, oneGround)
  .meta({ id: "JourneyGenerateRequest" });
export type JourneyGenerateRequest = z.output<typeof JourneyGenerateRequest>;

const PersonaDraft = z
  .object({ name: z.string(), role: z.string(), notes: z.string() })
  .meta({ id: "PersonaDraft" });
const JourneyDraft = z
  .object({
    name: z.string(),
    goal: z.string(),
    suggestedChecks: z.array(z.object({ type: z.literal("toolCalledAtLeastOnce"), toolName: z.string() })),
    caution: z
      .string()
      .optional()
      .describe("What making it may do besides reading, by what the servers say of the tools it takes"),
  })
  .meta({ id: "JourneyDraft" });

export const GenerationDrafts = z
  .object({
    generationModel: z.string().describe("`fettle/rules-1` where no model was asked"),
    persona: PersonaDraft.optional(),
    journeys: z.array(JourneyDraft).optional(),
    personas: z.array(z.object({ persona: PersonaDraft, journeys: z.array(JourneyDraft) })).optional(),
    skipped: z
      .array(z.object({ toolName: z.string(), reason: z.string() }))
      .optional()
      .describe("Tools that rules make no journey of, and why"),
  })
  .meta({ id: "GenerationDrafts" });
export type GenerationDrafts = z.output<typeof GenerationDrafts>;
