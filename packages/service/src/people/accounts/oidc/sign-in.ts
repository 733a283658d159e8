/** @module Signing in at an OpenID provider: there with a challenge, back with proof, and then an account or a reason why not. */

import { ApiError, type OrganizationRole, type UserId } from "@fettle/contract/core";
import type { SignInRefusal } from "@fettle/contract/people";
import type { App } from "../../../core/app.ts";
import type { OidcConfig } from "../../../core/config/config.ts";
import type { Querier, Transaction } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { announce } from "../announce.ts";
import { joinAsNewPerson, peekInvitation } from "../invitations/invitations.ts";
import { findOldestOrganization, insertMember } from "../organizations/store.ts";
import { claimSetup, refuseClaim } from "../setup/setup.ts";
import { hasPeople } from "../setup/store.ts";
import { findPersonByEmail, findPersonByIdentity, insertIdentity, insertPerson } from "../sign-in/store.ts";
import { hashToken } from "../tokens.ts";
import { addressOf, type Decision, decideSignIn } from "./decide.ts";
import { type Pending, pendingCookie } from "./pending.ts";
import { createProvider, type ProvedIdentity, type Provider, providerId } from "./provider.ts";
import { takeState } from "./store.ts";

const providers = new WeakMap<App, Provider>();

function providerOf(app: App): { provider: Provider; config: OidcConfig } {
  const config = app.config.signIn.oidc;
  if (!config)
    throw missing(
      "No OpenID provider is configured.",
      "An operator configures one: see docs/self-hosting.md.",
    );
  let provider = providers.get(app);
  if (!provider) {
    const { networkExceptions } = app.config;
    provider = createProvider(config, { now: app.now, networkExceptions });
    providers.set(app, provider);
  }
  return { provider, config };
}

const callbackUri = (origin: string) => `${origin}/app/sign-in/oidc/${providerId}/callback`;

export interface Start {
  providerId: string;
  returnTo: string;
  invitationToken: string | undefined;
  /** The person signed in here who wants to add the provider to their account. */
  linkingId: UserId | undefined;
  /** The first account and organization, for whoever holds the setup token. */
  setup: Pending["setup"];
}

/** Where to send the browser, and the cookie that lets it come back. */
export async function startSignIn(
  app: App,
  start: Start,
  origin: string,
): Promise<{ url: string; cookie: string }> {
  const { provider, config } = providerOf(app);
  if (start.providerId !== providerId)
    throw missing("There is no such provider.", "Begin again on the sign-in page.");
  // Before anybody leaves: a wrong token should not be found out on the way back.
  if (start.setup) await refuseClaim(app.db, start.setup.token);
  try {
    const { url, challenge } = await provider.begin(callbackUri(origin));
    const { invitationToken, linkingId, setup } = start;
    const returnTo = ownPath(start.returnTo, origin);
    const cookie = pendingCookie(app, { ...challenge, returnTo, invitationToken, linkingId, setup });
    return { url, cookie };
  } catch (error) {
    app.log.warn("the OpenID provider could not be asked", { issuer: config.issuer.href, error });
    throw new ApiError("SERVER_UNREACHABLE", `${config.name} cannot be reached. Try again in a moment.`);
  }
}

/** A path of ours and nothing else: `//evil.example`, `/\\evil.example` or `/..//evil.example` would lead a browser away. */
function ownPath(text: string, origin: string): string {
  const url = URL.parse(text, origin);
  const isOurs = url?.origin === origin && !url.pathname.startsWith("//");
  return isOurs ? url.pathname + url.search + url.hash : "/";
}

export type Finished = { kind: "signedIn"; userId: UserId } | { kind: "refused"; reason: SignInRefusal };

const refused = (reason: SignInRefusal): Finished => ({ kind: "refused", reason });

