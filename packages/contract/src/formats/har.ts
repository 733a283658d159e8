/** @module HTTP exchanges as HAR 1.2, for any viewer of it. Whoever hands them over has hidden the secrets. */

/** One request over HTTP and what came back, as recordings keep it. */
export interface HttpExchange {
  at: number;
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody?: string;
  status?: number;
  statusText?: string;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  responseBytes: number;
  /** Milliseconds from the start to the status line and to the end. */
  headMs?: number;
  endMs?: number;
  error?: { code: string; message: string };
}

export function harOf(exchanges: readonly HttpExchange[]): Record<string, unknown> {
  return {
    log: {
      version: "1.2",
      creator: { name: "fettle", version: "0.1.0" },
      entries: exchanges.map(harEntry),
    },
  };
}

function harEntry(entry: HttpExchange): Record<string, unknown> {
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
      queryString: [...(URL.parse(entry.url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
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
