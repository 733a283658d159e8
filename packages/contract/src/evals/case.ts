/** @module A case of a suite: what is asked, what is expected, how often. */
import { z } from "zod";
import { deletedFields } from "../core/gone.ts";
import { idOf } from "../core/id-of.ts";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { EvalMatchOptions, EvalMatchOptionsInput } from "./match-options.ts";
import { EvalCaseImport, EvalStep, ExpectToolError, nameText, opaqueId } from "./step.ts";
import { caseFailures, checkModes, duplicatePolicies, toolModes } from "./words.ts";

const { evals } = limits;

const title = nameText;

/** More is refused and never cut: a result of fewer repetitions than asked for would say something else. */
export const repetitions = z
  .int()
  .min(1)
  .refine((count) => count <= evals.repetitionsPerCase, {
    error: `A case is repeated at most ${evals.repetitionsPerCase} times.`,
    params: { code: "REPETITIONS_CAP" },
  })
  .meta({ maximum: evals.repetitionsPerCase });

export const EvalModelChoice = z
  .strictObject({ model: nameText, provider: nameText.optional() })
  .meta({ id: "EvalModelChoice" });
export type EvalModelChoice = z.output<typeof EvalModelChoice>;

export const EvalAdvancedConfig = z
  .strictObject({
    system: z.string().optional(),
    temperature: z
      .number()
      .min(limits.clients.temperature.min)
      .max(limits.clients.temperature.max)
      .optional(),
    toolChoice: z.enum(["auto", "required", "none"]).optional(),
    toolMode: z
      .enum(toolModes)
      .optional()
      .describe("`read_only`: only tools that say of themselves that they change nothing; else all"),
  })
  .meta({ id: "EvalAdvancedConfig" });
export type EvalAdvancedConfig = z.output<typeof EvalAdvancedConfig>;

/** Predicates as they travel; what each asks is judged by the service. */
export const checkList = z.array(jsonObject).max(evals.assertionsPerCase);

export const EvalCaseChecks = z
  .strictObject({ mode: z.enum(checkModes), list: checkList.default([]) })
  .meta({ id: "EvalCaseChecks" });

const steps = z
  .array(EvalStep)
  .min(1)
  .max(evals.stepsPerCase)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
    error: "has two steps with the same id",
  });

const definition = {
  title,
  intent: z.string().optional().describe("What the case is for, for people"),
  steps,
  expectedOutput: z.string().optional(),
  iterations: repetitions,
  isNegative: z.boolean().describe("Passes when no tool is called"),
  expectToolError: ExpectToolError.optional(),
  scenario: z.string().optional().describe("Why a negative case should not make a model call a tool"),
  models: z.array(EvalModelChoice).max(evals.modelsPerCase).describe("Empty: the suite's own model"),
  continueOnFail: z.boolean().optional().describe("Goes on after a failed assertion, so that all are seen"),
  advancedConfig: EvalAdvancedConfig.optional(),
};

export const EvalCase = z
  .object({
    id: z.string(),
    declaredId: z
      .string()
      .describe("The author's own id, the same in every run; made up where none was given"),
    ...definition,
    matchOptions: EvalMatchOptions.optional(),
    checks: EvalCaseChecks.optional(),
    disabled: z.boolean().describe("Kept with its history, and left out of launches"),
    import: EvalCaseImport.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "EvalCase" });
export type EvalCase = z.output<typeof EvalCase>;

/** What is said of a case that is written. */
export const written = {
  ...definition,
  iterations: repetitions.optional(),
  isNegative: definition.isNegative.optional(),
  models: definition.models.optional(),
  matchOptions: EvalMatchOptionsInput.nullable().optional(),
  checks: EvalCaseChecks.nullable().optional(),
  disabled: z.boolean().optional(),
  import: EvalCaseImport.nullable().optional(),
};

export const EvalCaseCreateRequest = z
  .strictObject({ id: opaqueId.optional().describe("Unique in the suite; made up when absent"), ...written })
  .meta({ id: "EvalCaseCreateRequest" });
export type EvalCaseCreateRequest = z.output<typeof EvalCaseCreateRequest>;

export const EvalCaseUpdateRequest = z
  .strictObject({
    ...written,
    title: title.optional(),
    steps: steps.optional().describe("Replaces all of them"),
    intent: z.string().nullable().optional().describe("Null clears it, as in the fields below"),
    expectedOutput: z.string().nullable().optional(),
    expectToolError: ExpectToolError.nullable().optional(),
    scenario: z.string().nullable().optional(),
    continueOnFail: z.boolean().nullable().optional(),
    advancedConfig: EvalAdvancedConfig.nullable().optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "EvalCaseUpdateRequest" });
export type EvalCaseUpdateRequest = z.output<typeof EvalCaseUpdateRequest>;

