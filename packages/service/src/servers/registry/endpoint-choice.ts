/** @module Which address is installed: what the entry leaves open, the caller says, and only what the entry allows. Pure. */
import { ApiError } from "@fettle/contract/core";
import type { Endpoint } from "./endpoints.ts";

/** Nothing the entry does not name is reached; the guard has its say when somebody connects. */
export function chooseEndpoint(endpoint: Endpoint, asked: string | undefined): string {
  const { endpointKind, remoteUrl } = endpoint;
  if (endpointKind === "fixed" && remoteUrl !== undefined) {
    if (asked === undefined || asked === remoteUrl) return remoteUrl;
    throw refused("endpoint_url_not_configurable", "This server has one address, which cannot be chosen.");
  }
  if (asked === undefined) {
    throw refused("endpoint_url_required", "Say which address, as `endpointUrl`.", choicesOf(endpoint));
  }
  const url = URL.parse(asked);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.username !== "" || url.password !== "") {
    throw refused("endpoint_url_invalid", "This is not an http or https address.");
  }
  if (isAllowed(endpoint, asked, url)) return asked;
  throw refused("endpoint_url_not_allowed", "The entry does not allow this address.", choicesOf(endpoint));
}

function isAllowed({ remoteUrlOptions, remoteUrlRegex }: Endpoint, asked: string, { href }: URL): boolean {
  if (remoteUrlOptions) return remoteUrlOptions.includes(asked);
  if (remoteUrlRegex === undefined) return false;
  // Ours: made of the entry's literal parts and a few short variables, so that it fits or fails soon.
  const pattern = new RegExp(remoteUrlRegex);
  // As written, and as it is reached: `..` in the place of a variable would lead elsewhere.
  return pattern.test(asked) && (pattern.test(href) || pattern.test(href.replace(/\/$/, "")));
}

function choicesOf({ remoteUrlOptions, remoteUrlRegex, remoteUrlHint }: Endpoint): Record<string, unknown> {
  return remoteUrlOptions ? { remoteUrlOptions } : { remoteUrlRegex, remoteUrlHint };
}

function refused(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: "body.endpointUrl", code, ...details });
}
