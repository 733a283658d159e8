/** @module Every conversation of a project in one list, wherever it was held: the latest first, or the best match of a search. */
import { ApiError, limits, type OutputOf, type QueryOf, type UserId } from "@fettle/contract/core";
import type { Operations } from "@fettle/contract/operations";
import type { SessionSource, SessionSummary } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { cutPage, readCursor, writeCursor } from "../../core/routing/page.ts";
import { moreTracesSql, searchedTraces, type TracedSource } from "./feed-search-sql.ts";
import { type FeedPlace, type FeedRow, feedSql } from "./feed-sql.ts";

type Query = QueryOf<Operations["listSessions"]>;
type Feed = OutputOf<Operations["listSessions"]>;

const { chat } = limits;

export async function listFeed(
  app: App,
  project: ProjectContext,
  viewer: UserId,
  query: Query,
  origin: string,
): Promise<Feed> {
  const { q, scope, sourceType, status, limit } = query;
  if (scope !== undefined && q === undefined) {
    throw new ApiError("VALIDATION_ERROR", "A scope needs something to search for.", {
      path: "query.scope",
      hint: "Say q, too.",
    });
  }
  const searched = q === undefined ? undefined : (scope ?? "titles");
  const statement = feedSql({
    projectId: project.id,
    viewer,
    seesShared: project.isWorkspaceMember,
    sourceType,
    status,
    searched: q === undefined || searched === undefined ? undefined : { words: q.trim(), scope: searched },
    limit: limit + 1,
    after: query.cursor === undefined ? undefined : readPlace(query.cursor),
    now: new Date(app.now()),
  });
  const rows = statement ? (await app.pool.query<FeedRow>(statement)).rows : [];
  const { shown, next } = cutPage(rows, limit, ({ rank, at, id }) => writeCursor(rank, at, id));
  return {
    items: shown.map((row) => toSummary(row, project, viewer, q, origin)),
    ...next,
    ...(searched && { scope: searched }),
    ...(searched === "transcripts" && {
      ...((await hasMoreTraces(app, project, "eval", sourceType)) && { searchedEvals: searchedTraces }),
      ...((await hasMoreTraces(app, project, "swarm", sourceType)) && { searchedSwarms: searchedTraces }),
    }),
  };
}

async function hasMoreTraces(
  app: App,
  { id }: ProjectContext,
  source: TracedSource,
  asked: Query["sourceType"],
): Promise<boolean> {
  if (asked !== undefined && !asked.includes(source)) return false;
  const { rows } = await app.pool.query<{ count: number }>(moreTracesSql(source, id));
  return (rows[0]?.count ?? 0) > searchedTraces;
}

function readPlace(cursor: string): FeedPlace {
  const [rank, at, id] = readCursor(cursor, ["count", "moment", "id"]);
  return { rank: Number(rank), at: new Date(Number(at)), id };
}

const lockReasons: Record<SessionSource, string | null> = {
  direct: null,
  scenario: "A visitor's conversation is not continued by others.",
  eval: "A repetition of an eval is not continued.",
  swarm: "A synthetic visitor's conversation is not continued.",
};

function toSummary(
  row: FeedRow,
  project: ProjectContext,
  viewer: UserId,
  q: string | undefined,
  origin: string,
): SessionSummary {
  const isPlayed = row.source === "eval" || row.source === "swarm";
  const path = pathOf(row, project);
  const ownedByViewer = row.created_by === viewer;
  return {
    id: row.id,
    chatSessionId: row.id,
    projectId: project.id,
    sourceType: row.source,
    origin: row.origin,
    status: row.status,
    synthetic: isPlayed,
    lockReason: lockReasons[row.source] ?? (ownedByViewer ? null : "Only its owner goes on with it."),
    title: row.title,
    firstMessagePreview: row.first_message,
    visibility: row.visibility,
    ownedByViewer,
    startedAt: row.created_at.getTime(),
    lastActivityAt: (row.ended_at ?? row.at).getTime(),
    modelId: row.model,
    messageCount: row.message_count,
    ...(row.turn_count !== null && { cumulativeUserMessageCount: row.turn_count }),
    ...(row.tool_calls !== null && { cumulativeToolCallCount: row.tool_calls }),
    ...(row.input_tokens !== null && { cumulativeInputTokens: row.input_tokens }),
    ...(row.output_tokens !== null && { cumulativeOutputTokens: row.output_tokens }),
    parentRef: parentOf(row),
    link: { path, url: `${origin}${path}` },
    turnState: row.turn_state,
    isPinned: row.is_pinned,
    ...(q !== undefined && { matchPreview: preview(row.matched, q.trim()) }),
  };
}

function pathOf(row: FeedRow, { id }: ProjectContext): string {
  if (row.source === "eval") {
    return `/evals/suite/${row.suite_id}/runs/${row.run_id}?project=${id}&iteration=${row.id}`;
  }
  if (row.source === "swarm") return `/p/${id}/swarms/runs/${row.run_id}?session=${row.id}`;
  return row.source === "scenario"
    ? `/p/${id}/testing/${row.scenario_id}/sessions?session=${row.id}`
    : `/p/${id}/playground/${row.id}`;
}

function parentOf(row: FeedRow): SessionSummary["parentRef"] {
  const { id, parent_label: label, run_id: suiteRunId, suite_id: suiteId, scenario_id: scenarioId } = row;
  if (row.source === "swarm" && row.run_id !== null) {
    return { kind: "journeyRun", label, journeyRunId: row.run_id, journeyRefId: row.journey_id };
  }
  if (row.source === "eval") return { kind: "evalRun", label, iterationId: id, suiteRunId, suiteId };
  return scenarioId === null ? null : { kind: "scenario", label, scenarioId };
}

/** A few words on both sides of what was looked for. */
function preview(text: string | null, words: string): string | null {
  if (text === null) return null;
  const at = Math.max(0, text.toLowerCase().indexOf(words.toLowerCase()));
  const start = Math.max(0, at - chat.previewLength / 2);
  const cut = text
    .slice(start, start + chat.previewLength)
    .replace(/\s+/g, " ")
    .trim();
  return `${start > 0 ? "…" : ""}${cut}${start + chat.previewLength < text.length ? "…" : ""}`;
}
