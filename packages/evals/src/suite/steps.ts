/** @module The steps of a case as a suite file and the API write them. */
import { limits } from "@fettle/contract";
import { z } from "zod";
import { jsonObject } from "../predicates/json-object.ts";
import { predicateSchema } from "../predicates/registry.ts";
import { nameText, opaqueId } from "./words.ts";

const { evals } = limits;

const locator = z
  .strictObject({
    testId: z.string().min(1).optional(),
    role: z
      .strictObject({ role: z.string().min(1), name: z.string().optional(), exact: z.boolean().optional() })
      .optional(),
    text: z.string().min(1).optional(),
    css: z.string().min(1).optional(),
    nth: z.int().min(0).optional(),
  })
  .refine(({ testId, role, text, css }) => testId ?? role ?? text ?? css, {
    error: "names nothing; give testId, role, text or css",
  });

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
    amount: z.int().min(1).optional(),
  }),
  z.strictObject({ kind: z.literal("wait"), ms: z.int().min(1).max(evals.interactWaitMs) }),
]);

const widgetAssertion = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("textVisible"), toolName: nameText, text: z.string().min(1) }),
  z.strictObject({ kind: z.literal("elementVisible"), toolName: nameText, target: locator }),
  z.strictObject({ kind: z.literal("elementHidden"), toolName: nameText, target: locator }),
  z.strictObject({ kind: z.literal("inputValue"), toolName: nameText, target: locator, equals: z.string() }),
  z.strictObject({ kind: z.literal("widgetToolCalled"), toolName: nameText, calledToolName: nameText }),
]);

export type WidgetAssertion = z.infer<typeof widgetAssertion>;

const has = (value: unknown, key: string) =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** One of two unions, chosen by its key. Choosing by trial would tell of the wrong one's faults. */
const assertion = z
  .unknown()
  .transform((value, context): z.infer<typeof predicateSchema> | WidgetAssertion => {
    if (has(value, "type") && has(value, "kind")) {
      context.addIssue({
        code: "custom",
        message: "has both type (a predicate) and kind (a widget assertion); keep one",
      });
      return z.NEVER;
    }
    const parsed = has(value, "kind") ? widgetAssertion.safeParse(value) : predicateSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    // A finished issue lacks only the input, which a raw one carries; its type does not follow each kind's own.
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    return z.NEVER;
  });

const stepId = z.string().min(1).max(limits.suiteFile.nameLength);

export const stepSchema = z.discriminatedUnion("kind", [
  z.strictObject({ id: stepId, kind: z.literal("prompt"), prompt: z.string().min(1) }),
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
  }),
  z.strictObject({ id: stepId, kind: z.literal("interact"), toolName: nameText, action }),
  z.strictObject({ id: stepId, kind: z.literal("assert"), assertion }),
]);

export type Step = z.infer<typeof stepSchema>;
