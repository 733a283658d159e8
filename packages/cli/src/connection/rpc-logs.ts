/** @module `--rpc`: what went over the wire, in JSON output as `_rpcLogs`, for people as one line a message on stderr. */
import { isObject, type Recorder, type RpcLog, toRpcLogs } from "@fettle/mcp";
import { isRecord } from "../files/read-json.ts";
import type { Outcome, Printer } from "../output/printer.ts";
import { style, type Text, text } from "../output/text.ts";
import type { Plan, ServerCall } from "./open-server.ts";

export function rpcLogsOf(recorder: Recorder, { facts }: Pick<Plan, "facts">): RpcLog[] {
  return toRpcLogs(recorder.read(), { serverId: "__cli__", serverName: facts.label });
}

/** Objects get the logs; an array or a plain value has no place for them. */
export function withTraffic(
  { global, print }: Pick<ServerCall, "global" | "print">,
  outcome: Outcome,
  recorder: Recorder,
  plan: Pick<Plan, "facts">,
): Outcome {
  if (!global.rpc) return outcome;
  const logs = rpcLogsOf(recorder, plan);
  if (print.format === "human") tellTraffic(print, logs);
  return isRecord(outcome.value) && !outcome.exact
    ? { ...outcome, value: { ...outcome.value, _rpcLogs: logs } }
    : outcome;
}

function tellTraffic(print: Printer, logs: readonly RpcLog[]): void {
  const startedAt = Date.parse(logs[0]?.timestamp ?? "");
  for (const { direction, message, timestamp } of logs) {
    const arrow = direction === "send" ? style.cyan("→") : style.green("←");
    const after = String(Date.parse(timestamp) - startedAt).padStart(6);
    print.note(text`${after} ms ${arrow} ${describe(message)}`);
  }
}

function describe(message: unknown): Text {
  if (!isObject(message)) return text`${JSON.stringify(message)?.slice(0, 100) ?? ""}`;
  const { method, id, error, result } = message;
  const number = id === undefined ? "" : ` #${String(id)}`;
  if (typeof method === "string") return text`${method}${number}`;
  if (isObject(error)) return text`${style.red("error")}${number} ${String(error.message)}`;
  return text`result${number}${isObject(result) ? ` {${Object.keys(result).join(", ")}}` : ""}`;
}
