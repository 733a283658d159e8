/** @module The check that every answer of the run belongs to its request. */
import { isAnswerWithoutId, isObject } from "@fettle/mcp";
import { couldNotRun } from "../../verdict/check-result.ts";
import { from, spec } from "../../verdict/specification.ts";
import type { AnswerInbound } from "../conversation/exchange.ts";
import { judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { sentence, wireFault } from "./checks.ts";

export const answerIdChecks: ProtocolCheck[] = [
  {
    id: "error-id-echo",
    title: "Answers carry the id of the request",
    description: "Every answer, errors included, carries the id of its request in the same type.",
    category: "protocol",
    rules: [
      ...spec("MUST", ["2024-11-05"], "Responses", "basic/messages#responses"),
      ...spec("MUST", from("2025-03-26"), "Responses", "basic#responses"),
    ],
    needs: ["transcript", "wire"],
    isLast: true,
    judge({ transcript, wire }, facts) {
      const answered = transcript.filter(
        // What was refused for its Host or Origin need not have been read.
        ({ id, answer, headers }) =>
          id !== undefined &&
          answer !== undefined &&
          (answer.kind !== "malformed" || isAnswerWithoutId(answer)) &&
          headers?.origin === undefined,
      );
      const errors = answered.filter(({ answer }) => answer?.kind === "error");
      const unasked = wireFault({ wire }, facts, "UNKNOWN_ID");
      if (errors.length === 0 && !unasked) return couldNotRun("No error was observed.");
      const wrong = answered.filter(({ id, answer }) => idOf(answer) !== id);
      const told = wrong
        .slice(0, 3)
        .map(
          ({ method, id, answer }) =>
            `${method} with id ${JSON.stringify(id)} was answered with ${idOf(answer) === undefined ? "no id" : `id ${JSON.stringify(idOf(answer))}`}`,
        );
      return judged(unasked ? [sentence(unasked)] : told, wrong.slice(0, 2), {
        answers: answered.length,
        errors: errors.length,
      });
    },
  },
];

function idOf(answer: AnswerInbound | undefined): unknown {
  return isObject(answer?.message) ? answer.message.id : undefined;
}
