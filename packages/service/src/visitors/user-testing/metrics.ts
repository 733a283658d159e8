/** @module What visitors' sessions add up to. Only the latest are looked at, and the answer says so. */

import { limits } from "@fettle/contract/core";
import type { Population, ScenarioMetrics, ScenarioUsage } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import * as sessions from "./session-store.ts";
import type { ScenarioRow } from "./store.ts";
import { countBegun } from "./tallies.ts";

const { userTesting } = limits;
const dayMs = 24 * 60 * 60 * 1000;

const sum = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((total, item) => total + of(item), 0);
const rate = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** The value that so many of a hundred are not above. */
function percentile(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}

const noSessionsYet = () =>
  missing("There are no sessions yet.", "Hand the scenario's link to somebody, or open it yourself.", {
    code: "NO_SESSIONS",
  });

export async function readMetrics(
  app: App,
  scenario: ScenarioRow,
  population: Population,
): Promise<ScenarioMetrics> {
  const begunOf = await countBegun(app.db, [scenario.id]);
  const begun = begunOf(scenario.id)[population];
  const filter = { scenarioId: scenario.id, population };
  const rows = await sessions.listSessions(app.db, filter, userTesting.analyzedSessions);
  if (rows.length === 0) throw noSessionsYet();
  const latencies = rows.flatMap(({ session }) => session.latencies).sort((one, other) => one - other);
  const tokens = rows.flatMap(({ chat }) =>
    chat.inputTokens === null && chat.outputTokens === null
      ? []
      : [(chat.inputTokens ?? 0) + (chat.outputTokens ?? 0)],
  );
  const toolCallCount = sum(rows, ({ chat }) => chat.toolCallCount);
  const toolErrorCount = sum(rows, ({ session }) => session.toolErrorCount);
  const rated = rows.filter(({ session }) => session.ratingCount > 0);
  const average = await averageOf(app, scenario, rated);
  const completed = rows.filter(({ session }) => session.ended !== null && session.ended !== "access");
  const failing = usedTools(rows).sort((one, other) => other.errors - one.errors)[0];
  return {
    population,
    sessions: begun,
    sessionCount: begun,
    analyzedCount: rows.length,
    truncated: rows.length === userTesting.analyzedSessions && begun > rows.length,
    messages: sum(rows, ({ chat }) => chat.messageCount),
    completedCount: completed.length,
    completionRate: rate(completed.length, rows.length),
    feedback: {
      count: sum(rated, ({ session }) => session.ratingCount),
      average,
      negativeCount: rows.filter(({ session }) => session.isNegative).length,
      rate: rate(rated.length, rows.length),
    },
    toolCallCount,
    toolErrorCount,
    toolErrorRate: rate(toolErrorCount, toolCallCount),
    sessionsWithToolErrors: rows.filter(({ session }) => session.toolErrorCount > 0).length,
    topFailingTool: failing && failing.errors > 0 ? failing.name : null,
    avgToolCallsPerSession: rate(toolCallCount, rows.length),
    latencyP50Ms: percentile(latencies, 50),
    latencyP95Ms: percentile(latencies, 95),
    avgTokensPerSession: rate(
      sum(tokens, (count) => count),
      tokens.length,
    ),
    tokenSampleCount: tokens.length,
    trend: trendOf(app.now(), rows),
  };
}

/** Of the ratings in the style that is asked for now, or was last: stars and thumbs have no average together. */
async function averageOf(
  app: App,
  { feedback }: ScenarioRow,
  rated: readonly sessions.JoinedSession[],
): Promise<number | null> {
  const ratings =
    rated.length === 0 ? [] : await sessions.listRatings(app.db, ...rated.map(({ session }) => session.id));
  const style = feedback === "off" ? ratings.at(-1)?.style : feedback;
  const alike = ratings.filter((rating) => rating.style === style);
  return rate(
    sum(alike, ({ value }) => value),
    alike.length,
  );
}

/** Day by day (UTC), those without a session too. */
function trendOf(now: number, rows: readonly sessions.JoinedSession[]): ScenarioMetrics["trend"] {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return Array.from({ length: userTesting.trendDays }, (_, ago) => {
    const day = dayOf(now - (userTesting.trendDays - 1 - ago) * dayMs);
    const of = rows.filter(({ session }) => dayOf(session.startedAt.getTime()) === day);
    return {
      day,
      sessions: of.length,
      toolErrors: sum(of, ({ session }) => session.toolErrorCount),
      negative: of.filter(({ session }) => session.isNegative).length,
    };
  });
}

type Used = ScenarioUsage["servers"][number];

function usedTools(rows: readonly sessions.JoinedSession[]): (Used & { server: string })[] {
  const used = new Map<string, Used & { server: string }>();
  for (const { session } of rows) {
    for (const [key, { server, calls, errors }] of Object.entries(session.tools)) {
      const name = key.slice(server.length + 1);
      const before = used.get(key) ?? { name, server, sessions: 0, calls: 0, errors: 0 };
      used.set(key, plus(before, { calls, errors }));
    }
  }
  return [...used.values()].sort((one, other) => other.calls - one.calls);
}

const plus = <T extends Used>(before: T, { calls, errors }: { calls: number; errors: number }): T => ({
  ...before,
  sessions: before.sessions + 1,
  calls: before.calls + calls,
  errors: before.errors + errors,
});

function usedServers(rows: readonly sessions.JoinedSession[]): Used[] {
  const used = new Map<string, Used>();
  for (const { session } of rows) {
    const tools = Object.values(session.tools);
    for (const name of new Set(tools.map(({ server }) => server))) {
      const own = tools.filter(({ server }) => server === name);
      const before = used.get(name) ?? { name, sessions: 0, calls: 0, errors: 0 };
      const calls = sum(own, (tool) => tool.calls);
      used.set(name, plus(before, { calls, errors: sum(own, (tool) => tool.errors) }));
    }
  }
  return [...used.values()].sort((one, other) => other.calls - one.calls);
}

export async function readUsage(app: App, scenario: ScenarioRow): Promise<ScenarioUsage> {
  const begunOf = await countBegun(app.db, [scenario.id]);
  const { real, synthetic } = begunOf(scenario.id);
  const total = real + synthetic;
  const rows = await sessions.listSessions(app.db, { scenarioId: scenario.id }, userTesting.analyzedSessions);
  if (rows.length === 0) throw noSessionsYet();
  const models = Map.groupBy(rows, ({ chat }) => chat.model);
  return {
    models: [...models].map(([name, of]) => ({ name, sessions: of.length })),
    tools: usedTools(rows),
    servers: usedServers(rows),
    scan: {
      analyzed: rows.length,
      total,
      matched: rows.length,
      truncated: rows.length === userTesting.analyzedSessions && total > rows.length,
    },
  };
}
