/** @module Verdicts over exchanges: faults become one reason, with what was on the wire beside it. */
import { rpcCodes, wireProblem } from "@fettle/mcp";
import { couldNotRun, failed, passed, type Verdict } from "../../verdict/check-result.ts";
import type { Finding } from "../../verdict/rule.ts";
import type { ProtocolFacts } from "../protocol-check.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  evidenceOf,
  isOutage,
  isTrouble,
  resultOf,
} from "./exchange.ts";

type JudgedVerdict = Extract<Verdict, { is: "passed" | "failed" }>;

const shownFaults = 10;
const shownExchanges = 5;

/** Passed when there is no fault; the exchanges stand as evidence either way. A fault beside an outage may be the outage's. */
export function judged(
  faults: readonly string[],
  exchanges: readonly Exchange[] = [],
  details: Record<string, unknown> = {},
  warnings: readonly Finding[] = [],
): Verdict {
  const shown = {
    ...details,
    ...(exchanges.length > 0 && { evidence: exchanges.slice(0, shownExchanges).map(evidenceOf) }),
  };
  const outage = faults.length > 0 && exchanges.find(isOutage);
  if (outage)
    return { ...couldNotRun(`Answered with ${describeAnswer(outage)}, which is no MCP.`), details: shown };
  const verdict: JudgedVerdict =
    faults.length === 0
      ? passed(shown)
      : failed(
          [
            ...faults.slice(0, shownFaults),
            ...(faults.length > shownFaults ? [`and ${faults.length - shownFaults} more`] : []),
          ].join("; "),
          shown,
        );
  return warnings.length > 0 ? { ...verdict, warnings: [...warnings] } : verdict;
}

/** As `judged`, of requests that are served when all is well: who says that something is out of order served nobody, and broke no rule. */
export function judgedServed(
  faults: readonly string[],
  exchanges: readonly Exchange[],
  details?: Record<string, unknown>,
  warnings?: readonly Finding[],
): Verdict {
  const trouble = faults.length > 0 && exchanges.find(isTrouble);
  if (!trouble) return judged(faults, exchanges, details, warnings);
  return couldNotRun(`${trouble.method} could not be served here: ${describeAnswer(trouble)}.`, {
    evidence: [evidenceOf(trouble)],
  });
}

/**
 * A method that a declared capability is for, and that the server does not know. An error is an answer that the schema allows, and until
 * 2025-11-25 no sentence demands another: that is advice.
 */
export function judgedUnknown(
  exchange: Exchange,
  capability: string,
  { era, officialFixtures }: ProtocolFacts,
): Verdict | undefined {
  const isUnknown = errorOf(exchange)?.code === rpcCodes.methodNotFound;
  if (!isUnknown || era !== "stateful" || officialFixtures) return undefined;
  const { message } = wireProblem("CAPABILITY_NOT_SERVED", capability, exchange.method ?? "");
  return judged([], [exchange], {}, [{ word: "inferred", message: message.replace(/\.$/, "") }]);
}

/** One fault or none, from a condition. */
export function faultUnless(holds: boolean, fault: string): string[] {
  return holds ? [] : [fault];
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** An empty result; `_meta` may always be there, and `resultType` where the era has it. */
export function judgeEmpty(exchange: Exchange): Verdict {
  const result = resultOf(exchange);
  if (!result) return judgedServed([`answered with ${describeAnswer(exchange)}`], [exchange]);
  const extra = Object.keys(result).filter((key) => key !== "_meta" && key !== "resultType");
  return judged(faultUnless(extra.length === 0, `the result is not empty: ${extra.join(", ")}`), [exchange]);
}
