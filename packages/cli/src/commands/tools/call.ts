/** @module `fettle tools call`: calls one tool and prints its result as it came. */
import type { ReportCase } from "@fettle/checks";
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import { type CallOptions, isObject, type JsonObject, type Recorder } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { eitherSpelling, oneSpelling } from "../../connection/aliases.ts";
import { withDebugArtifact } from "../../connection/debug-artifact.ts";
import { interaction } from "../../connection/interactive.ts";
import { namingNear, unknownInResult } from "../../connection/near-offers.ts";
import {
  type OpenServer,
  type Plan,
  planConnection,
  recorderFor,
  withPlan,
} from "../../connection/open-server.ts";
import { reportOf, toolResultText } from "../../connection/tool-result.ts";
import { refuseNoInspectorUrl } from "../../inspector/address.ts";
import type { Outcome } from "../../output/printer.ts";
import { text } from "../../output/text.ts";
import { refuseUnknownPlace } from "../../widgets/place-flags.ts";
import type { ToolsCall } from "./flags.ts";
import { refuseTaskConflicts, taskCall } from "./task-call.ts";

export async function run(call: ToolsCall): Promise<Outcome> {
  refuseTaskConflicts(call);
  refuseConflicts(call);
  const toolName = oneSpelling(call.flags, ["tool-name", "name"]);
  const toolArgs = await readArguments(call);
  const plan = await planConnection(call);
  refuseForTarget(call, plan);
  if (call.flags.task) return taskCall(call, plan, toolName, toolArgs);
  const startedAt = performance.now();
  const recorder = recorderFor(plan.target);
  const judged: Judged = {};
  const secrets: string[] = [];
  const path = call.flags.debugOut;
  const subject = { name: "tools call", input: { toolName, toolArgs }, plan, path, secrets };
  const outcome = await withDebugArtifact(call, subject, recorder, async () => {
    const called = await withPlan(
      call,
      plan,
      (server) => callTool(call, server, toolName, toolArgs, judged),
      {
        ...interaction(call),
        recorder,
      },
    ).finally(() => tellParamHeaders(call, recorder));
    if (!call.flags.ui) return called;
    const { showInInspector } = await import("./ui.ts");
    return showInInspector(call, { target: plan.target, toolName, toolArgs, called, secrets });
  });
  if (!call.flags.reporter) return outcome;
  return report(call, outcome, judged, toolName, performance.now() - startedAt);
}

/** What only an open connection can tell about the result. */
interface Judged {
  structured?: ReportCase | undefined;
}

async function callTool(
  call: ToolsCall,
  { connection, plan, deadline }: OpenServer,
  toolName: string,
  toolArgs: JsonObject,
  judged: Judged,
): Promise<Outcome> {
  if (plan.host) await refuseInvisible(call, { connection, plan, deadline }, toolName);
  const startedAt = performance.now();
  const offered = async () =>
    (await connection.listTools({ signal: deadline.signal })).items.map(({ name }) => name);
  const calling = connection.callTool(toolName, toolArgs, callOptions(call, deadline.signal));
  const result = await namingNear("tool", toolName, offered, calling);
  const unknown = await unknownInResult(result, toolName, offered);
  if (unknown) call.print.warn(unknown);
  const durationMs = Math.round(performance.now() - startedAt);
  if (call.flags.validateResponse) {
    const { structuredCase } = await import("../../connection/structured-content.ts");
    judged.structured = await structuredCase({ connection, deadline }, toolName, result, call.print);
  }
  const report = reportOf(call.flags, result, judged.structured);
  const added = {
    _durationMs: durationMs,
    ...(report.failures.length > 0 && {
      _failures: report.failures.map(({ id, error = "Failed" }) => ({ id, error })),
    }),
    ...(report.unchecked.length > 0 && { _unchecked: report.unchecked }),
  };
  return {
    value: isObject(result) && !call.flags.reporter ? { ...result, ...added } : result,
    human: () => toolResultText(result, durationMs, report),
    exitCode: exitCodeFor(result, report.failures),
  };
}

