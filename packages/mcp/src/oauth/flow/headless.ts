/** @module Consent without a person: follows the authorization server's redirects, with its cookies, up to our own address, which is never visited. */
import { McpError } from "../../failure.ts";
import type { AddressZone } from "../../guard/addresses.ts";
import type { HttpClient } from "../../guard/client.ts";
import { checkOauthUrl } from "../../guard/policy.ts";
import { excerptOf } from "../../messages/jsonrpc.ts";

const maxRedirects = 10;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export interface HeadlessWalk {
  http: HttpClient;
  /** The authorization request. */
  url: string;
  redirectUri: string;
  signal?: AbortSignal | undefined;
  suppliedFrom?: AddressZone | undefined;
}

/** The address we were sent back to, or an error that says where the walk ended. */
export async function walkToRedirect(walk: HeadlessWalk): Promise<URL> {
  const cookies = new Map<string, Map<string, string>>();
  let url = checkOauthUrl(walk.url);
  let zone = walk.suppliedFrom;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const own = cookies.get(url.origin) ?? new Map<string, string>();
    cookies.set(url.origin, own);
    const response = await walk.http.request({
      method: "GET",
      url,
      headers: {
        accept: "text/html",
        ...(own.size > 0 && { cookie: [...own].map(([name, value]) => `${name}=${value}`).join("; ") }),
      },
      redirect: "manual",
      maxBodyBytes: 1024 * 1024,
      signal: walk.signal,
      suppliedFrom: zone,
    });
    for (const [name, value] of cookiesOf(response.rawHeaders)) own.set(name, value);
    const text = await response.text();
    const { location } = response.headers;
    if (!redirectStatuses.has(response.status) || location === undefined) {
      throw stopped(url, response.status, text);
    }
    const next = URL.parse(location, url.href);
    if (!next) throw new McpError("OAUTH", `${url.origin} redirects to what is no address.`);
    if (isRedirectUri(next, walk.redirectUri)) return next;
    zone = response.zone;
    url = checkOauthUrl(next.href);
  }
  throw new McpError("OAUTH", `The authorization server redirects more than ${maxRedirects} times.`);
}

/** The same address but for its query. */
export function isRedirectUri(url: URL, redirectUri: string): boolean {
  const own = new URL(redirectUri);
  return url.origin === own.origin && url.pathname === own.pathname;
}

function cookiesOf(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, at): [string, string][] => {
    if (at % 2 !== 0 || name.toLowerCase() !== "set-cookie") return [];
    const [pair = ""] = (rawHeaders[at + 1] ?? "").split(";");
    const equals = pair.indexOf("=");
    return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
  });
}

function stopped(url: URL, status: number, text: string): McpError {
  const details = { status, url: `${url.origin}${url.pathname}`, excerpt: excerptOf(text) };
  if (status >= 200 && status < 300) {
    return new McpError(
      "OAUTH",
      "The authorization server shows a page: it wants a person to sign in or consent.",
      {
        hint: "Use --auth-mode interactive, or a test account that consents by itself.",
        details,
      },
    );
  }
  return new McpError("OAUTH", `The authorization server answers ${status} instead of a redirect.`, {
    details,
  });
}
