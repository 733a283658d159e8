/** @module Checks of a server that speaks over its pipes. */
import { type Inbound, isAnswerWithoutId, wireProblem } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { from, spec, stateful, stateless } from "../../verdict/specification.ts";
import { isAnswer, short } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { reasonOf, sentence, wireFault } from "../wire/checks.ts";

export const stdioChecks: ProtocolCheck[] = [
  {
    id: "stdio-clean-stdout",
    title: "Writes only messages to stdout",
    description: "Every line on stdout is one JSON-RPC message; logs go to stderr.",
    category: "transport",
    rules: [
      ...spec("MUST", stateful, "stdio", "basic/transports#stdio"),
      ...spec("MUST", stateless, "stdio", "basic/transports/stdio"),
    ],
    transports: ["stdio"],
    needs: ["stdout", "wire"],
    isLast: true,
    judge({ stdout, wire }, facts) {
      if (stdout.length === 0) return couldNotRun("Nothing came on stdout.");
      // A message beyond what we accept may still be one.
      const foreign = stdout.flatMap((heard) =>
        heard.kind === "malformed" && !heard.limit && !isAnswerWithoutId(heard) ? [heard] : [],
      );
      const unended =
        wireFault({ wire }, facts, "LINE_NOT_ENDED") ?? wireFault({ wire }, facts, "SPREAD_OUT");
      const [first] = foreign;
      return judged(
        [
          ...(first && !unended ? [reasonOf(wireProblem("MALFORMED", first.reason))] : []),
          ...(unended ? [sentence(unended)] : []),
        ],
        [],
        {
          lines: stdout.length,
          foreign: foreign.length,
          ...(foreign.length > 0 && {
            evidence: foreign.slice(0, 3).map(({ excerpt }) => excerpt.slice(0, 80)),
          }),
        },
      );
    },
  },
  {
    id: "notification-unanswered",
    title: "Answers no notification",
    description: "A notification, even one that it does not know, is left without an answer.",
    category: "protocol",
    rules: [
      ...spec("MUST", ["2024-11-05"], "Notifications", "basic/messages#notifications"),
      ...spec("MUST", from("2025-03-26"), "Notifications", "basic#notifications"),
    ],
    transports: ["stdio"],
    needs: ["aside"],
    judge({ aside: { afterNotification } }) {
      if (!afterNotification) return couldNotRun("The request after the notification was not answered.");
      const answers = afterNotification.filter((message) => isAnswer(message) && !isNoise(message));
      return judged(
        answers.slice(0, 1).map((message) => `it was answered with ${saidOf(message)}`),
        [],
        { messages: afterNotification.length },
      );
    },
  },
  {
    id: "cancelled-silent",
    title: "Says nothing more of what was cancelled",
    description: "A call that was cancelled half-way is neither answered nor reported on any further.",
    category: "transport",
    rules: spec("MUST", stateless, "stdio: cancellation", "basic/transports/stdio#cancellation"),
    transports: ["stdio"],
    needs: ["cancelledCall"],
    judge({ cancelledCall }) {
      if (!cancelledCall) return notApplicable("No call could be cancelled half-way.");
      const { further } = cancelledCall;
      return judged(further ? [`after it was cancelled came ${saidOf(further)}`] : [], []);
    },
  },
  {
    id: "stdio-shutdown",
    title: "Leaves when its input ends",
    description: "A server whose stdin was closed should exit by itself, without being signalled.",
    category: "transport",
    rules: [
      ...spec("inferred", stateful, "Shutdown", "basic/lifecycle#shutdown"),
      ...spec("SHOULD", stateless, "Shutdown", "basic/transports/stdio#shutdown"),
    ],
    transports: ["stdio"],
    needs: ["aside"],
    judge({ aside: { shutdown } }) {
      const { exitCode, signal } = shutdown;
      const fault = `the process had to be ended with ${signal} half a second after its stdin was closed`;
      return judged(faultUnless(signal === null, fault), [], { exitCode, signal });
    },
  },
];

/** What is no message at all is told by the check of stdout. */
function isNoise(message: Inbound): boolean {
  return message.kind === "malformed" && !isAnswerWithoutId(message);
}

function saidOf(message: Inbound): string {
  return short("message" in message ? JSON.stringify(message.message) : message.kind, 120);
}
