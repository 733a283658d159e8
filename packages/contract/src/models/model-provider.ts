/** @module What an organization has set up at a provider of models, its daily limit, and what was spent. Keys go in and never come out. */
import { z } from "zod";
import { Author } from "../core/author.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";
import { ModelPrice, modelSources } from "./model.ts";

const { models } = limits;

const offeredModel = z.strictObject({
  model: z.string().trim().min(1).max(models.nameLength).describe("As the provider calls it"),
  price: ModelPrice.optional(),
});

export const ModelProvider = z.object({
  provider: z.string(),
  name: z.string(),
  source: z.enum(modelSources).nullable().describe("Whose settings are used; null when nobody has set it up"),
  available: z.boolean(),
  unavailableReason: z.string().optional(),
  needsKey: z.boolean(),
  baseUrl: z.string().nullable().describe("The organization's own; null is the usual one"),
  usualBaseUrl: z.string().nullable().describe("Null where it must be said"),
  key: z
    .object({ lastFour: z.string(), setAt: Timestamp, setBy: Author })
    .nullable()
    .describe("The organization's own, by its last four characters"),
  models: z.array(offeredModel),
});
export type ModelProvider = z.output<typeof ModelProvider>;

/** Replaces what there is; a key that is not said again stays, as long as the provider stays where it is. */
export const ModelProviderRequest = z.strictObject({
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(models.keyLength)
    .regex(/^[\x21-\x7e]+$/, "has characters that no key has")
    .optional(),
  baseUrl: z.string().trim().min(1).max(limits.text.addressLength).nullable().optional(),
  models: z.array(offeredModel).max(models.perProvider).default([]),
});
export type ModelProviderRequest = z.output<typeof ModelProviderRequest>;

export const ModelProviderSaved = ModelProvider.extend({
  credentialsDropped: z.array(z.literal("apiKey")).describe("What stayed behind because the provider moved"),
});

export const ModelTest = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), model: z.string(), latencyMs: z.number(), text: z.string() }),
  z.object({
    ok: z.literal(false),
    model: z.string(),
    latencyMs: z.number(),
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    status: z.number().optional().describe("What the provider answered, if it did"),
  }),
]);
export type ModelTest = z.output<typeof ModelTest>;

const amounts = {
  calls: z.number().describe("Calls sent to a provider, settled or not"),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z
    .number()
    .nullable()
    .describe("Cost of the settled calls with a price; null if there are settled calls and none has a price"),
  unpricedCalls: z.number().describe("Settled calls whose cost is unknown"),
  unsettledCalls: z
    .number()
    .describe(
      "Calls with no recorded result: still running, or their process stopped before the result came",
    ),
  unsettledUsd: z
    .number()
    .nullable()
    .describe(
      "Estimated cost of the unsettled calls, not part of `costUsd`; null if none of them has a price",
    ),
};

export const ModelSpend = z.object({
  today: z.object(amounts),
  dailyCapUsd: z.number().nullable().describe("As the organization set it; null is none"),
  deploymentCapUsd: z.number().nullable().describe("As the operator set it for every organization"),
  reservedUsd: z.number().describe("Set aside today for what is under way"),
  resetsAt: Timestamp,
  days: z.number(),
  byDay: z.array(z.object({ day: z.string(), ...amounts })),
  byProject: z.array(z.object({ projectId: z.string().nullable(), name: z.string().nullable(), ...amounts })),
  byModel: z.array(z.object({ model: z.string(), ...amounts })),
});
export type ModelSpend = z.output<typeof ModelSpend>;

export const ModelBudget = z.strictObject({
  dailyCapUsd: z.number().min(0).max(models.usd).nullable(),
});
