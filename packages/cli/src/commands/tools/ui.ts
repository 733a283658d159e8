/** @module `tools call --ui`: a finished result, shown in the page of the inspector that is open. The tool is not called again. */

import { setTimeout as wait } from "node:timers/promises";
import { exitCodes } from "@fettle/contract/core";
import { addressPart } from "@fettle/contract/formats";
import {
  type InspectorCommandAnswer,
  type InspectorFault,
  type InspectorPayloads,
  InspectorShown,
  inspectorLimits,
  inspectorRefusals,
} from "@fettle/contract/inspector";
import { isObject, type JsonObject, type Target, targetLabel } from "@fettle/mcp";
import { canOpenBrowser, openBrowser } from "../../browser/open-browser.ts";
import { toCliError } from "../../cli-error.ts";
import {
  command,
  connectServer,
  findInspector,
  type Inspector,
  pageUrl,
  startInspector,
  startMs,
  statusOf,
} from "../../inspector/control.ts";
import { keepServer } from "../../inspector/keep-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import { contextOf } from "../../widgets/place-flags.ts";
import type { ToolsCall } from "./flags.ts";

export interface Finished {
  target: Target;
  toolName: string;
  toolArgs: JsonObject;
  called: Outcome;
  /** Takes what lets somebody into the inspector: that is for the person, and for no file. */
  secrets: string[];
}

interface Shown {
  baseUrl: string | null;
  browserUrl: string | null;
  hasActiveClient: boolean;
  inspectorStarted: boolean;
  browserOpenRequested: boolean;
  commands: Record<string, { status: "success" | "error" }>;
}

const retryMs = 500;
const surface = "playground";

/** What is said of a result that was not shown. */
interface Said {
  code: InspectorFault["code"];
  message: string;
  remediation: string;
  browserUrl?: string;
  hasActiveClient: boolean;
  inspectorStarted: boolean;
}

interface Verdict {
  status: "rendered" | "skipped" | "error";
  remediation: string;
  warning?: Said;
  error?: Said;
}

export async function showInInspector(call: ToolsCall, finished: Finished): Promise<Outcome> {
  const { called } = finished;
  const { fault, ...shown } = await show(call, finished);
  const { status, remediation, ...said } = judge(call, shown, fault);
  const { warning, error } = said;
  const exitCode = error ? exitCodes.failed : (called.exitCode ?? exitCodes.ok);
  if (warning) tell(call, warning);
  const { frontendUrl } = call.flags;
  return {
    ...called,
    value: {
      success: exitCode === exitCodes.ok,
      command: "tools call",
      inspectorUi: true,
      inspectorBrowserUrl: shown.browserUrl,
      ...(frontendUrl !== undefined && { inspectorFrontendUrl: frontendUrl }),
      target: targetLabel(finished.target),
      toolName: finished.toolName,
      parameterKeys: Object.keys(finished.toolArgs),
      result: called.value,
      inspectorRender: {
        status,
        remediation,
        mode: "active-client",
        urlHydratesRender: false,
        ...shown,
        ...said,
      },
      ...said,
    },
    human: (view) => lines([called.human(view), afterword(status, error)]),
    exitCode,
  };
}

function afterword(status: Verdict["status"], error: Said | undefined): Text {
  if (status === "rendered") return text`${style.green("✓")} Shown in the inspector`;
  return error ? text`${style.red("✗")} Not shown in the inspector: ${error.message}` : text``;
}

function judge({ flags }: ToolsCall, shown: Shown, fault: InspectorFault | undefined): Verdict {
  if (!fault) return { status: "rendered", remediation: "none" };
  const { code, message } = fault;
  const { remediation, isSkippable } = inspectorRefusals[code];
  const { browserUrl, hasActiveClient, inspectorStarted } = shown;
  const said: Said = {
    code,
    message,
    remediation,
    ...(browserUrl !== null && { browserUrl }),
    hasActiveClient,
    inspectorStarted,
  };
  const isSkipped = isSkippable && !(flags.attachOnly && code === "no_active_client");
  if (!isSkipped) return { status: "error", remediation, error: said };
  return { status: "skipped", remediation, warning: said, ...(flags.requireRender && { error: said }) };
}

function tell({ print }: ToolsCall, { code, message, browserUrl }: Said): void {
  print.warn(text`The result was not shown in the inspector: ${message}`);
  if (code === "no_active_client" && browserUrl !== undefined) {
    print.note(text`Open ${style.cyan(browserUrl)} in your browser, and call the tool again.`);
  }
}

/** Whatever goes wrong on the way, the tool was called, and its result is not lost. */
async function show(call: ToolsCall, finished: Finished): Promise<Shown & { fault?: InspectorFault }> {
  const shown: Shown = { ...nowhere, commands: {} };
  try {
    const fault = await showIn(shown, call, finished);
    return { ...shown, ...(fault && { fault }) };
  } catch (thrown) {
    const { message } = toCliError(thrown);
    return { ...shown, fault: { code: "execution_failed", message } };
  }
}

