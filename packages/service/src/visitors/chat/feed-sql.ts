/** @module The SQL of the list of all conversations. Evals keep theirs as traces of repetitions, the rest are sessions. */
import type { ProjectId, UserId } from "@fettle/contract/core";
import type { SessionSource, TurnState } from "@fettle/contract/visitors";
import type { QueryConfig } from "pg";

export interface FeedQuery {
  projectId: ProjectId;
  viewer: UserId;
  /** Others' conversations that were shared with the project. */
  seesShared: boolean;
  sourceType: SessionSource | undefined;
  status: "active" | "archived" | undefined;
  words: string | undefined;
  scope: "titles" | "transcripts" | undefined;
  limit: number;
  offset: number;
  now: Date;
}

export interface FeedRow {
  source: SessionSource;
  id: string;
  origin: string | null;
  title: string | null;
  first_message: string;
  status: "active" | "archived";
  visibility: "private" | "project" | null;
  created_by: string | null;
  created_at: Date;
  at: Date;
  model: string | null;
  message_count: number;
  turn_count: number | null;
  tool_calls: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  suite_id: string | null;
  run_id: string | null;
  scenario_id: string | null;
  parent_label: string | null;
  matched: string | null;
  is_pinned: boolean;
  turn_state: TurnState | null;
}

/** Traces are searched as they lie, so only in the latest of them; the answer says so where there are more. */
export const searchedTraces = 1_000;

/** Whether a project has more of them than are searched. */
export const moreTracesSql = (projectId: ProjectId): QueryConfig => ({
  text: `SELECT count(*)::int AS count FROM (
    SELECT 1 FROM eval_iterations i JOIN eval_runs r ON r.id = i.run_id
    WHERE r.project_id = $1 AND i.has_trace LIMIT ${searchedTraces + 1}
  ) AS counted`,
  values: [projectId],
});

/** As `turnStateOf` in `reads.ts` has it. */
const turnState = `CASE WHEN s.running_turn_id IS NULL THEN NULL WHEN s.running_until <= $8 THEN 'interrupted'
    WHEN s.running_waits THEN 'waiting' ELSE 'running' END AS turn_state`;

/** `$5` is the pattern that is looked for; null lists everything. */
const direct = (inTranscripts: boolean) => `
  SELECT 'direct' AS source, s.id, s.origin, s.title, s.first_message, s.status, s.visibility, s.created_by,
    s.created_at, s.last_activity_at AS at, s.model, s.message_count, s.turn_count, s.tool_call_count AS tool_calls,
    s.input_tokens, s.output_tokens, NULL AS suite_id, NULL AS run_id, NULL AS scenario_id, NULL AS parent_label,
    (s.is_pinned AND s.created_by = $2) AS is_pinned, ${turnState},
    ${found(inTranscripts)}
  FROM chat_sessions s
  ${inMessages(inTranscripts)}
  WHERE s.project_id = $1 AND (s.turn_count > 0 OR s.running_turn_id IS NOT NULL) AND s.origin <> 'scenario'
    AND (s.created_by = $2 OR ($3 AND s.visibility = 'project'))
    AND ($4::text IS NULL OR s.status = $4)
    ${inTitles(inTranscripts)}`;

/** Whoever sees the project sees what visitors said, as long as their scenario is up. */
const visitors = (inTranscripts: boolean) => `
  SELECT 'scenario' AS source, s.id, s.origin, s.title, s.first_message, s.status, NULL AS visibility,
    NULL AS created_by, s.created_at, s.last_activity_at AS at, s.model, s.message_count, s.turn_count,
    s.tool_call_count AS tool_calls, s.input_tokens, s.output_tokens, NULL AS suite_id, NULL AS run_id,
    c.id AS scenario_id, c.name AS parent_label, false AS is_pinned, NULL AS turn_state,
    ${found(inTranscripts)}
  FROM scenario_sessions v JOIN chat_sessions s ON s.id = v.id
  JOIN scenarios c ON c.id = v.scenario_id AND c.unpublished_at IS NULL
  ${inMessages(inTranscripts)}
  WHERE c.project_id = $1 AND s.turn_count > 0 AND ($4::text IS NULL OR s.status = $4)
    ${inTitles(inTranscripts)}`;

const found = (inTranscripts: boolean) =>
  inTranscripts
    ? "m.matched, m.hits"
    : "s.first_message AS matched, CASE WHEN s.title ILIKE $5 THEN 2 ELSE 1 END AS hits";

