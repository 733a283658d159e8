/**
 * @module What was entrusted to a saved server, and to which place. A secret goes on being sent only where it was meant
 * to go: whatever would take it elsewhere (another origin, another transport, another command, another image, somebody else's
 * machine behind a tunnel, another authorization server) leaves it behind. Pure.
 */
import type { UserId } from "@fettle/contract/core";
import type { DroppedCredential } from "@fettle/contract/servers";
import type { ServerSettings } from "../../core/tables/servers.ts";
import { parseTunnelAddress } from "../relay/address.ts";
import type { ServerEndpoint } from "./endpoint.ts";

/** A saved server as far as it says where its secrets go. */
export interface Entrusted {
  transportType: "stdio" | "http";
  endpoint: ServerEndpoint;
  settings: ServerSettings;
}

/**
 * The server after a change, without what the change would have carried to a new place; what is sent together with the
 * change was meant for that place, and stays. `by`: whoever changes it.
 */
export function afterChange(
  before: Entrusted,
  sent: { transportType: "stdio" | "http"; endpoint: ServerEndpoint; settings: ServerSettings },
  by: UserId,
): Entrusted & { dropped: DroppedCredential[]; hasMoved: boolean } {
  const { transportType } = sent;
  const endpoint = forTransport(transportType, { ...before.endpoint, ...sent.endpoint });
  const settings = { ...before.settings, ...sent.settings };
  if (tunnelOf(endpoint.url) !== tunnelOf(before.endpoint.url) && sent.endpoint.tunnelHeldBy === undefined) {
    delete endpoint.tunnelHeldBy;
  }
  const hasMoved =
    placeOf(transportType, endpoint) !== placeOf(before.transportType, before.endpoint) ||
    (transportType === "stdio" && hasOtherImage(before.settings, settings));
  if (hasMoved) {
    for (const field of ["headers", "env", "clientSecret"] as const) {
      if (sent.endpoint[field] === undefined) delete endpoint[field];
    }
    if (sent.settings.hasBearerToken === undefined) delete settings.hasBearerToken;
  }
  const namesAnotherIssuer = issuerSettings.some((field) => settings[field] !== before.settings[field]);
  // Until it is known whom the secret is for, every path of the origin may name another one: it stays with the whole address.
  const isUnclaimed = before.endpoint.clientSecretIssuer === undefined;
  const isLedAway =
    isUnclaimed && endpoint.url !== before.endpoint.url && before.endpoint.clientSecretBy !== by;
  if ((namesAnotherIssuer || isLedAway) && sent.endpoint.clientSecret === undefined)
    delete endpoint.clientSecret;
  const dropped = (["headers", "clientSecret", "env"] as const).filter(
    (field) =>
      isHeld(before.endpoint[field]) && !isHeld(endpoint[field]) && sent.endpoint[field] === undefined,
  );
  const isEntered = sent.endpoint.clientSecret !== undefined;
  const kept = isEntered || !isHeld(endpoint.clientSecret) ? asEntered(endpoint, settings, by) : endpoint;
  return { transportType, endpoint: kept, settings, dropped, hasMoved };
}

/** A client's secret as it is entered, or none: used nowhere yet, meant for the issuer that the settings name, if any. */
export function asEntered(
  { clientSecretIssuer: _used, clientSecretBy: _before, ...endpoint }: ServerEndpoint,
  { xaaAuthzIssuer }: ServerSettings,
  by: UserId,
): ServerEndpoint {
  if (endpoint.clientSecret === undefined) return endpoint;
  return {
    ...endpoint,
    clientSecretBy: by,
    ...(xaaAuthzIssuer !== undefined && { clientSecretIssuer: xaaAuthzIssuer }),
  };
}

/** Settings that say who is asked for tokens, and so who is sent the client's secret. */
const issuerSettings = ["xaaAuthzIssuer", "oauthResourceUrl"] as const;

/**
 * Where requests go, as far as it matters to a secret. All tunnels of this service share one origin, so a tunnel's
 * place is the tunnel and the person who holds its other end. A command is a place too: its environment goes to
 * whatever it and its arguments start.
 */
function placeOf(transportType: "stdio" | "http", endpoint: ServerEndpoint): string {
  const { url, command, args = [], tunnelHeldBy = null } = endpoint;
  if (transportType === "stdio") return JSON.stringify(["stdio", command, ...args]);
  return JSON.stringify(["http", URL.parse(url ?? "")?.origin, tunnelOf(url), tunnelHeldBy]);
}

/** What runs in an image reads the environment. Before one was chosen there is nothing to move from. */
function hasOtherImage(
  { sandboxImageId: before }: ServerSettings,
  { sandboxImageId: after }: ServerSettings,
) {
  return Boolean(before) && after !== before;
}

function tunnelOf(address: string | undefined): string | null {
  const url = URL.parse(address ?? "");
  return (url && parseTunnelAddress(url.pathname + url.search)?.slug) ?? null;
}

/** A server that changes its transport must not keep the other one's command or headers, secrets included. */
export function forTransport(transportType: "stdio" | "http", endpoint: ServerEndpoint): ServerEndpoint {
  const fields =
    transportType === "http"
      ? (["url", "headers", "clientSecret", "clientSecretIssuer", "clientSecretBy", "tunnelHeldBy"] as const)
      : (["command", "args", "env"] as const);
  return Object.fromEntries(
    fields.flatMap((field) => (endpoint[field] === undefined ? [] : [[field, endpoint[field]]])),
  );
}

function isHeld(value: string | Record<string, string> | undefined): boolean {
  return typeof value === "object" ? Object.keys(value).length > 0 : value !== undefined;
}
