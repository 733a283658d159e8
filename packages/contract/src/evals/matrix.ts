/** @module All repetitions of a run at a glance: small enough to be read whole, however many there are. */
import { z } from "zod";
import { repetitionLetters } from "./words.ts";

const legend = Object.entries(repetitionLetters)
  .map(([letter, word]) => `${letter} ${word}`)
  .join(", ");

export const EvalRunMatrix = z
  .object({
    rows: z.array(
      z.object({
        caseKey: z.string(),
        title: z.string(),
        model: z.string().nullable(),
        cells: z.string().describe(`One letter for each repetition, in their order: ${legend}`),
      }),
    ),
  })
  .meta({ id: "EvalRunMatrix" });
export type EvalRunMatrix = z.output<typeof EvalRunMatrix>;
