/** @module The `fetch` that provider packages are given: our guarded client underneath, so that a model's address is held to the same caps as any other. */
import { ReadableStream } from "node:stream/web";
import type { HttpClient, HttpTimeouts } from "@fettle/mcp";

export type ProviderFetch = (address: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A model may think for a minute or two before it says a word; what ends it sooner is the caller's signal. */
export const modelTimeouts: HttpTimeouts = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 90_000,
  totalMs: 900_000,
};

export function providerFetch(client: HttpClient, timeouts: Partial<HttpTimeouts> = {}): ProviderFetch {
  return async (address, init = {}) => {
    const answer = await client.request({
      method: init.method ?? "GET",
      url: address instanceof Request ? address.url : address,
      headers: plainHeaders(init.headers),
      ...(typeof init.body === "string" && { body: init.body }),
      signal: init.signal ?? undefined,
      timeouts: { ...modelTimeouts, ...timeouts },
      // A key must not follow a redirect to somebody else.
      redirect: "manual",
    });
    const { status, statusText, headers } = answer;
    const isStream = headers["content-type"]?.includes("text/event-stream") === true;
    const hasNoBody = status === 204 || status === 304;
    const body = hasNoBody ? null : isStream ? ReadableStream.from(answer.body) : await answer.text();
    // What was asked to come as it is carries no encoding, and lengths are the connection's business.
    const { "content-encoding": _encoding, "content-length": _length, ...kept } = headers;
    // Where a browser's types are loaded as well, theirs and Node's name one and the same stream.
    const given = body as ConstructorParameters<typeof Response>[0];
    return new Response(given, { status: Math.max(200, status), statusText, headers: kept });
  };
}

function plainHeaders(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined) return {};
  if (headers instanceof Headers || Array.isArray(headers)) {
    return Object.fromEntries(headers as Iterable<[string, string]>);
  }
  return { ...(headers as Record<string, string>) };
}
