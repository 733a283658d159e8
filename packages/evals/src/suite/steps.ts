/** @module The steps of a case, with what an assertion may ask: the contract has the shapes, the predicates are declared here. */
import { evalStep, widgetAssertion } from "@fettle/contract/evals";
import { z } from "zod";
import { predicateSchema } from "../predicates/registry.ts";

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

export const stepSchema = evalStep(assertion);

export type Step = z.infer<typeof stepSchema>;
