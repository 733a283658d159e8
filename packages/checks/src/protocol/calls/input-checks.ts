/** @module Checks of what a server makes of calls that carry more or other than the tool takes. */
import { notApplicable } from "../../verdict/check-result.ts";
import { findingUnless } from "../../verdict/rule.ts";
import { everyRevision, spec } from "../../verdict/specification.ts";
import { describeAnswer, resultOf, textsOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";

const toolErrors = "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling";
const nothingToCall = "No tool is known that may be called to see it.";

export const callInputChecks: ProtocolCheck[] = [
  {
    id: "tools-call-invalid-arguments",
    title: "Holds arguments to their schema",
    description:
      "A call whose required argument is of another type is answered with an error, or with isError.",
    category: "tools",
    rules: spec("MUST", everyRevision, "Security considerations", "server/tools#security-considerations"),
    needs: ["unfitCall"],
    judge({ unfitCall }) {
      if (!unfitCall) return notApplicable(nothingToCall);
      const { tool, exchange } = unfitCall;
      const result = resultOf(exchange);
      const hasNoError = result !== undefined && result.isError !== true;
      // What it means is an error, only the mark is missing.
      const isTold =
        hasNoError && textsOf(result).some((text) => /^\W*(?:error|failed|failure|invalid)\b/i.test(text));
      return judged(
        faultUnless(!hasNoError || isTold, `${tool} took an argument of another type`),
        [exchange],
        {},
        findingUnless(!isTold, "SHOULD", `${tool} told an error in a result without isError`, toolErrors),
      );
    },
  },
  {
    id: "tasks-param-ignored",
    title: "Takes no notice of tasks it does not offer",
    description:
      "A server that offers no tasks for tools makes none for a call that asks for one; advice where it refuses the call.",
    category: "tools",
    rules: spec(
      "MUST",
      ["2025-11-25"],
      "Task support and handling",
      "basic/utilities/tasks#task-support-and-handling",
    ),
    needs: ["needlessTask"],
    judge({ needlessTask }) {
      if (!needlessTask) return notApplicable("Tasks are offered, or no tool is known that may be called.");
      const { withTask } = needlessTask;
      const result = resultOf(withTask);
      return judged(
        faultUnless(result === undefined || !("task" in result), "it was answered with a task"),
        [withTask],
        {},
        // Clients must not ask for it, so nobody is harmed who keeps to the rules; the official library refuses it too.
        findingUnless(result !== undefined, "inferred", `it was answered with ${describeAnswer(withTask)}`),
      );
    },
  },
];
