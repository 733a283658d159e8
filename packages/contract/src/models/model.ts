/** @module A model that runs, judges and insights may be asked of. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";

const dollars = z.number().min(0).max(limits.models.usd);

/** US dollars for a million tokens. */
export const ModelPrice = z
  .strictObject({
    inputPerMTok: dollars,
    outputPerMTok: dollars,
    cachedInputPerMTok: dollars.optional().describe("From the provider's cache; absent: as other input"),
    cacheWritePerMTok: dollars.optional().describe("Into the provider's cache; absent: as other input"),
  })
  .meta({ id: "ModelPrice" });
export type ModelPrice = z.output<typeof ModelPrice>;

export const modelSources = ["builtin", "organization", "config", "env"] as const;

export const Model = z
  .looseObject({
    id: z.string(),
    name: z.string().optional(),
    provider: z.string().optional(),
    capabilities: z
      .looseObject({
        tools: z.boolean(),
        vision: z.boolean(),
        structuredOutput: z.boolean(),
        reasoning: z.boolean(),
      })
      .optional()
      .describe("Left out where it is not known"),
    aliases: z.array(z.string()).optional().describe("Other names that are accepted for it"),
    contextTokens: z.number().optional().describe("Left out where it is not known"),
    maxOutputTokens: z.number().optional().describe("Left out where it is not known"),
    refuses: z
      .array(z.string())
      .optional()
      .describe("Settings that are not sent, because the model refuses them"),
    deterministic: z.boolean().optional().describe("The same request always gives the same answer"),
    price: ModelPrice.optional().describe("Left out where it is not known"),
    source: z.enum(modelSources).optional().describe("Who set it up"),
    available: z.boolean().optional(),
    unavailableReason: z.string().optional(),
  })
  .meta({ id: "Model" });
export type Model = z.output<typeof Model>;

/** Beside the models listed by name, whatever else an available provider serves can be asked for as `provider/model`. */
export const ModelList = z
  .object({
    items: z.array(Model),
    nextCursor: z.string().optional(),
    providers: z.array(
      z.object({
        provider: z.string(),
        source: z.enum(modelSources),
        available: z.boolean(),
        unavailableReason: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "ModelList" });
