/** @module Who comes, and whether they may: by a link at first, by the cookie it gave from then on. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, limits, type ProjectId, type UserId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { Visit } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import type { Caller } from "../../core/routing/bind.ts";
import { resolveForRun } from "../../environments/saved/resolve.ts";
import { findProject } from "../../http/caller/access.ts";
import { makeCookie, readCookie } from "../../people/accounts/sign-in/cookies.ts";
import { readPerson } from "../../people/accounts/sign-in/sign-in.ts";
import { hashToken, mintToken, recogniseToken } from "../../people/accounts/tokens.ts";
import { findOrganization, findProject as findProjectRow } from "../../people/projects/store.ts";
import { deviceOf } from "./device.ts";
import { linkHashOf } from "./link.ts";
import { requireGuess, requireOpening } from "./pace.ts";
import { turnedAway } from "./refuse.ts";
import * as sessions from "./session-store.ts";
import * as store from "./store.ts";
import { readOwnSession } from "./visit-sessions.ts";

const { userTesting } = limits;

/** The part of a request that tells who is there. */
export interface Coming {
  caller: Caller;
  ip: string;
  headers: IncomingHttpHeaders;
}

/** Somebody who is in: the visitor and the scenario, read together. */
export interface Present {
  visitor: sessions.VisitorRow;
  scenario: store.ScenarioRow;
}

interface Standing {
  userId: UserId | null;
  memberId: store.MemberRow["id"] | null;
  isOfProject: boolean;
  displayName: string | null;
}

export const userOf = ({ caller }: Coming): UserId | null =>
  caller.kind === "session" ? caller.userId : null;

/** What the mode asks for. Throws what the visitor is told when they are not it. */
async function requireStanding(
  app: App,
  scenario: store.ScenarioRow,
  userId: UserId | null,
  byLink: store.MemberRow | null,
): Promise<Standing> {
  const { mode, name } = scenario;
  const person = userId === null ? undefined : await readPerson(app, userId);
  const isOfProject = userId !== null && (await seesProject(app, scenario.projectId, userId));
  const member =
    byLink ?? (person && (await store.findMember(app.db, scenario.id, { email: person.email }))) ?? null;
  const standing = {
    userId,
    memberId: member?.id ?? null,
    isOfProject,
    displayName: person?.name ?? member?.email ?? null,
  };
  if (isOfProject || (member && mode !== "project_members")) return standing;
  if (mode === "anyone_with_link") {
    if (userId === null && !scenario.guestExecution.enabled)
      throw turnedAway("FORBIDDEN", "GUESTS_OFF", { name });
    return standing;
  }
  if (!person) throw turnedAway("UNAUTHORIZED", "SIGN_IN_NEEDED", { name });
  const code = mode === "invited_only" ? "NOT_INVITED" : "NOT_A_PROJECT_MEMBER";
  throw turnedAway("FORBIDDEN", code, { name, email: person.email });
}