async function showIn(
  shown: Shown,
  call: ToolsCall,
  { target, toolName, toolArgs, called, secrets }: Finished,
): Promise<InspectorFault | undefined> {
  const { flags, global, world, print } = call;
  const timeoutMs = global.timeout ?? startMs;
  const deadline = performance.now() + timeoutMs;
  const running = await findInspector(world, flags.inspectorUrl);
  if (!running && (flags.attachOnly || namesInspector(call))) {
    return { code: "no_active_client", message: "No inspector answers, and none was to be started." };
  }
  const inspector = running ?? (await startInspector(world, timeoutMs));
  const server = await keepServer(inspector, target, flags.serverName);
  const path = `/p/proj_local/servers/${server.id}/tools?tool=${addressPart(toolName)}`;
  const url = flags.frontendUrl === undefined ? await pageUrl(inspector, path) : new URL(flags.frontendUrl);
  secrets.push(url.hash.slice("#k=".length));
  const { hasActiveClient } = await statusOf(inspector);
  const opens = !hasActiveClient && mayOpen(call);
  Object.assign(shown, {
    baseUrl: inspector.url,
    browserUrl: url.href,
    hasActiveClient,
    inspectorStarted: running === undefined,
    browserOpenRequested: opens,
  });
  if (opens) {
    print.note(text`Opening ${url.href}`);
    print.note("Waiting for the browser ...");
    if (canOpenBrowser({ env: world.env })) openBrowser(url);
  }
  const { name: serverName } = server;
  const { result, ...timed } = plainResult(called.value);
  const fault = await render(inspector, {
    deadline,
    // Whoever opened a browser waits for it.
    waitUntil: opens ? Math.min(deadline, performance.now() + inspectorLimits.browserMs) : 0,
    shown,
    serverId: server.id,
    payload: { surface, serverName, toolName, parameters: toolArgs, result, ...timed },
    context: contextOf(call.flags),
  });
  shown.hasActiveClient = (await statusOf(inspector)).hasActiveClient;
  return fault;
}

/** One that is meant is not replaced by another. */
const namesInspector = ({ flags, world }: ToolsCall) =>
  (flags.inspectorUrl ?? world.env.FETTLE_INSPECTOR_URL) !== undefined;

const mayOpen = ({ flags, world }: ToolsCall) =>
  !(flags.attachOnly || flags.noOpen) && (flags.open || world.stdout.isTTY === true);

const nowhere: Shown = {
  baseUrl: null,
  browserUrl: null,
  hasActiveClient: false,
  inspectorStarted: false,
  browserOpenRequested: false,
  commands: {},
};

interface Rendering {
  deadline: number;
  /** Until then a page may still come. */
  waitUntil: number;
  shown: Shown;
  serverId: string;
  payload: InspectorPayloads["renderToolResult"];
  context: InspectorPayloads["setAppContext"];
}

/** Why it was not shown, if it was not. The first command that fails is the last. */
async function render(
  inspector: Inspector,
  { deadline, waitUntil, shown, serverId, payload, context }: Rendering,
): Promise<InspectorFault | undefined> {
  const rest = () =>
    Math.max(1, Math.min(inspectorLimits.commandMs, Math.round(deadline - performance.now())));
  const obeyed = async (name: string, body: Parameters<typeof command>[1]) => {
    let answer: InspectorCommandAnswer;
    for (;;) {
      answer = await command(inspector, body, rest());
      if (answer.status === "success" || answer.error.code !== "no_active_client") break;
      if (performance.now() + retryMs >= waitUntil) break;
      await wait(retryMs);
    }
    shown.commands[name] = { status: answer.status };
    return answer.status === "error" ? answer.error : notBegun(answer.result);
  };
  const { serverName } = payload;
  const opened = await obeyed("openPlayground", { type: "openPlayground", payload: { serverName } });
  if (opened) return opened;
  const away = await connectServer(inspector, serverId);
  if (away) return away;
  if (Object.keys(context).length > 0) {
    const set = await obeyed("setAppContext", { type: "setAppContext", payload: context });
    if (set) return set;
  }
  const rendered = await obeyed("renderToolResult", { type: "renderToolResult", payload });
  if (rendered) return rendered;
  // A courtesy: whether there is a picture of it does not matter.
  await obeyed("snapshot", { type: "snapshotApp", payload: { surface } });
  return undefined;
}

/** The page took the command and shows the result, but its widget did not begin: nothing of that was delivered. */
function notBegun(result: unknown): InspectorFault | undefined {
  const { data } = InspectorShown.safeParse(result);
  if (data?.fault === undefined) return undefined;
  const { fault, reason: message = "The widget is not shown." } = data;
  return { code: fault === "resource_read_failed" ? "unsupported_in_mode" : "timeout", message };
}

/** As the server sent it, and how long that took. */
function plainResult(value: unknown): { result: unknown; durationMs?: number } {
  if (!isObject(value)) return { result: value };
  const { _durationMs: durationMs, _unchecked, ...result } = value;
  return { result, ...(typeof durationMs === "number" && { durationMs }) };
}
