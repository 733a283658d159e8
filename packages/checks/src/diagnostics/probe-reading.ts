/** @module How one raw answer is read: is this MCP, is it the old transport, does it want a credential? Pure. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { ProbeReport } from "./probe-report.ts";

/** What came back to one request, as plain data. */
export interface SeenAnswer {
  status: number;
  mediaType: string;
  /** The message that answers the request, when one came. */
  message?: JsonObject;
  /** An event stream that was still open when we stopped reading. */
  streaming?: boolean;
  location?: string;
}

export type Reading =
  | { kind: "ready"; initialize: NonNullable<ProbeReport["initialize"]> }
  | { kind: "unauthorized" }
  | { kind: "maybe-sse" }
  | { kind: "failing"; why: string }
  | { kind: "reachable"; why: string };

/** A POST answered so may be an endpoint of the old SSE transport. */
const sseStatuses = new Set([404, 405, 406, 415, 501]);

export function readInitialize(answer: SeenAnswer): Reading {
  const { status } = answer;
  if (status === 401) return { kind: "unauthorized" };
  if (status >= 200 && status < 300) return readSuccess(answer);
  if (sseStatuses.has(status)) return { kind: "maybe-sse" };
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { kind: "failing", why: `It answers ${status}.` };
  }
  const why =
    answer.location === undefined
      ? `It answers ${status}, not an initialize result.`
      : `It redirects to ${answer.location}.`;
  return { kind: "reachable", why };
}

function readSuccess({ mediaType, message, streaming }: SeenAnswer): Reading {
  const result = message?.result;
  if (isObject(result) && typeof result.protocolVersion === "string") {
    return {
      kind: "ready",
      initialize: {
        protocolVersion: result.protocolVersion,
        ...(isObject(result.serverInfo) && { serverInfo: result.serverInfo }),
        ...(isObject(result.capabilities) && { capabilities: result.capabilities }),
        contentType: mediaType,
      },
    };
  }
  const error = message?.error;
  if (isObject(error)) {
    return {
      kind: "reachable",
      why: `It refuses initialize with error ${error.code}: ${String(error.message)}`,
    };
  }
  if (streaming) return { kind: "reachable", why: "It opens an event stream but sends no answer in it." };
  return { kind: "reachable", why: `It answers with ${mediaType || "no content type"}, which is not MCP.` };
}

/** A definite yes to `server/discover`, or undefined: anything else is for `initialize` to find out. */
export function readDiscover({ mediaType, message }: SeenAnswer): ProbeReport["initialize"] | undefined {
  const result = message?.result;
  if (!isObject(result) || !Array.isArray(result.supportedVersions) || !isObject(result.capabilities)) {
    return undefined;
  }
  const versions = result.supportedVersions.filter((version) => typeof version === "string");
  const meta = isObject(result._meta) ? result._meta : {};
  const serverInfo = meta["io.modelcontextprotocol/serverInfo"];
  const newest = versions.toSorted().at(-1);
  return {
    ...(newest !== undefined && { protocolVersion: newest }),
    ...(isObject(serverInfo) && { serverInfo }),
    capabilities: result.capabilities,
    contentType: mediaType,
  };
}

export function readSse({ status, mediaType }: SeenAnswer): "ready" | "unauthorized" | "no" {
  if (status === 401) return "unauthorized";
  return status >= 200 && status < 300 && mediaType === "text/event-stream" ? "ready" : "no";
}
