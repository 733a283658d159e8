/** @module The first job of a request: is there an MCP server, and what does it ask for. */
import { idOf } from "@fettle/contract/core";
import {
  type AuthorizationDemand,
  authorizationFault,
  createHttpClient,
  findGuardian,
  type Guardian,
  isMcpError,
  McpError,
  scopeToAsk,
} from "@fettle/mcp";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import type { AuthorizationPlan } from "../../core/tables/server-connections.ts";
import { advance, fail } from "./advance.ts";
import { type ConnectionFailure, discoveryFailure, planFailure } from "./failures.ts";
import { chooseRegistration } from "./oauth-client.ts";
import { defaultOauthVersion, reach, savedServer } from "./reach.ts";
import { openPart } from "./sealed.ts";
import { findRequest, noteJob, type RequestRow } from "./store.ts";
import { startValidation } from "./validation.ts";

/** Somebody waits; a server that is down for longer is asked for again by starting again. */
const tries = 3;
const pauseMs = 1_000;

type Found =
  | { kind: "open" }
  | { kind: "guarded"; plan: AuthorizationPlan }
  | { kind: "failed"; failure: ConnectionFailure };

export const discoverJob = defineJob({
  name: "server-connections.discover",
  input: z.object({ requestId: idOf<"serverConnection">(), attempt: z.number().int() }),
  retry: { attempts: 8, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input, signal, finish }) => {
    const row = await findRequest(app.db, input.requestId);
    if (row?.status !== "discovering" || row.attempt !== input.attempt) return;
    const found = await lookAt(app, row, signal);
    await finish((tx) => settle(app, tx, row, found));
  },
});

export async function startDiscovery(
  app: App,
  tx: Transaction,
  row: Pick<RequestRow, "id" | "attempt">,
  startAfter = app.now(),
): Promise<void> {
  const input = { requestId: row.id, attempt: row.attempt };
  const job = await app.jobs.enqueue(discoverJob, input, {
    singletonKey: `${row.id}/${row.attempt}`,
    startAfter,
    inTransaction: tx,
  });
  await noteJob(tx, row.id, job.id);
}

async function lookAt(app: App, row: RequestRow, signal: AbortSignal): Promise<Found> {
  try {
    const connection = await reach(app, row, signal);
    await connection.close();
    return { kind: "open" };
  } catch (error) {
    signal.throwIfAborted();
    if (!isMcpError(error)) throw error;
    if (error.code !== "AUTH_REQUIRED" && error.code !== "OAUTH") {
      return { kind: "failed", failure: discoveryFailure(error) };
    }
    // A stored credential that is of no use any more leads to consent as well.
    return planConsent(app, row, error.details, signal);
  }
}

async function planConsent(
  app: App,
  row: RequestRow,
  demand: Pick<AuthorizationDemand, "challenge">,
  signal: AbortSignal,
): Promise<Found> {
  const server = await savedServer(app, row);
  const http = createHttpClient({ policy: networkPolicy(app) });
  try {
    const guardian = await findGuardian(http, demand, {
      serverUrl: openPart(app.vault, row).url,
      protocolVersion: server?.settings.oauthProtocolVersion ?? defaultOauthVersion,
      signal,
    });
    const fault =
      authorizationFault(guardian.metadata) ??
      chooseRegistration(app.config, guardian.metadata, server).fault;
    if (fault !== undefined)
      throw new McpError("OAUTH", `The authorization server cannot be used: ${fault}.`);
    const own = server?.settings.oauthScopes;
    return { kind: "guarded", plan: planOf(guardian, own?.length ? own.join(" ") : undefined) };
  } catch (error) {
    signal.throwIfAborted();
    if (!isMcpError(error)) throw error;
    return { kind: "failed", failure: planFailure(error) };
  } finally {
    http.close();
  }
}

/** The part of the metadata that the walk to the authorization server needs; the rest may be large. */
const used = [
  "issuer",
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "response_types_supported",
  "code_challenge_methods_supported",
  "token_endpoint_auth_methods_supported",
  "authorization_response_iss_parameter_supported",
  "client_id_metadata_document_supported",
] as const;

function planOf(guardian: Guardian, ownScope: string | undefined): AuthorizationPlan {
  const { issuer, resource, zone, metadata } = guardian;
  const scope = scopeToAsk(metadata, ownScope ?? guardian.scope);
  const server = Object.fromEntries(
    used.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]),
  );
  return { issuer, resource, ...(zone && { zone }), server, ...(scope !== undefined && { scope }) };
}

async function settle(app: App, tx: Transaction, row: RequestRow, found: Found): Promise<void> {
  if (found.kind === "failed") return settleFailure(app, tx, row, found.failure);
  const plan = found.kind === "guarded" ? found.plan : null;
  if (row.projectId === null) await advance(app, tx, row.id, "askForProject", { plan });
  else await goOn(app, tx, { ...row, plan });
}

/** Where a request whose project is known goes once it is known what its server asks for. */
export async function goOn(app: App, tx: Transaction, row: RequestRow): Promise<RequestRow | undefined> {
  const { plan, projectId, serverId } = row;
  if (plan) return advance(app, tx, row.id, "askForConsent", { plan, projectId, serverId });
  return startValidation(app, tx, row, "validate", { projectId, serverId });
}

async function settleFailure(app: App, tx: Transaction, row: RequestRow, failure: ConnectionFailure) {
  if (!failure.isTransient || row.attempt >= tries) {
    await fail(app, tx, row.id, failure.error);
    return;
  }
  const again = await advance(app, tx, row.id, "discoverAgain", { attempt: row.attempt + 1 });
  if (again) await startDiscovery(app, tx, again, app.now() + pauseMs * 2 ** (row.attempt - 1));
}
