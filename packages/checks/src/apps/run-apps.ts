/** @module One run of the apps suite: connect, look, judge, report. A server that cannot be reached is an error, never a failed check. */
import { limits } from "@fettle/contract/core";
import {
  asMcpError,
  type Connection,
  isMcpError,
  type McpError,
  redactKnowing,
  secretsOf,
  type Target,
  targetLabel,
} from "@fettle/mcp";
import { type OnProgress, observeOnce, runChecks } from "../verdict/run-checks.ts";
import { type RunReport, runReportOf } from "../verdict/run-report.ts";
import { type Selection, selectChecks } from "../verdict/select-checks.ts";
import { isSilence } from "../verdict/server-gone.ts";
import type { AppsCategory, AppsCheck } from "./apps-check.ts";
import { widgetBoots } from "./boot-check.ts";
import {
  type AppsObserved,
  appsObservers,
  type BootWidgets,
  itemsOf,
  widgetToolsOf,
} from "./observe-apps.ts";
import { openAiDialect } from "./openai-check.ts";
import { resourceChecks } from "./resource-checks.ts";
import { toolChecks } from "./tool-checks.ts";
import { isUiResource, widgetMimeTypes } from "./tool-ui.ts";

export const appsChecks: readonly AppsCheck[] = [
  ...toolChecks,
  openAiDialect,
  ...resourceChecks,
  widgetBoots,
];

/** Declared by every connection of this suite: some servers offer widgets only to clients that show them. */
export const appsClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: Object.values(widgetMimeTypes) } },
};

export interface AppsOptions extends Selection<AppsCategory> {
  requireUi?: boolean | undefined;
  checkTimeoutMs?: number | undefined;
  /** Without it, nobody looks whether widgets begin. */
  bootWidgets?: BootWidgets | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

export interface AppsReport extends RunReport {
  discovery: {
    toolCount: number;
    uiToolCount: number;
    listedResourceCount: number;
    listedUiResourceCount: number;
    checkedUiResourceCount: number;
  };
}

/**
 * Judges a connected server's widgets. The connection must have declared `appsClientCapabilities`.
 *
 * @example
 * await using connection = await connect(target, { capabilities: appsClientCapabilities });
 * const { outcome, checks } = await runApps(target, connection);
 */
export async function runApps(
  target: Target,
  connection: Connection,
  options: AppsOptions = {},
): Promise<AppsReport> {
  const started = performance.now();
  const checks = selectChecks(appsChecks, options);
  const look = observeOnce(appsObservers(connection, options.signal, options.bootWidgets));
  const requireUi = options.requireUi ?? false;
  const facts = { version: connection.protocolVersion, requireUi, contractBinds: requireUi };
  const results = await runChecks(checks, look, facts, {
    timeoutMs: options.checkTimeoutMs ?? limits.conformance.checkMs,
    signal: options.signal,
    findGone: () => findGone(connection),
    onProgress: options.onProgress,
  });
  const discovery = discoveryOf(await seenOf(look, checks));
  return {
    ...runReportOf({
      target: targetLabel(target),
      protocolVersion: connection.protocolVersion,
      transport: connection.transport,
      results: redactKnowing(results, secretsOf(target)),
      durationMs: performance.now() - started,
    }),
    discovery,
  };
}

/** The connection is the caller's, and nobody else knows how it was made: over HTTP one more request shows whether someone is there. */
async function findGone(connection: Connection): Promise<McpError | undefined> {
  try {
    await connection.listTools();
    return undefined;
  } catch (error) {
    return isSilence(error) || isMcpError(error, "PROCESS_EXITED") ? asMcpError(error) : undefined;
  }
}

/** What the selected checks looked at; the rest is not fetched for the sake of numbers. */
async function seenOf(
  look: <Name extends keyof AppsObserved>(name: Name) => Promise<AppsObserved[Name]>,
  checks: readonly AppsCheck[],
): Promise<Partial<AppsObserved>> {
  const needed = new Set(checks.flatMap(({ needs }) => needs));
  const get = async <Name extends keyof AppsObserved>(name: Name) =>
    needed.has(name) || needed.has("documents") ? await look(name).catch(() => undefined) : undefined;
  const [tools, resources, documents] = [
    await get("tools"),
    await get("resources"),
    needed.has("documents") ? await get("documents") : undefined,
  ];
  return { ...(tools && { tools }), ...(resources && { resources }), ...(documents && { documents }) };
}

function discoveryOf({ tools, resources, documents = [] }: Partial<AppsObserved>): AppsReport["discovery"] {
  const listed = resources ? itemsOf(resources) : [];
  return {
    toolCount: tools ? itemsOf(tools).length : 0,
    uiToolCount: tools ? widgetToolsOf(tools).length : 0,
    listedResourceCount: listed.length,
    listedUiResourceCount: listed.filter(isUiResource).length,
    checkedUiResourceCount: documents.filter(({ answer }) => "contents" in answer).length,
  };
}
