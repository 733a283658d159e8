/** @module The stateless revision 2026-07-28: no handshake; every request carries version, identity and capabilities, and HTTP headers repeat what routers need. */
import { McpError } from "../failure.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { isKnownResultType, metaKeys, understandsTasks } from "../messages/stateless-meta.ts";
import type { Dialog } from "../wire/dialog.ts";
import { wireProblem } from "../wire/wire-problem.ts";
import { type ClientIdentity, type Era, latestStateless, type Opening } from "./era.ts";
import { encodeHeaderValue } from "./param-headers.ts";

/** A result of a type that the client does not know must not be taken for an answer. */
export function refuseUnknownType(method: string, params: unknown, result: unknown): void {
  if (!isObject(result) || isKnownResultType(result.resultType, understandsTasks(params))) return;
  const { message } = wireProblem("UNKNOWN_RESULT_TYPE", method, result.resultType);
  throw new McpError("INVALID_RESULT", message, {
    hint: 'A result is "complete" or "input_required"; other types need an extension that the client declares.',
    details: { method, data: result },
  });
}

export interface StatelessIdentity extends ClientIdentity {
  /** Without it a server may send no log messages. */
  logLevel?: string;
}

/** Methods the stateless revision no longer has. */
export const removedMethods = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "tasks/list",
  "tasks/result",
]);

export function statelessEra(identity: () => StatelessIdentity, version: string = latestStateless): Era {
  return {
    kind: "stateless",
    version,
    prepare: (method, params) => ({
      params: withEnvelope(params, identity(), version),
      headers: routingHeaders(method, params, version),
    }),
  };
}

/** Asks the server what it is; the answer is definitive evidence of this era. */
export async function discover(
  dialog: Dialog,
  era: Era,
  options: { signal?: AbortSignal | undefined; timeoutMs: number },
): Promise<Opening> {
  const { params, headers } = era.prepare("server/discover", undefined);
  const { result } = await dialog.request("server/discover", params, {
    headers,
    signal: options.signal,
    repeatable: true,
    timeouts: { idleMs: options.timeoutMs, totalMs: options.timeoutMs },
  });
  refuseUnknownType("server/discover", params, result);
  return readDiscoverResult(result, era.version);
}

/** What is known of a server that is certainly stateless but does not let itself be discovered. */
export function undiscovered(version: string): Opening {
  return { protocolVersion: version, capabilities: {}, serverInfo: null, raw: {} };
}

export function serverInfoOf(result: unknown): JsonObject | null {
  const meta = isObject(result) && isObject(result._meta) ? result._meta : {};
  const info = meta[metaKeys.serverInfo];
  return isObject(info) ? info : null;
}

function withEnvelope(
  params: JsonObject | undefined,
  identity: StatelessIdentity,
  version: string,
): JsonObject {
  const meta = isObject(params?._meta) ? params._meta : {};
  return {
    ...params,
    _meta: {
      [metaKeys.protocolVersion]: version,
      [metaKeys.clientInfo]: identity.clientInfo,
      [metaKeys.clientCapabilities]: identity.capabilities,
      ...(identity.logLevel !== undefined && { [metaKeys.logLevel]: identity.logLevel }),
      // The caller's own _meta wins: a test may want to bend exactly this.
      ...meta,
    },
  };
}

/** Which parameter `Mcp-Name` repeats. */
const namedBy: Record<string, string> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

function routingHeaders(
  method: string,
  params: JsonObject | undefined,
  version: string,
): Record<string, string> {
  const name = nameRepeatedBy(method, params);
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": encodeHeaderValue(name) }),
  };
}

/** What `Mcp-Name` says of this request. */
export function nameRepeatedBy(method: string, params: JsonObject | undefined): string | undefined {
  const name = Object.hasOwn(namedBy, method) ? params?.[namedBy[method] ?? ""] : undefined;
  return typeof name === "string" ? name : undefined;
}

function readDiscoverResult(result: unknown, version: string): Opening {
  const versions = isObject(result) ? result.supportedVersions : undefined;
  if (!isObject(result) || !isObject(result.capabilities) || !isVersionList(versions)) {
    throw new McpError(
      "INVALID_RESULT",
      "The answer to server/discover lacks supportedVersions or capabilities.",
      {
        details: { method: "server/discover", data: result },
      },
    );
  }
  return {
    protocolVersion: version,
    capabilities: result.capabilities,
    serverInfo: serverInfoOf(result),
    supportedVersions: versions,
    ...(typeof result.instructions === "string" && { instructions: result.instructions }),
    raw: result,
  };
}

function isVersionList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
