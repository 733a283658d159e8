/** @module The HTTP of the traffic as HAR 1.2, for any viewer of it. Secrets were hidden before they came here. */
import type { TrafficEntry, WireHttp } from "../../api/traffic.ts";

export function harOf(entries: readonly TrafficEntry[]): object {
  return {
    log: {
      version: "1.2",
      creator: { name: "fettle", version: "1" },
      entries: entries.flatMap((entry) => (entry.kind === "http" ? [exchange(entry)] : [])),
    },
  };
}

function exchange(entry: WireHttp): object {
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
      headers: headers(entry.requestHeaders),
      queryString: [],
      headersSize: -1,
      bodySize: entry.requestBody?.length ?? 0,
      ...(entry.requestBody !== undefined && {
        postData: { mimeType: entry.requestHeaders["content-type"] ?? "", text: entry.requestBody },
      }),
    },
    response: {
      status: entry.status ?? 0,
      statusText: entry.statusText ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headers(entry.responseHeaders ?? {}),
      content: {
        size: entry.responseBytes,
        mimeType: entry.responseHeaders?.["content-type"] ?? "",
        ...(entry.responseBody !== undefined && { text: entry.responseBody }),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: entry.responseBytes,
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, total - wait) },
    ...(entry.error && { comment: `${entry.error.code}: ${entry.error.message}` }),
  };
}

function headers(all: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(all).map(([name, value]) => ({ name, value }));
}

/** Hands a file to the person. */
export function download(name: string, content: unknown): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: "application/json" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, "-");
  link.click();
  URL.revokeObjectURL(url);
}
