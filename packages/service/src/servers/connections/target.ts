/** @module Which saved server a request is about: the one that was named, the only one with its address, or a new one. */

import { ApiError, type ProjectId, type ServerId } from "@fettle/contract/core";
import { maskUrl } from "@fettle/contract/secrets";
import type { ConnectionCandidate } from "@fettle/contract/servers";
import { canonicalResource } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { findServer, listServers } from "../saved/store.ts";
import { wholeAddress } from "../saved/unmasked-address.ts";

export type Target =
  | { kind: "new" }
  | { kind: "known"; id: ServerId }
  | { kind: "ambiguous"; candidates: ConnectionCandidate[] };

export async function findTarget(
  app: App,
  db: Querier,
  projectId: ProjectId,
  url: string,
  namedId: ServerId | undefined,
): Promise<Target> {
  const wanted = canonicalResource(url);
  const rows = (await listServers(db, projectId)).flatMap((row) => {
    const address = row.transportType === "http" ? openEndpoint(app.vault, row).url : undefined;
    return address !== undefined && canonicalResource(address) === wanted
      ? [{ id: row.id, name: row.name, url: maskUrl(address) }]
      : [];
  });
  const [first, ...others] = namedId === undefined ? rows : rows.filter(({ id }) => id === namedId);
  if (!first) return { kind: "new" };
  return others.length === 0 ? { kind: "known", id: first.id } : { kind: "ambiguous", candidates: rows };
}

/** The same for somebody who can still be told: an unclear or impossible choice is refused. */
export async function requireTarget(
  app: App,
  projectId: ProjectId,
  url: string,
  namedId: ServerId | undefined,
): Promise<ServerId | null> {
  if (namedId !== undefined) await requireNamed(app, projectId, url, namedId);
  const target = await findTarget(app, app.db, projectId, url, namedId);
  if (target.kind === "ambiguous") {
    throw new ApiError("CONFLICT", "Several saved servers have this address. Say which, as `serverId`.", {
      code: "AMBIGUOUS_SERVER",
      candidates: target.candidates,
    });
  }
  return target.kind === "known" ? target.id : null;
}

/** An address sent as answers show it, with its values masked, is that of the named server or nobody's. */
export async function addressOf(
  app: App,
  projectId: ProjectId | undefined,
  namedId: ServerId | undefined,
  sent: string,
): Promise<string> {
  const row =
    projectId === undefined || namedId === undefined
      ? undefined
      : await findServer(app.db, projectId, namedId);
  return wholeAddress(sent, row && openEndpoint(app.vault, row).url, {
    hint: "Name the saved server as `serverId`, or send the address with every value.",
  });
}

async function requireNamed(app: App, projectId: ProjectId, url: string, id: ServerId): Promise<void> {
  const row = await findServer(app.db, projectId, id);
  if (!row) throw notFound("server", { serverId: id });
  const address = openEndpoint(app.vault, row).url;
  if (row.transportType !== "http" || address === undefined) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "This server runs a command; there is nothing to consent to.",
      {
        code: "UNSUPPORTED_AUTH_METHOD",
      },
    );
  }
  if (canonicalResource(address) !== canonicalResource(url)) {
    throw new ApiError("VALIDATION_ERROR", "The saved server has another address.", {
      path: "body.serverId",
      code: "SERVER_URL_MISMATCH",
    });
  }
}
