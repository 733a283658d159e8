/** @module Checks of a server that speaks over its pipes. */
import { isAnswerWithoutId } from "@fettle/mcp";
import { couldNotRun } from "../verdict/check-result.ts";
import { type ProtocolCheck, spec, stateful, stateless } from "./protocol-check.ts";
import { faultUnless, judged } from "./verdicts.ts";
import { sentence, wireFault } from "./wire-checks.ts";

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
        heard.kind === "malformed" && !heard.limit && !isAnswerWithoutId(heard) ? [heard.excerpt] : [],
      );
      const unended =
        wireFault({ wire }, facts, "LINE_NOT_ENDED") ?? wireFault({ wire }, facts, "SPREAD_OUT");
      return judged(
        [
          ...foreign.slice(0, 3).map((line) => `not a message: ${JSON.stringify(line.slice(0, 80))}`),
          ...(unended ? [sentence(unended)] : []),
        ],
        [],
        { lines: stdout.length, foreign: foreign.length },
      );
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
    needs: ["shutdown"],
    judge({ shutdown: { exitCode, signal } }) {
      const fault = `the process had to be ended with ${signal} half a second after its stdin was closed`;
      return judged(faultUnless(signal === null, fault), [], { exitCode, signal });
    },
  },
];
