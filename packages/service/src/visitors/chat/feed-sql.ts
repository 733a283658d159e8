/** @module The SQL of the list of all conversations, a page at a time. */
import type { SessionSource, TurnState } from "@fettle/contract/visitors";
import type { QueryConfig } from "pg";
import { type Bind, type FeedFilter, type FeedKind, feedKinds } from "./feed-kinds.ts";
import { type Searched, searchSql } from "./feed-search-sql.ts";

/** Where a page ended. */
export interface FeedPlace {
  rank: number;
  at: Date;
  id: string;
}

interface FeedQuery extends FeedFilter {
  searched: Searched | undefined;
  after: FeedPlace | undefined;
  limit: number;
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
  /** When it was last active, where the list is in another order. */
  ended_at: Date | null;
  model: string | null;
  message_count: number;
  turn_count: number | null;
  tool_calls: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  suite_id: string | null;
  run_id: string | null;
  journey_id: string | null;
  scenario_id: string | null;
  parent_label: string | null;
  matched: string | null;
  is_pinned: boolean;
  turn_state: TurnState | null;
  /** Of a search: how well it matches. Else: 1 for a pinned one. Before the moment, in the order of the list. */
  rank: number;
}

/** Undefined where nothing that is asked for can be there. */
export function feedSql(query: FeedQuery): QueryConfig | undefined {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { after, limit, searched, projectId } = query;
  const kinds = feedKinds(query, bind);
  const parts = kinds.map((kind) =>
    searched ? searchSql(kind, searched, projectId, bind) : latestSql(kind, query, bind),
  );
  if (parts.length === 0) return undefined;
  const beyond = after
    ? `WHERE (rank, at, id) < (${bind(after.rank)}::int, ${bind(after.at)}::timestamptz, ${bind(after.id)})`
    : "";
  return {
    text: `SELECT * FROM (${parts.join(" UNION ALL ")}) AS feed ${beyond} ORDER BY rank DESC, at DESC, id DESC LIMIT ${bind(limit)}`,
    values,
  };
}

/** As many of a kind as a page holds: the page is found among these. */
function latestSql(kind: FeedKind, { after, limit }: FeedQuery, bind: Bind): string {
  const { columns, from, where, at, id } = kind;
  const rank = kind.isPinned ? 1 : 0;
  const beyond =
    after && after.rank <= rank
      ? after.rank < rank
        ? "AND false"
        : // The first half again, because an index has only that where a kind is made of two tables.
          `AND ${at} <= ${bind(after.at)}::timestamptz AND (${at}, ${id}) < (${bind(after.at)}::timestamptz, ${bind(after.id)})`
      : "";
  return `(SELECT ${columns}, NULL AS matched, ${rank} AS rank FROM ${from} WHERE ${where} ${beyond}
    ORDER BY ${at} DESC, ${id} DESC LIMIT ${bind(limit)})`;
}