function exitCodeFor(result: unknown, failures: readonly unknown[]): ExitCode {
  const isError = isObject(result) && result.isError === true;
  return isError || failures.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function callOptions({ flags }: ToolsCall, signal: AbortSignal): CallOptions {
  const headers = Object.fromEntries(flags.mcpHeader.map(readRawHeader));
  const takesOver = Object.keys(headers).some((name) => name.toLowerCase().startsWith("mcp-param-"));
  return {
    signal,
    headers,
    ...((flags.noParamHeaders || takesOver) && { paramHeaders: false }),
    ...(flags.noMrtr && { inputRounds: 0 }),
  };
}

/** The same result, as CI wants it; its time is the whole command's. */
function report(
  call: ToolsCall,
  outcome: Outcome,
  judged: Judged,
  toolName: string,
  durationMs: number,
): Outcome {
  const { document } = reportOf(call.flags, outcome.value, judged.structured);
  call.print.document(document({ toolName, durationMs: Math.round(durationMs) }));
  return { ...outcome, silent: true };
}

async function readArguments({ flags, input }: ToolsCall): Promise<JsonObject> {
  const typed = eitherSpelling(flags, ["tool-args", "params"]);
  if (flags.toolArgsStdin) return input.jsonObject("--tool-args-stdin", "-");
  return typed === undefined ? {} : input.jsonObject("--tool-args", typed);
}

function refuseConflicts({ flags, world }: ToolsCall): void {
  const typed = eitherSpelling(flags, ["tool-args", "params"]);
  if (flags.toolArgsStdin && typed !== undefined) {
    throw usageError("--tool-args-stdin cannot be combined with --tool-args.");
  }
  if (flags.interactive && (flags.toolArgsStdin || typed === "-")) {
    throw usageError("--interactive reads the terminal; the arguments cannot come from stdin too.");
  }
  if (flags.reporter && !flags.validateResponse && !flags.expectSuccess) {
    throw usageError("--reporter needs something to report on: --validate-response or --expect-success.");
  }
  if (flags.reporter && flags.ui) throw usageError("--ui cannot be combined with --reporter.");
  refuseUiConflicts(flags);
  if (flags.ui) refuseNoInspectorUrl(world, flags.inspectorUrl);
}

/** What only says how a result is shown. */
function refuseUiConflicts(flags: ToolsCall["flags"]): void {
  const { requireRender, open, noOpen, attachOnly, inspectorUrl, frontendUrl, serverName } = flags;
  const { device, theme, locale, timeZone } = flags;
  const given = {
    "--require-render": requireRender,
    "--open": open,
    "--no-open": noOpen,
    "--attach-only": attachOnly,
    "--inspector-url": inspectorUrl,
    "--frontend-url": frontendUrl,
    "--server-name": serverName,
    "--device": device,
    "--theme": theme,
    "--locale": locale,
    "--time-zone": timeZone,
  };
  const [alone] = Object.entries(given).flatMap(([name, value]) => (value ? [name] : []));
  if (!flags.ui && alone !== undefined) throw usageError(`${alone} only goes with --ui.`);
  if (open && attachOnly) throw usageError("--attach-only opens nothing; --open cannot be combined with it.");
  if (frontendUrl !== undefined && !/^https?:$/.test(URL.parse(frontendUrl)?.protocol ?? "")) {
    throw usageError(`--frontend-url takes an http or https address; "${frontendUrl}" is none.`);
  }
  refuseUnknownPlace(flags);
}

function refuseForTarget({ flags }: ToolsCall, { target }: Plan): void {
  flags.mcpHeader.forEach(readRawHeader);
  if (target.kind === "http") return;
  if (flags.noParamHeaders) throw usageError("--no-param-headers only goes with --url.");
  if (flags.mcpHeader.length > 0) throw usageError("--mcp-header only goes with --url.");
}

/** A host does not call what it does not see. */
async function refuseInvisible(
  { flags }: ToolsCall,
  { connection, plan, deadline }: Pick<OpenServer, "connection" | "plan" | "deadline">,
  toolName: string,
): Promise<void> {
  const { items, truncated } = await connection.listTools({
    signal: deadline.signal,
    ...(flags.firstPageOnly && { firstPageOnly: true }),
  });
  if (items.some(({ name }) => name === toolName)) return;
  const label = plan.host?.label ?? "";
  throw usageError(
    truncated
      ? `The list of tools was not read to its end, and "${toolName}" was not in it: ${label} may not see it.`
      : `${label} does not see a tool named "${toolName}".`,
    { hint: "Leave --host out to call any tool." },
  );
}

function readRawHeader(entry: string): [string, string] {
  const at = entry.indexOf("=");
  if (at < 1) throw usageError("--mcp-header takes Name=Value.");
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** Which arguments went out as headers too; asked for by whoever looks at headers. */
function tellParamHeaders({ flags, global, print }: ToolsCall, recorder: Recorder): void {
  if (!global.rpc && flags.mcpHeader.length === 0 && !flags.noParamHeaders) return;
  const sent = recorder
    .read()
    .entries.flatMap((entry) => (entry.kind === "http" ? Object.entries(entry.requestHeaders) : []))
    .filter(([name]) => name.toLowerCase().startsWith("mcp-param-"));
  const unique = [...new Map(sent)].map(([name, value]) => `${name}: ${value}`);
  print.note(text`Mcp-Param headers: ${unique.length === 0 ? "none" : unique.join(", ")}`);
}
