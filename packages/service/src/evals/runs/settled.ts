/** @module From what happened in a repetition to the rows that are kept of it. */
import type { EvalIteration } from "@fettle/contract/evals";
import { integrityOf, type PlayedIteration, planOf, type Trace, tokensOf, whyOf } from "@fettle/evals";
import { storableJson } from "../../core/db/storable.ts";
import type { FrozenCase } from "./frozen.ts";
import type { SettledIteration, Unsettled } from "./iteration-store.ts";
import type { Surface } from "./surface.ts";

export function toSettled(
  { id }: Pick<Unsettled, "id">,
  { item, grading }: FrozenCase,
  played: PlayedIteration,
  { startedAt, surface, hide }: { startedAt: Date; surface: Surface; hide: <Value>(value: Value) => Value },
): SettledIteration {
  const { status, result, owner, durationMs, trace, grade } = played;
  const why = whyOf(item, grading, played);
  const seen = trace && hide(trace);
  const usage = trace && Object.keys(trace.usage).length > 0 ? trace.usage : null;
  return {
    id,
    status,
    result,
    stopCause: trace?.turns.at(-1)?.stop ?? null,
    error: why === undefined ? null : hide(why),
    errorClass: owner ?? null,
    startedAt,
    durationMs,
    tokensUsed: tokensOf(trace),
    usage: usage && storableJson(usage),
    costUsd: trace?.costUsd ?? null,
    actualToolCalls: JSON.stringify(seen ? callsOf(seen) : []),
    scores: grade ? JSON.stringify(hide(grade.scores)) : null,
    isIntact: !grade || integrityOf(planOf(item, grading).definitions, grade.scores) === "valid",
    evaluatorError: status === "completed" && result === null,
    surfaceChanged: trace !== undefined && surface.isChanged(trace.servers),
    trace: seen ? JSON.stringify(seen) : null,
    grade: grade ? JSON.stringify(hide(grade)) : null,
  };
}

function callsOf({ toolCalls }: Trace): EvalIteration["actualToolCalls"] {
  return toolCalls.map((call) => ({
    toolName: call.toolName,
    serverName: call.server,
    arguments: call.arguments,
    toolCallId: call.toolCallId,
    isError: call.isError,
    ...(call.errorCode !== undefined && { errorCode: call.errorCode }),
    latencyMs: call.durationMs,
    resultBytes: call.resultBytes,
    argsValid: call.argsValid,
  }));
}
