/** @module The steps of a case, as a suite file and the API write them, and the small shapes both repeat. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { importStatuses } from "./words.ts";

const { evals, suiteFile } = limits;

/** Ids are declared by authors and never parsed. */
export const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, {
  error: "is no id: 1 to 128 letters, digits, - and _",
});

export const nameText = z
  .string()
  .max(suiteFile.nameLength)
  .refine((text) => text.trim() !== "", { error: "is blank" })
  // No database keeps it.
  .refine((text) => !text.includes("\0"), {
    error: "holds the zero character",
    params: { code: "UNSTORABLE_ITEM" },
  })
  .meta({ minLength: 1 });

/** A share of one. Whoever writes 80 means percent, and is told. */
export const fraction = z.number().min(0).max(1);

const locator = z
  .strictObject({
    testId: z.string().min(1).optional(),
    role: z
      .strictObject({ role: z.string().min(1), name: z.string().optional(), exact: z.boolean().optional() })
      .optional(),
    text: z.string().min(1).optional(),
    css: z.string().min(1).optional(),
    nth: z.int32().min(0).optional(),
  })
  .refine(({ testId, role, text, css }) => testId ?? role ?? text ?? css, {
    error: "names nothing; give testId, role, text or css",
  })
  .meta({ id: "EvalLocator" });

const action = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("click"),
    target: locator,
    clickType: z.enum(["left", "double", "right"]).optional(),
  }),
  z.strictObject({
    kind: z.literal("type"),
    target: locator,
    text: z.string().max(evals.interactTextLength),
  }),
  z.strictObject({ kind: z.literal("key"), key: z.string().min(1) }),
  z.strictObject({
    kind: z.literal("scroll"),
    direction: z.enum(["up", "down"]),
    amount: z.int32().min(1).optional(),
  }),
  z.strictObject({ kind: z.literal("wait"), ms: z.int().min(1).max(evals.interactWaitMs) }),
]);

export const widgetAssertion = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("textVisible"), toolName: nameText, text: z.string().min(1) }),
  z.strictObject({ kind: z.literal("elementVisible"), toolName: nameText, target: locator }),
  z.strictObject({ kind: z.literal("elementHidden"), toolName: nameText, target: locator }),
  z.strictObject({ kind: z.literal("inputValue"), toolName: nameText, target: locator, equals: z.string() }),
  z.strictObject({ kind: z.literal("widgetToolCalled"), toolName: nameText, calledToolName: nameText }),
]);

/** A refusal that is wanted: a call must fail, any or one that is named; no other failure is excused. */
export const ExpectToolError = z
  .union(
    [
      z.literal(true),
      z
        .strictObject({
          tool: nameText.optional(),
          contains: z.string().min(1).max(evals.errorNeedleLength).optional(),
        })
        .refine(({ tool, contains }) => tool ?? contains, {
          error: "names nothing; give tool, contains or both",
        }),
    ],
    { error: "must be true, or an object with tool, contains or both" },
  )
  .describe("A tool call must fail; `true`: any. `contains` is looked for in the error, in any case")
  .meta({ id: "EvalExpectToolError" });
export type ExpectToolError = z.output<typeof ExpectToolError>;

const stepId = z.string().min(1).max(suiteFile.nameLength);

/** Predicates are declared beside their judges, which live elsewhere; whoever has them gives the schema of an assertion. */
export function evalStep<Assertion extends z.ZodType>(assertion: Assertion) {
  return z.discriminatedUnion("kind", [
    z.strictObject({
      id: stepId,
      kind: z.literal("prompt"),
      prompt: z.string().min(1),
      expectToolError: ExpectToolError.optional(),
    }),
    z.strictObject({
      id: stepId,
      kind: z.literal("toolCall"),
      serverName: nameText,
      serverId: opaqueId.optional(),
      toolName: nameText,
      arguments: jsonObject.refine((value) => JSON.stringify(value).length <= evals.toolCallArgumentsLength, {
        error: `is longer than ${evals.toolCallArgumentsLength} characters as JSON`,
      }),
      renderTimeoutMs: z.int().min(1).max(evals.renderTimeoutMs).optional(),
      expectToolError: ExpectToolError.optional(),
    }),
    z.strictObject({ id: stepId, kind: z.literal("interact"), toolName: nameText, action }),
    z.strictObject({ id: stepId, kind: z.literal("assert"), assertion }),
  ]);
}

/** As it travels: what an assertion says is judged by the service. */
export const EvalStep = evalStep(
  jsonObject.describe("A predicate, by its `type`, or an assertion about a widget, by its `kind`"),
).meta({ id: "EvalTestStep" });
export type EvalStep = z.output<typeof EvalStep>;

const filled = (text: string) => text.trim() !== "";

/** What became of a case that was brought from elsewhere. */
export const EvalCaseImport = z
  .strictObject({
    status: z.enum(importStatuses),
    sourceCaseKey: z
      .string()
      .max(suiteFile.sourceCaseKeyLength)
      .refine(filled, { error: "is blank" })
      .optional(),
    note: z.string().max(suiteFile.importNoteLength).refine(filled, { error: "is blank" }).optional(),
  })
  .refine(({ status, note }) => status !== "exact" || note !== undefined, {
    error: 'claims to be "exact" and does not say why; give a note',
  })
  .meta({ id: "EvalCaseImport" });
export type EvalCaseImport = z.output<typeof EvalCaseImport>;