async function seesProject(app: App, projectId: ProjectId, userId: UserId): Promise<boolean> {
  try {
    await findProject(app.pool, { userId, boundTo: null }, projectId);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

const cookieOf = (scenario: Pick<store.ScenarioRow, "id">) => `visit_${scenario.id}` as const;

/** Comes in by a link. Whoever has been here with this browser is known again, and goes on where they were cut off. */
export async function redeem(
  app: App,
  coming: Coming,
  linkToken: string,
): Promise<{ visit: Visit; cookie: string }> {
  const isLink = recogniseToken(linkToken) === "scenarioLink";
  const found = isLink ? await store.findByLink(app.db, linkHashOf(linkToken)) : undefined;
  if (!found) {
    await requireGuess(app, coming.ip);
    throw turnedAway("NOT_FOUND", "LINK_INVALID");
  }
  const { scenario, member } = found;
  const before = await findVisitOf(app, coming, scenario);
  await requireOpening(app, scenario, before?.visitor, coming.ip);
  const userId = userOf(coming);
  const standing = await requireStanding(app, scenario, userId, member);
  const known = before && isSame(before.visitor, standing) ? before : undefined;
  const now = new Date(app.now());
  const { token, hash } = known ? { token: known.token, hash: known.visitor.tokenHash } : mintToken("visit");
  const seen = {
    ...standing,
    displayName: known?.visitor.displayName ?? standing.displayName,
    accessVersion: scenario.accessVersion,
    lastSeenAt: now,
  };
  const visitor = await app.db.transaction(async (tx) => {
    // What narrowed access meanwhile has a higher version than the one this visit is under.
    if (!known) {
      return sessions.insertVisitor(tx, {
        id: newId("visitor", app.now()),
        scenarioId: scenario.id,
        tokenHash: hash,
        ...seen,
        ...deviceOf(coming.headers),
        createdAt: now,
      });
    }
    const since = new Date(app.now() - userTesting.idleMs);
    await sessions.reopen(tx, known.visitor.id, scenario.accessVersion, since);
    return sessions.changeVisitor(tx, known.visitor.id, seen);
  });
  const visit = await readVisit(app, { visitor, scenario });
  const cookie = makeCookie(app.config, cookieOf(scenario), token, userTesting.visitMs / 1000);
  return { visit, cookie };
}

const isSame = (visitor: sessions.VisitorRow, { userId, memberId }: Standing): boolean =>
  visitor.userId === userId && (!memberId || visitor.memberId === memberId);

/** The visit that this browser's cookie is of, whoever uses the browser now. */
async function findVisitOf(
  app: App,
  { headers }: Coming,
  scenario: store.ScenarioRow,
): Promise<{ visitor: sessions.VisitorRow; token: Secret } | undefined> {
  const value = readCookie(app.config, cookieOf(scenario), headers);
  if (value === undefined || recogniseToken(value) !== "visit") return undefined;
  const visit = await sessions.findVisit(app.db, scenario.id, hashToken(value));
  return visit && { visitor: visit.visitor, token: new Secret(value) };
}

/** Whoever is in and still may be; 401 for all others. */
export async function requireVisit(
  app: App,
  coming: Coming,
  scenarioId: store.ScenarioRow["id"],
): Promise<Present> {
  const value = readCookie(app.config, cookieOf({ id: scenarioId }), coming.headers);
  const isVisit = value !== undefined && recogniseToken(value) === "visit";
  const visit = isVisit ? await sessions.findVisit(app.db, scenarioId, hashToken(value)) : undefined;
  if (!visit) throw turnedAway("UNAUTHORIZED", "VISIT_NEEDED");
  await requireStillIn(app, userOf(coming), visit);
  return visit;
}

/** As much of somebody who is in as tells whether they still may be. */
export interface Admitted {
  visitor: Pick<sessions.VisitorRow, "userId" | "memberId" | "isOfProject" | "accessVersion" | "lastSeenAt">;
  scenario: Pick<store.ScenarioRow, "projectId" | "mode" | "accessVersion" | "unpublishedAt">;
}

/** `userId` is whose browser it is now. */
export async function requireStillIn(app: App, userId: UserId | null, visit: Admitted): Promise<void> {
  const { visitor, scenario } = visit;
  if (visitor.lastSeenAt.getTime() < app.now() - userTesting.visitMs)
    throw turnedAway("UNAUTHORIZED", "VISIT_NEEDED");
  requireCurrent(visitor, scenario);
  if (visitor.userId !== userId && visitor.userId !== null)
    throw turnedAway("UNAUTHORIZED", "SIGN_IN_NEEDED");
  await requireStillEntitled(app, visit);
}

/** The scenario is there, and nothing has narrowed access since they came. */
export function requireCurrent(
  { accessVersion }: { accessVersion: number },
  scenario: Admitted["scenario"] | undefined,
): asserts scenario {
  if (!scenario || scenario.unpublishedAt || scenario.accessVersion !== accessVersion)
    throw turnedAway("UNAUTHORIZED", "ACCESS_ENDED");
}

/** People of the project may have left it since, which no scenario is told of. */
async function requireStillEntitled(app: App, { visitor, scenario }: Admitted): Promise<void> {
  if (!visitor.isOfProject || visitor.userId === null || scenario.mode === "anyone_with_link") return;
  if (await seesProject(app, scenario.projectId, visitor.userId)) return;
  if (scenario.mode === "invited_only" && visitor.memberId !== null) return;
  throw turnedAway("UNAUTHORIZED", "ACCESS_ENDED");
}

/** What the page begins with. Throws 409 with the environment's reason when it cannot be used at the moment. */
export async function readVisit(app: App, { visitor, scenario }: Present): Promise<Visit> {
  const { resolved } = await app.db.transaction((tx) =>
    resolveForRun(tx, scenario.projectId, scenario.environmentId),
  );
  const { guestExecution, feedback } = scenario;
  return {
    scenarioId: scenario.id,
    name: scenario.name,
    description: scenario.description,
    organizationName: await organizationOf(app, scenario.projectId),
    accessVersion: scenario.accessVersion,
    visitor: {
      authType: visitor.userId === null ? "guest" : "signedIn",
      displayName: visitor.displayName,
    },
    consent: {
      needed: visitor.consentedAt === null,
      retentionDays: userTesting.retentionDays,
      toolsMayAct: guestExecution.toolMode === "auto",
    },
    feedback,
    model: resolved.effectiveModelId,
    servers: resolved.servers.map(({ name }) => ({ name })),
    session: await readOwnSession(app, { visitor, scenario }),
  };
}

async function organizationOf(app: App, projectId: ProjectId): Promise<string> {
  const project = await findProjectRow(app.db, projectId);
  const organization = project && (await findOrganization(app.db, project.organizationId));
  return organization?.name ?? "";
}

export async function consent(
  app: App,
  { visitor, scenario }: Present,
  displayName: string | undefined,
): Promise<Visit> {
  const changed = await sessions.changeVisitor(app.db, visitor.id, {
    consentedAt: visitor.consentedAt ?? new Date(app.now()),
    ...(displayName !== undefined && visitor.userId === null && { displayName }),
  });
  return readVisit(app, { visitor: changed, scenario });
}
