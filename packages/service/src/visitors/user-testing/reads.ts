/** @module What people of a project see: what is published, the sessions of visitors, and what was said in one. */
import { ApiError, type ChatTurnId, limits, type Page, type ServerId } from "@fettle/contract/core";
import type {
  ProjectScenario,
  ScenarioDetail,
  UserTestingScenarioDetail,
  UserTestingSession,
  UserTestingSessionDetail,
  UserTestingSessionQuery,
} from "@fettle/contract/visitors";
import type { Message } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { cutPage, readCursor, readPlace, writeCursor } from "../../core/routing/page.ts";
import { type FrozenEnvironment, resolveForRun } from "../../environments/saved/resolve.ts";
import { toServer } from "../../servers/saved/saved.ts";
import { findServer } from "../../servers/saved/store.ts";
import { listMessages } from "../chat/store.ts";
import { readScenarioInsights } from "./insights/insights.ts";
import { linkOf } from "./scenarios.ts";
import * as sessions from "./session-store.ts";
import * as store from "./store.ts";
import { countBegun } from "./tallies.ts";
import { endOf, textOf } from "./visit-sessions.ts";

/** Exactly what the specification names. The envelope is for members of the workspace; others read the scenario without it. */
export async function readScenario(
  app: App,
  project: ProjectContext,
  row: store.ScenarioRow,
): Promise<UserTestingScenarioDetail> {
  const { id, projectId, name, description, mode, environmentId } = row;
  const insights = project.isWorkspaceMember ? await readScenarioInsights(app, row) : undefined;
  return { id, projectId, name, description, mode, environmentId, ...(insights && { insights }) };
}

