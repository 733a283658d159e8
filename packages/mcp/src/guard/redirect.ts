/** @module Which redirects are followed, and what may travel along. */
import { isIP } from "node:net";
import { McpError } from "../failure.ts";
import { type AddressZone, zoneOfAddress } from "./addresses.ts";
import type { HttpRequest, HttpResponse } from "./client.ts";
import { bareHost, checkUrl, isLoopbackHost } from "./policy.ts";

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** What another origin may see. Everything else (authorization, cookies, session ids, custom headers) stays behind. */
const crossOriginHeaders = new Set([
  "accept",
  "accept-language",
  "content-type",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "user-agent",
]);

/** The request to make next, or undefined when the answer is final. Throws REDIRECT on a hop that is not taken. */
export function nextHop(
  request: HttpRequest,
  response: HttpResponse,
  redirects: readonly string[],
): HttpRequest | undefined {
  const location = response.headers.location;
  if (!redirectStatuses.has(response.status) || location === undefined) return undefined;
  const from = new URL(response.url);
  const to = URL.parse(location, response.url);
  const refuse = (reason: string, hint?: string) =>
    new McpError("REDIRECT", `${response.url} redirects to ${to?.href ?? location}: ${reason}.`, {
      ...(hint !== undefined && { hint }),
      details: { status: response.status, url: response.url, location: to?.href ?? location },
    });
  if (!to) throw refuse("that is not a URL");
  checkUrl(to);
  if (redirects.length >= maxRedirects) throw refuse(`more than ${maxRedirects} redirects`);
  const method = request.method.toUpperCase();
  const keepsMethod = response.status === 307 || response.status === 308;
  if (method !== "GET" && method !== "HEAD" && !keepsMethod) {
    // Nobody is sent to an address that a server chose inside a network.
    const isOpen = to.origin === from.origin || zoneOfHost(to) === "public";
    const hint = isOpen ? `Use ${to.href} as the server's URL.` : "Let the server answer where it is asked.";
    throw refuse(`a ${method} cannot follow a ${response.status}`, hint);
  }
  if (from.protocol === "https:" && to.protocol === "http:" && !isLoopbackHost(to.hostname)) {
    throw refuse("it leaves https for plain http");
  }
  const headers =
    from.origin === to.origin
      ? request.headers
      : Object.fromEntries(
          Object.entries(request.headers ?? {}).filter(([name]) =>
            crossOriginHeaders.has(name.toLowerCase()),
          ),
        );
  return { ...request, url: to, suppliedFrom: response.zone, ...(headers && { headers }) };
}

/** Of an address that is written out; a name is looked up by whoever goes there. */
function zoneOfHost({ hostname }: URL): AddressZone {
  if (isLoopbackHost(hostname)) return "loopback";
  const host = bareHost(hostname);
  return isIP(host) === 0 ? "public" : zoneOfAddress(host);
}