/** Takes the browser back. `search` is the query the provider sent along. Whatever goes wrong has a word; nothing is thrown. */
export async function finishSignIn(
  app: App,
  pending: Pending,
  search: string,
  origin: string,
): Promise<Finished> {
  try {
    const { provider, config } = providerOf(app);
    // The cookie may be a copy: of all that come back with one state, the first counts.
    const isFirst = await takeState(app.db, hashToken(pending.state), new Date(pending.expiresAt));
    if (!isFirst) return refused("sign_in_expired");
    if (new URLSearchParams(search).has("error")) return refused("provider_refused");
    const identity = await prove(app, provider, new URL(callbackUri(origin) + search), pending);
    if (!identity) return refused("provider_failed");
    if (pending.setup) return await setUp(app, pending.setup, identity);
    return await app.db.transaction(async (tx): Promise<Finished> => {
      const decision = await decide(app, tx, identity, pending, config);
      if (decision.kind === "refuse") return refused(decision.reason);
      return { kind: "signedIn", userId: await carryOut(app, tx, identity, pending, decision) };
    });
  } catch (error) {
    // An invitation that was taken back meanwhile, an address that somebody took: trying again tells.
    app.log.warn("a sign-in at the OpenID provider could not be finished", { error });
    return refused("sign_in_failed");
  }
}

async function prove(
  app: App,
  provider: Provider,
  callbackUrl: URL,
  pending: Pending,
): Promise<ProvedIdentity | undefined> {
  try {
    return await provider.finish(callbackUrl, pending);
  } catch (error) {
    app.log.warn("a sign-in at the OpenID provider did not hold", { error });
    return undefined;
  }
}

/** The setup token is the right to make the first account; the provider only says whose it is from then on. */
async function setUp(
  app: App,
  first: NonNullable<Pending["setup"]>,
  identity: ProvedIdentity,
): Promise<Finished> {
  try {
    const { issuer, subject } = identity;
    const { userId } = await claimSetup(app, { ...first, identity: { issuer, subject } });
    return { kind: "signedIn", userId };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refused(error.code === "NOT_FOUND" ? "setup_done" : "setup_token_wrong");
  }
}

async function decide(
  app: App,
  tx: Querier,
  identity: ProvedIdentity,
  pending: Pending,
  config: OidcConfig,
): Promise<Decision> {
  const email = addressOf(identity);
  const owner = await findPersonByIdentity(tx, identity.issuer, identity.subject);
  const invitation =
    pending.invitationToken && (await peekInvitation(tx, pending.invitationToken, app.now()));
  return decideSignIn({
    profile: identity,
    ownerId: owner?.userId,
    linkingId: pending.linkingId,
    isAddressTaken: email !== undefined && (await findPersonByEmail(tx, email)) !== undefined,
    invitedAddress: invitation ? invitation.email : undefined,
    domains: config.domains,
    role: config.role,
    hasPeople: await hasPeople(tx),
  });
}

async function carryOut(
  app: App,
  tx: Transaction,
  identity: ProvedIdentity,
  pending: Pending,
  decision: Exclude<Decision, { kind: "refuse" }>,
): Promise<UserId> {
  if (decision.kind === "signIn") return decision.userId;
  const at = new Date(app.now());
  const { issuer, subject } = identity;
  if (decision.kind === "link") {
    await insertIdentity(tx, { issuer, subject, userId: decision.userId, createdAt: at });
    await announce(app, tx, `account:${decision.userId}`);
    return decision.userId;
  }
  const person = {
    id: newId("user", app.now()),
    name: identity.name ?? decision.email,
    email: decision.email,
    at,
  };
  if (decision.kind === "joinByInvitation") {
    await joinAsNewPerson(app, tx, pending.invitationToken ?? "", person);
  } else {
    await joinByDomain(app, tx, person, decision.role);
  }
  await insertIdentity(tx, { issuer, subject, userId: person.id, createdAt: at });
  return person.id;
}

/** People of an allowed domain join the first organization; those who should not see it belong to no allowed domain. */
async function joinByDomain(
  app: App,
  tx: Transaction,
  person: { id: UserId; name: string; email: string; at: Date },
  role: OrganizationRole,
): Promise<void> {
  const organization = await findOldestOrganization(tx);
  if (!organization) throw new ApiError("CONFLICT", "There is no organization to join.");
  if (!(await insertPerson(tx, person))) {
    throw new ApiError("CONFLICT", "An account with this address was made a moment ago. Sign in again.");
  }
  await insertMember(tx, { organizationId: organization.id, userId: person.id, role, at: person.at });
  await announce(app, tx, `organization:${organization.id}`);
}
