/** @module The stateful revisions, 2024-11-05 to 2025-11-25: `initialize`, the agreed version, `notifications/initialized`, then calls. */
import { McpError } from "../failure.ts";
import { isObject } from "../messages/jsonrpc.ts";
import type { Dialog } from "../wire/dialog.ts";
import { type ClientIdentity, type Era, latestStateful, type Opening } from "./era.ts";

export interface HandshakeOptions extends ClientIdentity {
  /** Versions we take, newest last; the newest is offered. */
  versions: readonly string[];
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** Shakes hands; the server's counter-offer must be among the versions we take. */
export async function openStateful(dialog: Dialog, options: HandshakeOptions): Promise<Opening> {
  const offered = options.versions.at(-1) ?? latestStateful;
  // No version header here: the version is still being agreed on.
  const { result } = await dialog.request(
    "initialize",
    { protocolVersion: offered, capabilities: options.capabilities, clientInfo: options.clientInfo },
    {
      signal: options.signal,
      repeatable: true,
      timeouts: { idleMs: options.timeoutMs, totalMs: options.timeoutMs },
    },
  );
  const opening = readInitializeResult(result);
  if (!options.versions.includes(opening.protocolVersion)) {
    throw new McpError(
      "VERSION_MISMATCH",
      `The server wants protocol version ${opening.protocolVersion}; ${options.versions.join(", ")} was offered.`,
      {
        hint: "Pin a version both sides know, or update the server.",
        details: { offered: [...options.versions], answered: opening.protocolVersion },
      },
    );
  }
  await dialog.notify("notifications/initialized", undefined, {
    headers: versionHeader(opening.protocolVersion),
  });
  return opening;
}

export function statefulEra(version: string): Era {
  return {
    kind: "stateful",
    version,
    prepare: (_method, params) => ({ params, headers: versionHeader(version) }),
  };
}

/** Sent from 2025-06-18 on; earlier servers do not know it and some refuse it. */
function versionHeader(version: string): Record<string, string> {
  return version >= "2025-06-18" ? { "mcp-protocol-version": version } : {};
}

function readInitializeResult(result: unknown): Opening {
  if (!isObject(result) || typeof result.protocolVersion !== "string") {
    throw new McpError("INVALID_RESULT", "The answer to initialize names no protocolVersion.", {
      hint: "An initialize result has protocolVersion, capabilities and serverInfo.",
      details: { method: "initialize", data: result },
    });
  }
  return {
    protocolVersion: result.protocolVersion,
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    serverInfo: isObject(result.serverInfo) ? result.serverInfo : null,
    ...(typeof result.instructions === "string" && { instructions: result.instructions }),
    raw: result,
  };
}
