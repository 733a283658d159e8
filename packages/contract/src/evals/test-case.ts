/** @module A case as a suite is created with it: everything a case may say, also in the older words of this request. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";
import { checkList, EvalCaseChecks, judgedSingly, repetitions, written } from "./case.ts";
import { nameText, opaqueId } from "./step.ts";

/** Names for one thing, the first of which is what a case calls it. */
const synonyms = [
  ["iterations", "runs", "repetitions"],
  ["isNegative", "isNegativeTest"],
  ["checks", "predicates", "assertions"],
  ["models", "model"],
] as const;

export const EvalTestCase = z
  .strictObject({
    id: opaqueId.optional(),
    ...written,
    checks: z
      .union([EvalCaseChecks, checkList])
      .nullable()
      .optional()
      .describe("A list alone is added to the checks of the suite"),
    predicates: checkList.optional().describe("The older word for a list of `checks`; also `assertions`"),
    assertions: checkList.optional(),
    runs: repetitions.optional().describe("The older word for `iterations`; also `repetitions`"),
    repetitions: repetitions.optional(),
    isNegativeTest: z.boolean().optional().describe("The older word for `isNegative`"),
    model: nameText.optional().describe("For one model; several go into `models`"),
    provider: nameText.optional(),
  })
  .superRefine((test, context) => {
    for (const names of synonyms) {
      const used = names.filter((name) => test[name] !== undefined);
      const [, second] = used;
      if (second !== undefined) {
        const message = `${used.join(" and ")} are names for one thing; keep one`;
        context.addIssue({ code: "custom", path: [second], message });
      }
    }
  })
  .meta({ id: "EvalTestCase" });
export type EvalTestCase = z.output<typeof EvalTestCase>;

/** Judged each by itself, so that a bad one does not take the others with it; named here because nothing else refers to it. */
export const inlineTests = z
  .array(judgedSingly(EvalTestCase, "EvalTestCase"))
  .max(limits.evals.testsPerSuiteCreate);