const inMessages = (inTranscripts: boolean) =>
  inTranscripts
    ? `JOIN LATERAL (
    SELECT (array_agg(words ORDER BY index))[1] AS matched, count(*)::int AS hits
    FROM chat_messages WHERE session_id = s.id AND words ILIKE $5
  ) m ON m.hits > 0`
    : "";

const inTitles = (inTranscripts: boolean) =>
  inTranscripts ? "" : "AND ($5::text IS NULL OR s.title ILIKE $5 OR s.first_message ILIKE $5)";

/** What people read: texts of messages, and of an answer's parts. One that no text can hold is searched as it lies. */
const saidInTrace = String.raw`CROSS JOIN LATERAL (
      SELECT string_agg(part.words, E'\n' ORDER BY m.place) AS words
      FROM json_array_elements(
        CASE json_typeof(latest.trace -> 'messages') WHEN 'array' THEN latest.trace -> 'messages' END
      ) WITH ORDINALITY AS m(message, place)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN m.message::text ~ '\\u(0000|d[89a-f])' THEN m.message::text ELSE m.message ->> 'text' END
        UNION ALL
        SELECT p.part ->> 'text' FROM json_array_elements(
          CASE WHEN json_typeof(m.message -> 'parts') = 'array' AND m.message::text !~ '\\u(0000|d[89a-f])'
            THEN m.message -> 'parts' END
        ) AS p(part) WHERE p.part ->> 'type' = 'text'
      ) AS part(words)
    ) said`;

/** Whoever sees the project sees its evals; none of them is ever put away. */
const evals = (inTranscripts: boolean) => `
  SELECT 'eval' AS source, i.id, 'eval' AS origin, i.title, i.title AS first_message, 'active' AS status,
    NULL AS visibility, NULL AS created_by, coalesce(i.started_at, r.created_at) AS created_at,
    coalesce(i.started_at, r.created_at) AS at, i.model, 0 AS message_count, NULL::int AS turn_count,
    NULL::int AS tool_calls, NULL::int AS input_tokens, NULL::int AS output_tokens,
    r.suite_id, r.id AS run_id, NULL AS scenario_id, r.suite_name AS parent_label, false AS is_pinned, NULL AS turn_state,
    ${inTranscripts ? "t.matched" : "i.title"} AS matched, 1 AS hits
  FROM eval_iterations i JOIN eval_runs r ON r.id = i.run_id
  ${
    inTranscripts
      ? `JOIN (
    SELECT latest.iteration_id, said.words AS matched FROM (
      SELECT t.iteration_id, t.trace FROM eval_iteration_traces t
      JOIN eval_iterations ti ON ti.id = t.iteration_id JOIN eval_runs tr ON tr.id = ti.run_id
      WHERE tr.project_id = $1 ORDER BY t.created_at DESC LIMIT ${searchedTraces}
    ) latest ${saidInTrace} WHERE said.words ILIKE $5
  ) t ON t.iteration_id = i.id`
      : ""
  }
  WHERE r.project_id = $1 AND i.has_trace AND ($4::text IS NULL OR $4 = 'active')
    ${inTranscripts ? "" : "AND ($5::text IS NULL OR i.title ILIKE $5)"}`;

export function feedSql(query: FeedQuery): QueryConfig {
  const { projectId, viewer, seesShared, sourceType, status, words, scope, limit, offset, now } = query;
  const inTranscripts = scope === "transcripts";
  const pattern = words === undefined ? null : `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  const parts = [
    ...(sourceType === undefined || sourceType === "direct" ? [direct(inTranscripts)] : []),
    ...(sourceType === undefined || sourceType === "eval" ? [evals(inTranscripts)] : []),
    ...(sourceType === undefined || sourceType === "scenario" ? [visitors(inTranscripts)] : []),
  ];
  // Of the kinds that do not exist yet there are none.
  const from = parts.length === 0 ? `${direct(inTranscripts)} AND false` : parts.join(" UNION ALL ");
  const order = words === undefined ? "is_pinned DESC, at DESC, id DESC" : "hits DESC, at DESC, id DESC";
  return {
    // PostgreSQL wants every parameter to be used somewhere, and evals are nobody's own.
    text: `SELECT * FROM (${from}) AS feed WHERE ($2::text, $3::boolean, $8::timestamptz) IS NOT NULL ORDER BY ${order} LIMIT $6 OFFSET $7`,
    values: [projectId, viewer, seesShared, status ?? null, pattern, limit, offset, now],
  };
}