/** The environment as a session would begin with it now, or why none could. */
async function resolved(
  app: App,
  { projectId, environmentId }: store.ScenarioRow,
): Promise<FrozenEnvironment["resolved"] | ApiError> {
  try {
    const found = await app.db.transaction((tx) => resolveForRun(tx, projectId, environmentId));
    return found.resolved;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function toRow(
  app: App,
  row: store.ScenarioRow,
  found: FrozenEnvironment["resolved"] | ApiError,
  sessionCount: number,
  origin: string,
): ProjectScenario {
  const { id, projectId, environmentId, name, description, mode } = row;
  const now = found instanceof ApiError ? undefined : found;
  return {
    id,
    projectId,
    environmentId,
    name,
    description,
    mode,
    hostStyle: now?.config.hostStyle ?? null,
    hostId: now?.hostId ?? null,
    hostName: now?.hostName ?? null,
    serverCount: now?.servers.length ?? 0,
    serverNames: now?.servers.map((server) => server.name) ?? [],
    link: linkOf(app, row, origin),
    sessionCount,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

export async function listScenarios(
  app: App,
  project: Pick<ProjectContext, "id">,
  origin: string,
): Promise<ProjectScenario[]> {
  const rows = await store.listScenarios(app.db, project.id);
  const begunOf = await countBegun(
    app.db,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => toRow(app, row, await resolved(app, row), begunOf(row.id).real, origin)),
  );
}

export async function readDetail(app: App, row: store.ScenarioRow, origin: string): Promise<ScenarioDetail> {
  const found = await resolved(app, row);
  const now = found instanceof ApiError ? undefined : found;
  const servers = await Promise.all(
    // Resolved from the servers' own rows.
    (now?.servers ?? []).map(({ serverId }) => findServer(app.db, row.projectId, serverId as ServerId)),
  );
  const begunOf = await countBegun(app.db, [row.id]);
  const live = new Date(app.now() - limits.userTesting.idleMs);
  return {
    ...toRow(app, row, found, begunOf(row.id).real, origin),
    modelId: now?.effectiveModelId ?? null,
    systemPrompt: now?.config.systemPrompt ?? null,
    temperature: now?.config.temperature ?? null,
    requireToolApproval: now?.config.requireToolApproval ?? false,
    servers: servers.flatMap((server) => {
      if (!server) return [];
      const { id, name, url, useOAuth } = toServer(app.vault, server);
      return [{ id, name, url, useOAuth }];
    }),
    feedback: row.feedback,
    guestExecution: row.guestExecution,
    memberCount: await store.countMembers(app.db, row.id),
    liveSessionCount: await sessions.countLive(app.db, row.id, live),
    unavailable:
      found instanceof ApiError
        ? { code: String(found.details?.code ?? found.code), message: found.message }
        : null,
  };
}

function toSession(
  app: App,
  { session, chat }: sessions.JoinedSession,
  ratings: readonly sessions.RatingRow[],
): UserTestingSession {
  const { displayName, deviceKind, language, authType, recency } = session;
  return {
    id: session.id,
    chatSessionId: session.id,
    messageCount: chat.messageCount,
    preview: chat.firstMessage,
    modelId: chat.model,
    toolCallCount: chat.toolCallCount,
    toolErrorCount: session.toolErrorCount,
    ...(session.authInterrupted && { authInterrupted: true }),
    visitor: {
      ...(displayName !== null && { displayName }),
      authType,
      recency,
      ...(deviceKind !== null && { deviceKind }),
      ...(language !== null && { language }),
    },
    feedback: {
      rating: session.rating,
      style: ratings.at(-1)?.style ?? null,
      comment: session.comment,
      count: session.ratingCount,
    },
    population: session.population,
    ended: endOf(app, session),
    startedAt: session.startedAt.getTime(),
    lastActivityAt: session.lastActivityAt.getTime(),
  };
}

export async function listSessions(
  app: App,
  scenario: store.ScenarioRow,
  { cursor, limit, ...filter }: UserTestingSessionQuery,
): Promise<Page<UserTestingSession>> {
  const before = readPlace<"chatSession">(cursor);
  const wanted = { ...filter, scenarioId: scenario.id, before };
  const rows = await sessions.listSessions(app.db, wanted, limit + 1);
  const { shown, next } = cutPage(rows, limit, ({ session }) =>
    writeCursor(session.lastActivityAt, session.id),
  );
  const rated = shown.filter(({ session }) => session.ratingCount > 0).map(({ session }) => session.id);
  const ratings = Map.groupBy(await sessions.listRatings(app.db, ...rated), ({ sessionId }) => sessionId);
  return {
    items: shown.map((row) => toSession(app, row, ratings.get(row.session.id) ?? [])),
    ...next,
  };
}

/** What was said, a page at a time. What tools were sent and gave back is not shown. */
export async function readSession(
  app: App,
  found: sessions.JoinedSession,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<UserTestingSessionDetail> {
  const from = cursor === undefined ? 0 : Number(readCursor(cursor, ["count"])[0]);
  const { session, chat } = found;
  const rows = await listMessages(app.db, session.id, { from, limit });
  const isReadable = rows.length >= Math.min(limit, chat.messageCount - from);
  const ratings = await sessions.listRatings(app.db, session.id);
  const latest = new Map(ratings.map((rating) => [rating.turnId, rating]));
  const next = from + rows.length;
  return {
    ...toSession(app, found, ratings),
    scenarioId: session.scenarioId,
    modelId: chat.model,
    messageCount: isReadable ? chat.messageCount : null,
    ...(!isReadable && { transcriptUnavailable: true }),
    messages: isReadable ? rows.map((row) => toMessage(row, latest)) : [],
    ...(isReadable && next < chat.messageCount && { nextCursor: writeCursor(next) }),
  };
}

function toMessage(
  { index, turnId, message }: { index: number; turnId: ChatTurnId; message: Message },
  ratings: ReadonlyMap<ChatTurnId, sessions.RatingRow>,
): UserTestingSessionDetail["messages"][number] {
  const { role } = message;
  if (role === "tool") {
    return { index, turnId, role, text: "", toolName: message.name, isError: message.isError };
  }
  if (role !== "assistant") return { index, turnId, role, text: message.text };
  const rating = ratings.get(turnId);
  const called = message.parts.find((part) => part.type === "tool-call");
  return {
    index,
    turnId,
    role,
    text: textOf(message),
    ...(called && { toolName: called.name }),
    // Where it ends a turn: a rating is of the answer.
    ...(rating &&
      !called && { rating: { value: rating.value, style: rating.style, comment: rating.comment } }),
  };
}
