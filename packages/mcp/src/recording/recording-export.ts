/** @module A recording in the forms people ask for: RPC logs, and HAR for any HTTP viewer. */
import type { HttpEntry, Recording } from "./recording.ts";

export interface RpcLog {
  serverId: string;
  serverName: string;
  direction: "send" | "receive";
  /** ISO 8601. */
  timestamp: string;
  message: unknown;
}

/** The messages alone, as `--rpc` prints them. */
export function toRpcLogs(recording: Recording, server: { serverId: string; serverName: string }): RpcLog[] {
  return recording.entries.flatMap((entry) =>
    entry.kind === "message"
      ? [
          {
            serverId: server.serverId,
            serverName: server.serverName,
            direction: entry.direction,
            timestamp: new Date(entry.at).toISOString(),
            message: entry.message,
          },
        ]
      : [],
  );
}

/** The HTTP exchanges as HAR 1.2. */
export function toHar(recording: Recording): Record<string, unknown> {
  return {
    log: {
      version: "1.2",
      creator: { name: "fettle", version: "0.1.0" },
      entries: recording.entries.flatMap((entry) => (entry.kind === "http" ? [harEntry(entry)] : [])),
    },
  };
}

function harEntry(entry: HttpEntry): Record<string, unknown> {
  const total = entry.endMs ?? entry.headMs ?? 0;
  const wait = entry.headMs ?? total;
  return {
    startedDateTime: new Date(entry.at).toISOString(),
    time: total,
    request: {
      method: entry.method,
      url: entry.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: harHeaders(entry.requestHeaders),
      queryString: [...new URL(entry.url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: entry.requestBody?.length ?? 0,
      ...(entry.requestBody !== undefined && {
        postData: { mimeType: entry.requestHeaders["content-type"] ?? "", text: entry.requestBody },
      }),
    },
    response: {
      status: entry.status ?? 0,
      statusText: entry.statusText ?? entry.error?.message ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: harHeaders(entry.responseHeaders ?? {}),
      content: {
        size: entry.responseBytes,
        mimeType: entry.responseHeaders?.["content-type"] ?? "",
        ...(entry.responseBody !== undefined && { text: entry.responseBody }),
      },
      redirectURL: entry.responseHeaders?.location ?? "",
      headersSize: -1,
      bodySize: entry.responseBytes,
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, total - wait) },
    ...(entry.error && { comment: `${entry.error.code}: ${entry.error.message}` }),
  };
}

function harHeaders(headers: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
