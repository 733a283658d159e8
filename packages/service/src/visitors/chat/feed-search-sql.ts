/** @module The SQL that searches a project's conversations, by their titles or by what was said in them. It reads all that it may find. */
import type { ProjectId } from "@fettle/contract/core";
import type { QueryConfig } from "pg";
import type { Bind, FeedKind } from "./feed-kinds.ts";

/** Traces are searched as they lie, so only in the latest of them; the answer says so where there are more. */
export const searchedTraces = 1_000;

/** Kinds whose words are in traces, and how those of a project are found, the latest first. */
export type TracedSource = "eval" | "swarm";
const latestTraces: Record<TracedSource, (project: string) => { from: string; id: string; order: string }> = {
  eval: (project) => ({
    id: "t.iteration_id",
    from: `eval_iterations ti JOIN eval_iteration_traces t ON t.iteration_id = ti.id JOIN eval_runs tr ON tr.id = ti.run_id
      WHERE ti.project_id = ${project} AND ti.has_trace`,
    order: "ti.started_at DESC, ti.id DESC",
  }),
  swarm: (project) => ({
    id: "t.attempt_id",
    from: `journey_runs tr JOIN journey_attempts ta ON ta.run_id = tr.id JOIN journey_attempt_traces t ON t.attempt_id = ta.id
      WHERE tr.project_id = ${project}`,
    order: "tr.created_at DESC, ta.id DESC",
  }),
};
export const isTraced = (source: string): source is TracedSource => Object.hasOwn(latestTraces, source);

const traced: Record<TracedSource, string> = {
  eval: "eval_iterations WHERE project_id = $1 AND has_trace",
  swarm: latestTraces.swarm("$1").from,
};

/** Whether a project has more of them than are searched. */
export const moreTracesSql = (source: TracedSource, projectId: ProjectId): QueryConfig => ({
  text: `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${traced[source]} LIMIT ${searchedTraces + 1}) AS counted`,
  values: [projectId],
});

export interface Searched {
  words: string;
  scope: "titles" | "transcripts";
}

/** Those of a kind that match, with how well and by which words. */
export function searchSql(
  kind: FeedKind,
  { words, scope }: Searched,
  projectId: ProjectId,
  bind: Bind,
): string {
  const pattern = bind(`%${words.replace(/[\\%_]/g, "\\$&")}%`);
  if (scope === "titles") return inTitles(kind, pattern);
  const { source } = kind;
  return isTraced(source) ? inTraces(kind, source, pattern, bind(projectId)) : inMessages(kind, pattern);
}

const titles: Record<TracedSource, string> = { eval: "i.title", swarm: "j.journey_name" };

function inTitles({ source, columns, from, where }: FeedKind, pattern: string): string {
  const found = isTraced(source)
    ? { matched: titles[source], rank: "1", isFound: `${titles[source]} ILIKE ${pattern}` }
    : {
        matched: "s.first_message",
        rank: `CASE WHEN s.title ILIKE ${pattern} THEN 2 ELSE 1 END`,
        isFound: `(s.title ILIKE ${pattern} OR s.first_message ILIKE ${pattern})`,
      };
  return `SELECT ${columns}, ${found.matched} AS matched, ${found.rank} AS rank FROM ${from} WHERE ${where} AND ${found.isFound}`;
}

const inMessages = ({ columns, from, where }: FeedKind, pattern: string): string => `
  SELECT ${columns}, m.matched, m.hits AS rank FROM ${from}
  JOIN LATERAL (
    SELECT (array_agg(words ORDER BY index))[1] AS matched, count(*)::int AS hits
    FROM chat_messages WHERE session_id = s.id AND words ILIKE ${pattern}
  ) m ON m.hits > 0
  WHERE ${where}`;

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

function inTraces(kind: FeedKind, source: TracedSource, pattern: string, project: string): string {
  const latest = latestTraces[source](project);
  return `
  SELECT ${kind.columns}, found.matched, 1 AS rank FROM ${kind.from}
  JOIN (
    SELECT latest.id, said.words AS matched FROM (
      SELECT ${latest.id} AS id, t.trace FROM ${latest.from} ORDER BY ${latest.order} LIMIT ${searchedTraces}
    ) latest ${saidInTrace} WHERE said.words ILIKE ${pattern}
  ) found ON found.id = ${kind.id}
  WHERE ${kind.where}`;
}
