/** @module Where OAuth metadata may be found, in the order each protocol version asks for. */

/** Protected-resource metadata: the challenge's pointer alone when there is one, else the path's document, then the root's. */
export function resourceMetadataUrls(serverUrl: string, pointer?: string): string[] {
  if (pointer !== undefined) return [pointer];
  const url = new URL(serverUrl);
  const root = `${url.origin}/.well-known/oauth-protected-resource`;
  const path = url.pathname === "/" ? "" : url.pathname.replace(/\/$/, "");
  return path === "" && url.search === "" ? [root] : [`${root}${path}${url.search}`, root];
}

/** Authorization-server metadata of an issuer. From 2025-11-25 on OpenID documents count too, and the root no longer does. */
export function serverMetadataUrls(issuer: string, protocolVersion: string): string[] {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");
  const oauth = `${url.origin}/.well-known/oauth-authorization-server`;
  const openid = `${url.origin}/.well-known/openid-configuration`;
  if (protocolVersion < "2025-11-25") return path === "" ? [oauth] : [`${oauth}${path}`, oauth];
  if (path === "") return [oauth, openid];
  return [`${oauth}${path}`, `${openid}${path}`, `${url.origin}${path}/.well-known/openid-configuration`];
}

export interface ResourceCheck {
  /** `invalid`: not a usable resource URL. `incompatible`: another origin. */
  state: "valid" | "invalid" | "incompatible";
  /** Same origin, and the advertised path leads to the server's. */
  strictBinding: boolean;
  /** https and strictly bound, as RFC 9728 wants. */
  rfc9728: boolean;
}

/** Whether the advertised resource identifies this server. */
export function checkResource(advertised: string, serverUrl: string): ResourceCheck {
  const refused = (state: "invalid" | "incompatible"): ResourceCheck => ({
    state,
    strictBinding: false,
    rfc9728: false,
  });
  const resource = URL.parse(advertised);
  if (!resource || advertised.includes("#") || !/^https?:$/.test(resource.protocol))
    return refused("invalid");
  const server = new URL(serverUrl);
  if (resource.origin !== server.origin) return refused("incompatible");
  const base = resource.pathname.replace(/\/$/, "");
  const strictBinding = server.pathname === base || `${server.pathname}/`.startsWith(`${base}/`);
  return { state: "valid", strictBinding, rfc9728: strictBinding && resource.protocol === "https:" };
}

/** The server's URL as a resource indicator when none is advertised: lower-case origin, no fragment, no trailing slash. */
export function canonicalResource(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = "";
  const path = url.pathname.replace(/\/$/, "");
  return `${url.origin}${path}${url.search}`;
}

/** What 2025-03-26 falls back to when a server's origin publishes no metadata. */
export function defaultEndpoints(origin: string): Record<string, unknown> {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
  };
}
