/** @module The one address of ours that an authorization server sends a browser to: who is heard there, and what the browser is told. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** What the waiting browser gets: another page of ours, or a few words. */
export type CallbackEnding =
  | { kind: "page"; address: string }
  | { kind: "text"; status: 200 | 400; text: string };

export interface CallbackOptions {
  /** As the authorization server was told it, with its port: only under this name and path is anything heard. */
  redirectUri: URL;
  /** Nothing for an answer that nobody waits for; else how it ended, once that is known. */
  take(query: URLSearchParams): Promise<CallbackEnding> | undefined;
}

/** Serves nothing but the answers that somebody waits for: no other path, no other method, no other name of this machine. */
export function answerCallbacks({ redirectUri, take }: CallbackOptions): RequestListener {
  return (request, response) => {
    // A name that leads here from outside (DNS rebinding) is still sent as `Host`.
    if (request.headers.host !== redirectUri.host) {
      say(response, 421, "Nobody is called by that name here.");
      return;
    }
    const { pathname, searchParams } = URL.parse(request.url ?? "/", redirectUri.href) ?? {};
    if (request.method !== "GET" || pathname !== redirectUri.pathname || !searchParams) {
      say(response, 404, "There is nothing here.");
      return;
    }
    if (isPartOfPage(request)) {
      say(response, 403, "This is opened by a browser itself, or not at all.");
      return;
    }
    const taken = isRepeating(searchParams) ? undefined : take(searchParams);
    if (!taken) {
      say(response, 400, "This answer belongs to another login.");
      return;
    }
    taken.then(
      (ending) => tell(response, ending),
      () => say(response, 400, "Not signed in. Go back, and try once more."),
    );
  };
}

/** Compared without telling how much of it was right. */
export function isSameState(given: string | null | undefined, expected: string | null | undefined): boolean {
  if (!given || !expected) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A picture, a frame or a script of some page asks for it, instead of a person's browser going there. */
function isPartOfPage({ headers }: IncomingMessage): boolean {
  const purpose = headers["sec-fetch-dest"];
  return purpose !== undefined && purpose !== "document";
}

/** RFC 6749 3.1: no parameter comes twice, or two readers may each believe another one. */
function isRepeating(query: URLSearchParams): boolean {
  const names = [...query.keys()];
  return new Set(names).size !== names.length;
}

const headers = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  connection: "close",
};

function tell(response: ServerResponse, ending: CallbackEnding): void {
  if (ending.kind === "text") say(response, ending.status, ending.text);
  else response.writeHead(303, { ...headers, location: ending.address }).end();
}

/** Plain text, so that nothing in it can be markup. */
function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      ...headers,
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    })
    .end(`${text}\n`);
}
