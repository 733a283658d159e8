/** @module A saved server as it is taken in and shown; where it is kept does not matter here. */
import { ApiError } from "@fettle/contract/core";
import { maskUrl } from "@fettle/contract/secrets";
import type { ProjectServer } from "@fettle/contract/servers";
import type { WithId } from "../../core/id.ts";
import type { ServerProvenance, ServerSettings } from "../../core/tables/servers.ts";
import type { Vault } from "../../core/vault/vault.ts";
import { openEndpoint, type ServerEndpoint } from "./endpoint.ts";
import type { ServerRow } from "./store.ts";

export type ShownRow = Omit<ServerRow, "createdBy" | "pluginVersionId" | "deletedAt">;

/** Which fields of a request are sealed; the rest may be shown. */
const sealedFields = ["url", "headers", "command", "args", "env", "clientSecret"] as const;
export const xaaFields = [
  "useXaa",
  "xaaAuthzIssuer",
  "xaaAllowPathScopedIssuer",
  "xaaSubject",
  "xaaEmail",
  "xaaIdentityAssertionFormat",
  "xaaClientAuth",
] as const;

export function toServer(vault: Vault, row: ShownRow): WithId<"server", ProjectServer> {
  const endpoint = openEndpoint(vault, row);
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    enabled: row.enabled,
    transportType: row.transportType,
    url: endpoint.url ? maskUrl(endpoint.url) : null,
    useOAuth: row.settings.useOAuth ?? false,
    hasClientSecret: endpoint.clientSecret !== undefined,
    headerNames: Object.keys(endpoint.headers ?? {}),
    oauthScopes: row.settings.oauthScopes ?? [],
    ...(row.settings.sandboxImageId && { sandboxImageId: row.settings.sandboxImageId }),
    ...(row.provenance && { provenance: shownProvenance(row.provenance) }),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

function shownProvenance({ kind, from, source, name, version, contentHash, connectedAt }: ServerProvenance) {
  return { kind, from, source, name, version, contentHash, connectedAt };
}

export function split(fields: ServerEndpoint & ServerSettings): {
  endpoint: ServerEndpoint;
  settings: ServerSettings;
} {
  const isSealed = (key: string) => sealedFields.some((field) => field === key);
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    endpoint: Object.fromEntries(entries.filter(([key]) => isSealed(key))),
    settings: Object.fromEntries(entries.filter(([key]) => !isSealed(key))),
  };
}

export function requireTarget(transportType: "stdio" | "http", endpoint: ServerEndpoint): void {
  const field = transportType === "http" ? "url" : "command";
  if (endpoint[field]) return;
  throw new ApiError("VALIDATION_ERROR", `A server over ${transportType} needs its ${field}.`, {
    path: `body.${field}`,
  });
}

export const issuerChanged = (pinned: string, now: string) =>
  new ApiError(
    "CONFLICT",
    "The server names another authorization server than the one its client secret was used with. Nothing was sent.",
    {
      code: "ISSUER_CHANGED",
      pinned,
      now,
      hint: "If the change is right, enter the client secret anew; if not, the server or its metadata was tampered with.",
    },
  );

export const nameTaken = (name: string) =>
  new ApiError("CONFLICT", `The project already has a server called ${JSON.stringify(name)}.`, {
    code: "NAME_TAKEN",
    name,
  });

/** Several people may change it. */
export const sharedServer = { what: "The server", code: "SERVER_CHANGED" };
