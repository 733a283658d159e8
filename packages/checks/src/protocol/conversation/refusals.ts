/** @module Being refused properly: by HTTP and by JSON-RPC, which are two facts. Over stdio there is only the second. */
import { couldNotRun, type Verdict } from "../../verdict/check-result.ts";
import { describeAnswer, type Exchange, errorOf, isForeign } from "./exchange.ts";
import { faultUnless, judged } from "./verdicts.ts";

export function judgeRefusal(exchange: Exchange, code: number, status = 400): Verdict {
  const refused = refusedWith(exchange, code, status);
  return "verdict" in refused ? refused.verdict : judged(refused.faults, [exchange]);
}

export function refusedWith(
  exchange: Exchange,
  code: number,
  status = 400,
): { faults: string[] } | { verdict: Verdict } {
  if (isForeign(exchange) && exchange.http?.status !== status) {
    return { verdict: couldNotRun(`Answered with ${describeAnswer(exchange)}, which is no MCP.`) };
  }
  const error = errorOf(exchange);
  return {
    faults: [
      ...faultUnless(
        error?.code === code,
        `answered with ${describeAnswer(exchange)}, not with error ${code}`,
      ),
      ...(exchange.http && exchange.http.status !== status
        ? [`HTTP ${exchange.http.status} instead of ${status}`]
        : []),
    ],
  };
}
