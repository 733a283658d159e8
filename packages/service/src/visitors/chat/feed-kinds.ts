/** @module What a project's list of all conversations is made of. Evals and swarms keep theirs as traces, the rest are sessions. */
import { limits, type ProjectId, type UserId } from "@fettle/contract/core";
import { type SessionSource, sessionStatuses } from "@fettle/contract/visitors";

type SessionStatus = (typeof sessionStatuses)[number];

export interface FeedFilter {
  projectId: ProjectId;
  viewer: UserId;
  /** Others' conversations that were shared with the project. */
  seesShared: boolean;
  sourceType: readonly SessionSource[] | undefined;
  status: SessionStatus | undefined;
  now: Date;
}

/** Conversations of one kind and status: an index has each in the order of time, so that none hides among the others. */
export interface FeedKind {
  source: SessionSource;
  isPinned: boolean;
  /** All but `matched` and `rank`. */
  columns: string;
  from: string;
  where: string;
  at: string;
  id: string;
}

/** Makes a parameter of a value, and says its name. */
export type Bind = (value: unknown) => string;

export function feedKinds(filter: FeedFilter, bind: Bind): FeedKind[] {
  const { sourceType, status, seesShared, viewer } = filter;
  const isAsked = (source: SessionSource) => sourceType === undefined || sourceType.includes(source);
  const statuses = status === undefined ? sessionStatuses : [status];
  return [
    ...(isAsked("direct")
      ? statuses.flatMap((one) => [
          direct(filter, bind, one, `s.is_pinned AND s.created_by = ${bind(viewer)}`, true),
          direct(filter, bind, one, `NOT s.is_pinned AND s.created_by = ${bind(viewer)}`),
          ...(seesShared
            ? [direct(filter, bind, one, `s.visibility = 'project' AND s.created_by <> ${bind(viewer)}`)]
            : []),
        ])
      : []),
    ...(isAsked("scenario") ? statuses.map((one) => visitors(filter, bind, one)) : []),
    ...(isAsked("eval") && status !== "archived" ? [evals(filter, bind)] : []),
    ...(isAsked("swarm") && status !== "archived" ? [swarms(filter, bind)] : []),
  ];
}

const session = { at: "s.last_activity_at", id: "s.id" };
const counted = `s.created_at, s.last_activity_at AS at, NULL::timestamptz AS ended_at, s.model, s.message_count, s.turn_count, s.tool_call_count AS tool_calls,
  s.input_tokens, s.output_tokens, NULL AS suite_id, NULL AS run_id, NULL AS journey_id`;

function direct(
  { projectId, now }: FeedFilter,
  bind: Bind,
  status: SessionStatus,
  whose: string,
  isPinned = false,
): FeedKind {
  // As `turnStateOf` in `reads.ts` has it.
  const turnState = `CASE WHEN s.running_turn_id IS NULL THEN NULL WHEN s.running_until <= ${bind(now)} THEN 'interrupted'
    WHEN s.running_waits THEN 'waiting' ELSE 'running' END`;
  return {
    ...session,
    source: "direct",
    isPinned,
    columns: `'direct' AS source, s.id, s.origin, s.title, s.first_message, s.status, s.visibility, s.created_by, ${counted},
      NULL AS scenario_id, NULL AS parent_label, ${isPinned} AS is_pinned, ${turnState} AS turn_state`,
    from: "chat_sessions s",
    where: `s.project_id = ${bind(projectId)} AND s.origin <> 'scenario' AND s.status = '${status}' AND ${whose}
      AND (s.turn_count > 0 OR s.running_turn_id IS NOT NULL)`,
  };
}

/** Whoever sees the project sees what visitors said, as long as their scenario is up. */
const visitors = ({ projectId }: FeedFilter, bind: Bind, status: SessionStatus): FeedKind => ({
  ...session,
  source: "scenario",
  isPinned: false,
  columns: `'scenario' AS source, s.id, s.origin, s.title, s.first_message, s.status, NULL AS visibility, NULL AS created_by,
    ${counted}, c.id AS scenario_id, c.name AS parent_label, false AS is_pinned, NULL AS turn_state`,
  from: `chat_sessions s JOIN scenario_sessions v ON v.id = s.id
    JOIN scenarios c ON c.id = v.scenario_id AND c.unpublished_at IS NULL`,
  where: `s.project_id = ${bind(projectId)} AND s.origin = 'scenario' AND s.status = '${status}' AND s.turn_count > 0`,
});

/** Whoever sees the project sees its evals; none of them is ever put away. */
const evals = ({ projectId }: FeedFilter, bind: Bind): FeedKind => ({
  source: "eval",
  isPinned: false,
  at: "i.started_at",
  id: "i.id",
  columns: `'eval' AS source, i.id, 'eval' AS origin, i.title, i.title AS first_message, 'active' AS status, NULL AS visibility,
    NULL AS created_by, i.started_at AS created_at, i.started_at AS at, NULL::timestamptz AS ended_at, i.model, 0 AS message_count, NULL::int AS turn_count,
    NULL::int AS tool_calls, NULL::int AS input_tokens, NULL::int AS output_tokens, r.suite_id, r.id AS run_id, NULL AS journey_id,
    NULL AS scenario_id, r.suite_name AS parent_label, false AS is_pinned, NULL AS turn_state`,
  from: "eval_iterations i JOIN eval_runs r ON r.id = i.run_id",
  where: `i.project_id = ${bind(projectId)} AND i.has_trace AND i.started_at IS NOT NULL`,
});

/** Its first words; none, where no text can hold them. */
const firstWords = String.raw`coalesce((SELECT CASE WHEN (t.trace #> '{messages,0}')::text !~ '\\u(0000|d[89a-f])'
    THEN left(t.trace #>> '{messages,0,text}', ${limits.chat.previewLength}) END FROM journey_attempt_traces t WHERE t.attempt_id = a.id), '')`;
const messageCount = `coalesce((SELECT json_array_length(t.trace -> 'messages') FROM journey_attempt_traces t
    WHERE t.attempt_id = a.id AND json_typeof(t.trace -> 'messages') = 'array'), 0)`;
const playedModel = `(SELECT kept.snapshot #>> ARRAY['places', a.target_index::text, 'model'] FROM journey_run_snapshots kept
    WHERE kept.run_id = j.id)`;

/** Sessions of journey runs, in the order in which the runs were launched. Whoever sees the project sees them. */
const swarms = ({ projectId }: FeedFilter, bind: Bind): FeedKind => ({
  source: "swarm",
  isPinned: false,
  at: "j.created_at",
  id: "a.id",
  columns: `'swarm' AS source, a.id, 'swarm' AS origin, j.journey_name AS title, ${firstWords} AS first_message, 'active' AS status,
    NULL AS visibility, NULL AS created_by, a.started_at AS created_at, j.created_at AS at, coalesce(a.ended_at, a.started_at) AS ended_at,
    ${playedModel} AS model, ${messageCount} AS message_count, a.turns AS turn_count, a.tool_calls, NULL::int AS input_tokens,
    NULL::int AS output_tokens, NULL AS suite_id, j.id AS run_id, j.journey_id, NULL AS scenario_id, j.journey_name AS parent_label,
    false AS is_pinned, NULL AS turn_state`,
  from: "journey_runs j JOIN journey_attempts a ON a.run_id = j.id",
  where: `j.project_id = ${bind(projectId)} AND a.started_at IS NOT NULL`,
});
