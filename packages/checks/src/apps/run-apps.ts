/** @module One run of the apps suite: connect, look, judge, report. A server that cannot be reached is an error, never a failed check. */
import { limits } from "@fettle/contract";
import {
  asMcpError,
  type Connection,
  isMcpError,
  McpError,
  redactKnowing,
  secretsOf,
  type Target,
  targetLabel,
} from "@fettle/mcp";
import type { CheckResult } from "../verdict/check-result.ts";
import { observeOnce, runChecks } from "../verdict/run-checks.ts";
import { type RunReport, runReportOf } from "../verdict/run-report.ts";
import { isSilence } from "../verdict/server-gone.ts";
import type { AppsCategory, AppsCheck } from "./apps-check.ts";
import { type AppsObserved, appsObservers, itemsOf, widgetToolsOf } from "./observe-apps.ts";
import { openAiDialect } from "./openai-check.ts";
import { resourceChecks } from "./resource-checks.ts";
import { toolChecks } from "./tool-checks.ts";
import { isUiResource, widgetMimeTypes } from "./tool-ui.ts";

export const appsChecks: readonly AppsCheck[] = [...toolChecks, openAiDialect, ...resourceChecks];
export const appsCheckIds = appsChecks.map(({ id }) => id);

/** Declared by every connection of this suite: some servers offer widgets only to clients that show them. */
export const appsClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: Object.values(widgetMimeTypes) } },
};

export interface AppsOptions {
  categories?: readonly AppsCategory[] | undefined;
  /** Wins over categories. */
  checkIds?: readonly string[] | undefined;
  requireUi?: boolean | undefined;
  checkTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { done: number; total: number; result?: CheckResult }) => void) | undefined;
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
  const checks = selectApps(options);
  const look = observeOnce(appsObservers(connection, options.signal));
  let done = 0;
  options.onProgress?.({ done, total: checks.length });
  const requireUi = options.requireUi ?? false;
  const facts = { version: connection.protocolVersion, requireUi, contractBinds: requireUi };
  const results = await runChecks(checks, look, facts, {
    timeoutMs: options.checkTimeoutMs ?? limits.conformance.checkMs,
    ...(options.signal && { signal: options.signal }),
    findGone: () => findGone(connection),
    onResult: (result) => options.onProgress?.({ done: ++done, total: checks.length, result }),
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

/** Refuses a name that is no check's, before anything is touched. */
export function selectApps({ checkIds = [], categories = [] }: AppsOptions): AppsCheck[] {
  const unknown = checkIds.filter((id) => !appsCheckIds.includes(id));
  if (unknown.length > 0) {
    throw new McpError("BAD_OPTION", `No check is called ${unknown.map((id) => `"${id}"`).join(", ")}.`, {
      hint: `Checks: ${appsCheckIds.join(", ")}.`,
      details: { unknown: unknown[0]!, known: appsCheckIds },
    });
  }
  if (checkIds.length > 0) return appsChecks.filter(({ id }) => checkIds.includes(id));
  return appsChecks.filter(({ category }) => categories.length === 0 || categories.includes(category));
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
