/**
 * @module Signing in to a saved server in front of a person: the flow of `mcp`, put down between their clicks. The same walk
 * ends the same way as a connection request: the credential is kept once the server has taken its token.
 */
import { ApiError, limits, type ProjectId, type ServerId, type UserId } from "@fettle/contract/core";
import { type ServerSignIn, type ServerSignInWalk, watchedLimits } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { findProject } from "../../http/caller/access.ts";
import { hashToken } from "../../people/accounts/tokens.ts";
import { callbackPath } from "../connections/callback-page.ts";
import { documentUrl } from "../connections/oauth-client.ts";
import { writeCredential } from "../live/credentials.ts";
import { dialOwnTunnel } from "../relay/own-tunnel.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { pinClientSecret, updateServer } from "../saved/servers.ts";
import { findServer, type ServerRow } from "../saved/store.ts";
import { openWalk, type SealedWalk, sealWalk } from "./sealed-walk.ts";
import { toShownWalk } from "./shown-walk.ts";
import * as store from "./store.ts";
import { type Walked, walkFlow } from "./walk.ts";

const { lifetimeMs } = limits.connections;

export async function readSignIn(
  app: App,
  server: ServerRow,
  userId: UserId,
): Promise<{ signIn: ServerSignIn | null }> {
  const row = await store.findSignIn(app.db, { serverId: server.id, userId });
  return { signIn: row ? toSignIn(app, row) : null };
}

function toSignIn(app: App, row: store.SignInRow): ServerSignIn | null {
  const { shown } = openWalk(app.vault, row);
  if (!shown) return null;
  const isOver = shown.state === "signed_in" || row.expiresAt.getTime() > app.now();
  return {
    ...shown,
    ...(!isOver && { state: "expired", authorizationUrl: null }),
    revision: row.revision,
    at: row.updatedAt.getTime(),
  };
}

export async function walkSignIn(
  app: App,
  { server, userId, origin }: { server: ServerRow; userId: UserId; origin: string },
  { revision, run }: ServerSignInWalk,
): Promise<{ signIn: ServerSignIn | null }> {
  const url = addressOf(app, server);
  const key = { serverId: server.id, userId };
  const row =
    revision === null
      ? await store.beginSignIn(
          app.db,
          freshRow(app, key, { url, redirectUri: origin + callbackPath, run }),
          new Date(app.now()),
        )
      : await store.claimSignIn(app.db, key, revision, claim(app));
  if (!row) throw wentAnotherWay();
  await goOn(app, row, server, { ...openWalk(app.vault, row), run });
  return readSignIn(app, server, userId);
}

/** What the authorization server sent the browser back with; undefined when no watched sign-in was waiting for it. */
export async function finishSignIn(
  app: App,
  userId: UserId,
  answer: { state: string; [parameter: string]: string | undefined },
): Promise<{ projectId: ProjectId; serverId: ServerId } | undefined> {
  const row = await store.claimByState(app.db, { userId, stateHash: hashToken(answer.state) }, claim(app));
  const projectId = row && (await store.projectOf(app.db, row.serverId));
  if (!row || !projectId) return undefined;
  // An hour is long enough to lose a project.
  await findProject(app.pool, { userId, boundTo: null }, projectId);
  const server = await findServer(app.db, projectId, row.serverId);
  if (!server) return undefined;
  const walk = openWalk(app.vault, row);
  const back = new URL(walk.redirectUri);
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) back.searchParams.set(name, value);
  await goOn(app, row, server, walk, back);
  return { projectId, serverId: server.id };
}

async function goOn(
  app: App,
  row: store.SignInRow,
  server: ServerRow,
  walk: SealedWalk,
  back?: URL,
): Promise<void> {
  const { flow, claimsClientSecret } = await walkOn(app, row, server, walk, back).catch(async (error) => {
    const { sealed, stateHash, updatedAt } = row;
    await store.settleSignIn(app.db, row, { sealed, stateHash, updatedAt });
    throw error;
  });
  const shown = await toShownWalk(flow, { serverUrl: walk.url, claimsClientSecret });
  const state =
    flow.paused?.authorizationUrl && new URL(flow.paused.authorizationUrl).searchParams.get("state");
  const { memory: _spent, ...rest } = walk;
  const sealed = sealWalk(app.vault, row, {
    ...rest,
    ...(!flow.run.completed && { memory: flow.memory }),
    shown,
  });
  await app.db.transaction(async (tx) => {
    const change = { sealed, stateHash: state ? hashToken(state) : null, updatedAt: new Date(app.now()) };
    if (!(await store.settleSignIn(tx, row, change)) || !flow.run.completed) return;
    const { guardian, client, tokens } = flow.gains;
    if (!guardian || !client || !tokens) return;
    const { issuer, resource } = guardian;
    const credential = { issuer, resource, client, grant: "refresh_token" as const, tokens };
    await writeCredential(
      app,
      tx,
      { serverId: server.id, userId: row.userId, serverUrl: walk.url },
      credential,
    );
    if (!server.settings.useOAuth && server.pluginVersionId === null) {
      await updateServer(app, tx, server, row.userId, { useOAuth: true });
    }
  });
}

async function walkOn(
  app: App,
  { userId }: store.SignInRow,
  server: ServerRow,
  walk: SealedWalk,
  back: URL | undefined,
): Promise<Walked> {
  const dial = await dialOwnTunnel(app, server.id, walk.url);
  return walkFlow(
    {
      endpoint: openEndpoint(app.vault, server),
      settings: server.settings,
      clientMetadataUrl: documentUrl(app.config),
      policy: { ...networkPolicy(app), ...(dial && { dial }) },
      pin: (issuer) => pinClientSecret(app, server, { issuer, userId }),
      now: app.now,
    },
    walk,
    back,
  );
}

function addressOf(app: App, server: ServerRow): string {
  const { url } = openEndpoint(app.vault, server);
  if (server.transportType === "http" && url !== undefined) return url;
  throw new ApiError("FEATURE_NOT_SUPPORTED", "This server runs a command; there is nothing to consent to.", {
    code: "UNSUPPORTED_AUTH_METHOD",
  });
}

function freshRow(app: App, key: store.SignInKey, walk: SealedWalk) {
  const now = app.now();
  return {
    ...key,
    sealed: sealWalk(app.vault, key, walk),
    ...claim(app),
    updatedAt: new Date(now),
    expiresAt: new Date(now + lifetimeMs),
  };
}

/** Longer than a walk may take, so that nobody else begins beside one that is under way. */
function claim(app: App): { now: Date; busyUntil: Date } {
  const now = app.now();
  return { now: new Date(now), busyUntil: new Date(now + watchedLimits.walkMs * 2) };
}

function wentAnotherWay(): ApiError {
  return new ApiError("CONFLICT", "This sign-in has gone on elsewhere, or its hour is over.", {
    code: "SIGN_IN_MOVED",
    hint: "Look at it again, or begin anew.",
  });
}
