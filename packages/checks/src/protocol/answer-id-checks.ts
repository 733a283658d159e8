/** @module The check that every answer of the run belongs to its request. */
import { couldNotRun } from "../verdict/check-result.ts";
import { type ProtocolCheck, spec } from "./protocol-check.ts";
import { judged } from "./verdicts.ts";

export const answerIdChecks: ProtocolCheck[] = [
  {
    id: "error-id-echo",
    title: "Answers carry the id of the request",
    description: "Every answer, errors included, carries the id of its request in the same type.",
    category: "protocol",
    severity: "must",
    reference: spec("Responses", "basic#responses"),
    needs: ["transcript", "unknownMethod"],
    isLast: true,
    judge({ transcript }) {
      const answered = transcript.filter(
        // What was refused for its Host or Origin need not have been read.
        ({ id, answer, headers }) =>
          id !== undefined &&
          (answer?.kind === "result" || answer?.kind === "error") &&
          headers?.origin === undefined,
      );
      const errors = answered.filter(({ answer }) => answer?.kind === "error");
      if (errors.length === 0) return couldNotRun("No error was observed.");
      const wrong = answered.filter(({ id, answer }) => answer?.id !== id);
      return judged(
        wrong
          .slice(0, 3)
          .map(
            ({ method, id, answer }) => `${method} with id ${id} was answered with id ${String(answer?.id)}`,
          ),
        wrong.slice(0, 2),
        { answers: answered.length, errors: errors.length },
      );
    },
  },
];