/**
 * One of many that are judged each by itself: what is wrong with it is told in the answer and does not refuse the others, so
 * nothing is asked of it here. Documented, and typed for callers, as what it should be.
 */
export function judgedSingly<Item extends z.ZodType>(item: Item, id: string) {
  const schema = z.unknown().meta({ $ref: `#/$defs/${id}` }) as z.ZodType<unknown, z.input<Item>>;
  judgedItems.set(schema, item);
  return schema;
}

/** What is judged singly, by the schema that stands for it in a request. */
export const judgedItems = new WeakMap<object, z.ZodType>();

const EvalCaseWarning = z.object({ code: z.string(), message: z.string() }).meta({ id: "EvalCaseWarning" });

export const EvalCasesBatchCreateRequest = z
  .strictObject({
    cases: z
      .array(judgedSingly(EvalCaseCreateRequest, "EvalCaseCreateRequest"))
      .min(1)
      .max(evals.casesPerBatch),
    duplicatePolicy: z
      .string()
      .optional()
      .describe(
        `${duplicatePolicies.join(", ")}; another word counts as ${duplicatePolicies[0]}, and the answer says so`,
      ),
    overrideReason: z.string().trim().min(1).max(limits.text.descriptionLength).optional(),
    upsert: z.boolean().optional().describe("Of a suite owned by a file: a case with a known id is changed"),
    declaredIds: z
      .array(opaqueId)
      .max(evals.casesPerSuite)
      .optional()
      .describe(
        "With `upsert`: every id the file declares. Other cases are deleted, unless one of these failed",
      ),
  })
  .refine(({ upsert, declaredIds }) => upsert === true || declaredIds === undefined, {
    error: "goes with upsert.",
    path: ["declaredIds"],
  })
  .meta({ id: "EvalCasesBatchCreateRequest" });
export type EvalCasesBatchCreateRequest = z.output<typeof EvalCasesBatchCreateRequest>;

export const EvalCasesBatchResult = z
  .object({
    created: z.array(
      z.object({
        index: z.int(),
        id: z.string(),
        declaredId: z.string(),
        title: z.string(),
        action: z.enum(["created", "updated", "unchanged"]),
        replayed: z.boolean(),
        warnings: z.array(EvalCaseWarning).optional(),
      }),
    ),
    failed: z.array(
      z.object({
        index: z.int(),
        title: z.string().optional(),
        declaredId: z.string().optional(),
        code: z.enum(caseFailures),
        message: z.string(),
      }),
    ),
    deleted: z.int().describe("Cases that the file no longer declares"),
    duplicatePolicy: z.object({
      requestedPolicy: z.string().optional(),
      effectivePolicy: z.enum(duplicatePolicies),
      coerced: z.boolean(),
    }),
    warnings: z.array(EvalCaseWarning).optional(),
  })
  .meta({ id: "EvalCasesBatchResult" });
export type EvalCasesBatchResult = z.output<typeof EvalCasesBatchResult>;

const wanted = z.int().min(0).max(evals.generatedPerKind);

export const EvalCaseGenerateRequest = z
  .strictObject({
    mode: z.enum(["normal", "negative"]).optional().describe("Superseded by `caseMix`"),
    servers: z.array(z.string().min(1)).min(1).optional().describe("Ids or names; excludes `environmentId`"),
    environmentId: idOf<"environment">().optional(),
    caseModels: z.array(EvalModelChoice).max(evals.modelsPerCase).optional(),
    caseMix: z
      .strictObject({
        simple: wanted,
        multiTool: wanted,
        multiTurn: wanted,
        complex: wanted,
        negative: wanted,
      })
      .partial()
      .optional(),
    varyUserStyles: z.boolean().optional(),
    idempotencyKey: z.string().trim().min(1).max(limits.idempotency.maxKeyLength).optional(),
  })
  .refine(({ servers, environmentId }) => servers === undefined || environmentId === undefined, {
    error: "servers and environmentId exclude each other.",
    path: ["environmentId"],
  })
  .meta({ id: "EvalCaseGenerateRequest" });
export type EvalCaseGenerateRequest = z.output<typeof EvalCaseGenerateRequest>;

export const EvalCaseGenerated = z
  .object({
    generationModel: z.string(),
    created: z.array(EvalCase),
    counts: z.object({ normal: z.int(), negative: z.int() }),
    skipped: z.array(z.object({ title: z.string(), reason: z.string() })).optional(),
    replayed: z.boolean(),
  })
  .meta({ id: "EvalCaseGenerated" });
export type EvalCaseGenerated = z.output<typeof EvalCaseGenerated>;

export const EvalDeleted = z.object(deletedFields).meta({ id: "EvalDeleted" });
