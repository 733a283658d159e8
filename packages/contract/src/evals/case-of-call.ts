/** @module A recorded or saved call of a tool that becomes a case of a suite. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { textLimits } from "../core/limits/limits.ts";
import { EvalCase } from "./case.ts";

export const CaseOfCallRequest = z
  .strictObject({
    suiteId: idOf<"evalSuite">().describe("The suite it becomes a case of"),
    title: z
      .string()
      .trim()
      .min(1)
      .max(textLimits.nameLength)
      .optional()
      .describe("What was called, unless said"),
  })
  .meta({ id: "CaseOfCallRequest" });
export type CaseOfCallRequest = z.output<typeof CaseOfCallRequest>;

export const CaseOfCall = z.object({ suiteId: z.string(), case: EvalCase }).meta({ id: "CaseOfCall" });
export type CaseOfCall = z.output<typeof CaseOfCall>;
