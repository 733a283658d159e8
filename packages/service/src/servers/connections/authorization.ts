/** @module The owner's walk to the authorization server and back: a client, a challenge and a state on the way out; proof, then tokens, on the way in. */

import { ApiError, type UserId } from "@fettle/contract/core";
import type { ConnectionError } from "@fettle/contract/servers";
import {
  asMcpError,
  checkAnswerIssuer,
  createAuthorizationRequest,
  createHttpClient,
  exchangeCode,
  isMcpError,
  type StoredCredential,
} from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { missing } from "../../core/routing/not-found.ts";
import { hashToken } from "../../people/accounts/tokens.ts";
import { advance, fail } from "./advance.ts";
import { callbackPath } from "./callback-page.ts";
import { connectionError } from "./failures.ts";
import { becomeClient } from "./oauth-client.ts";
import { savedServer } from "./reach.ts";
import { moved, wrongState } from "./requests.ts";
import { openPart, type SealedPart, sealPart } from "./sealed.ts";
import { type RequestRow, takeState } from "./store.ts";
import { transitions } from "./transitions.ts";
import { startValidation } from "./validation.ts";

export async function startAuthorization(
  app: App,
  row: RequestRow,
  origin: string,
): Promise<{ url: string }> {
  const { plan } = row;
  const mayBegin = transitions.openConsent.from.some((status) => status === row.status);
  if (!plan || !mayBegin) throw wrongState(row.status);
  const redirectUri = origin + callbackPath;
  const http = createHttpClient({ policy: networkPolicy(app) });
  try {
    const before = openPart(app.vault, row);
    // Whoever goes once more goes as the same client: the authorization server may know it by now.
    const known = before.pending?.redirectUri === redirectUri ? before.pending.client : undefined;
    const { userId } = row;
    const client =
      known ?? (await becomeClient(app, plan, await savedServer(app, row), { http, redirectUri, userId }));
    const { url, state, codeVerifier } = createAuthorizationRequest({
      server: plan.server,
      clientId: client.clientId,
      redirectUri,
      resource: plan.resource,
      scope: plan.scope,
    });
    const part = { ...before, pending: { codeVerifier, redirectUri, client } };
    await moved(app, row, (tx) =>
      advance(app, tx, row.id, "openConsent", {
        stateHash: hashToken(state),
        sealed: sealPart(app.vault, row.id, part),
        error: null,
      }),
    );
    return { url };
  } catch (error) {
    if (!isMcpError(error)) throw error;
    throw new ApiError("SERVER_UNREACHABLE", "The authorization server could not be asked.", {
      reason: error.details.oauthError ?? error.code,
      hint: error.hint ?? error.message,
    });
  } finally {
    http.close();
  }
}

export interface Answer {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** The state works once, and only for the account that set out: nobody can be made to finish another's walk. */
export async function finishAuthorization(
  app: App,
  userId: UserId,
  answer: Answer,
): Promise<{ connectionRequestId: string }> {
  const row = await takeState(app.db, { userId }, hashToken(answer.state), new Date(app.now()));
  if (!row?.plan) {
    throw missing(
      "This answer belongs to no consent that was begun with this account.",
      "Start the connection again.",
      {
        code: "REQUEST_NOT_FOUND",
      },
    );
  }
  const part = openPart(app.vault, row);
  const outcome = await trade(app, row, part, answer);
  if (outcome.kind === "interrupted") {
    // The request still waits: the page says why, and offers to go once more.
    const error = connectionError("AUTHENTICATION_FAILED", "The authorization server did not answer.", true);
    await app.db.transaction((tx) => advance(app, tx, row.id, "interruptConsent", { error }));
    throw new ApiError("SERVER_UNREACHABLE", `${error.message} Try once more.`, {
      connectionRequestId: row.id,
    });
  }
  await app.db.transaction(async (tx) => {
    if (outcome.kind === "refused") return fail(app, tx, row.id, outcome.error);
    const sealed = sealPart(app.vault, row.id, { url: part.url, credential: outcome.credential });
    return startValidation(app, tx, row, "validate", { sealed, error: null });
  });
  return { connectionRequestId: row.id };
}

type Traded =
  | { kind: "granted"; credential: StoredCredential }
  | { kind: "refused"; error: ConnectionError }
  | { kind: "interrupted" };

async function trade(app: App, row: RequestRow, part: SealedPart, answer: Answer): Promise<Traded> {
  const { plan } = row;
  const { pending } = part;
  if (!plan || !pending) return refused("The consent was not begun here.");
  const http = createHttpClient({ policy: networkPolicy(app) });
  try {
    // Before anything else of the answer is looked at, an error included: it may be from somebody else.
    checkAnswerIssuer(plan.server, plan.issuer, answer.iss);
    if (answer.error === "access_denied") return refused("Consent was denied.");
    if (answer.error !== undefined || answer.code === undefined) return refused(refusalWords(answer), true);
    const { client } = pending;
    const tokens = await exchangeCode({
      http,
      server: plan.server,
      client,
      resource: plan.resource,
      suppliedFrom: plan.zone,
      code: answer.code,
      redirectUri: pending.redirectUri,
      codeVerifier: pending.codeVerifier,
      now: app.now,
    });
    return {
      kind: "granted",
      credential: {
        issuer: plan.issuer,
        resource: plan.resource,
        client,
        grant: "refresh_token",
        tokens,
      },
    };
  } catch (error) {
    if (!isMcpError(error)) throw error;
    const { code, message } = asMcpError(error);
    return code === "OAUTH" ? refused(message, true) : { kind: "interrupted" };
  } finally {
    http.close();
  }
}

/** The code is quoted only when it looks like one of OAuth's; the description is the server's own text, and is not. */
function refusalWords({ error = "" }: Answer): string {
  const code = /^[\w.-]{1,64}$/.test(error) ? ` (${error})` : "";
  return `The authorization server refused the request${code}.`;
}

function refused(message: string, retryable = false): Traded {
  return { kind: "refused", error: connectionError("AUTHENTICATION_FAILED", message, retryable) };
}
