/** @module What the things are called that a proposal names by their ids: nobody decides about an id. */
import type { ProjectId } from "@fettle/contract/core";
import { isObject } from "@fettle/mcp";
import { type Column, type SQL, sql, type Table } from "drizzle-orm";
import type { Querier } from "../core/db/pool.ts";
import { calibrations } from "../core/tables/calibrations.ts";
import { clients } from "../core/tables/clients.ts";
import { conformanceRuns } from "../core/tables/conformance.ts";
import { environments } from "../core/tables/environments.ts";
import { evalRuns } from "../core/tables/eval-runs.ts";
import { evalCases, evalSuites } from "../core/tables/eval-suites.ts";
import { journeyRuns } from "../core/tables/journey-runs.ts";
import { readinessRuns } from "../core/tables/readiness.ts";
import { sandboxImages } from "../core/tables/sandbox-images.ts";
import { serverGroups } from "../core/tables/server-groups.ts";
import { savedCalls } from "../core/tables/server-history.ts";
import { servers } from "../core/tables/servers.ts";
import { journeys, personas, swarms } from "../core/tables/swarms.ts";
import { scenarios } from "../core/tables/user-testing.ts";

export type Names = ReadonlyMap<string, string>;

interface Source {
  from: Table;
  id: Column;
  name: Column;
  /** What tells its project and, of a run, what it is a run of. */
  join?: { to: Table; on: SQL };
  projectId: Column;
}

const named = (table: Table & { id: Column; name: Column; projectId: Column }): Source => ({
  from: table,
  id: table.id,
  name: table.name,
  projectId: table.projectId,
});
const ofServer = (table: Table & { id: Column; serverId: Column }, name: Column): Source => ({
  from: table,
  id: table.id,
  name,
  join: { to: servers, on: sql`${servers.id} = ${table.serverId}` },
  projectId: servers.projectId,
});

/** A run is called by what it is a run of. */
const sources: readonly Source[] = [
  ...[evalSuites, servers, environments, clients, serverGroups, scenarios, sandboxImages].map(named),
  ...[journeys, personas, swarms].map(named),
  { from: evalRuns, id: evalRuns.id, name: evalRuns.suiteName, projectId: evalRuns.projectId },
  { from: journeyRuns, id: journeyRuns.id, name: journeyRuns.journeyName, projectId: journeyRuns.projectId },
  {
    from: calibrations,
    id: calibrations.id,
    name: calibrations.environmentName,
    projectId: calibrations.projectId,
  },
  ofServer(conformanceRuns, servers.name),
  ofServer(readinessRuns, servers.name),
  ofServer(savedCalls, savedCalls.name),
  {
    from: evalCases,
    id: evalCases.id,
    name: evalCases.title,
    join: { to: evalSuites, on: sql`${evalSuites.id} = ${evalCases.suiteId}` },
    projectId: evalSuites.projectId,
  },
];

/** Longer ones would push what is decided about out of sight. */
const longestName = 60;
const mostIds = 500;

/** Of the project alone: an id of another one stays an id. */
export async function namesIn(db: Querier, projectId: ProjectId, values: unknown): Promise<Names> {
  const ids = [...idsIn(values)].slice(0, mostIds);
  if (ids.length === 0) return new Map();
  const list = sql`(${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )})`;
  const selects = sources.map(({ from, id, name, join, projectId: project }) => {
    const joined = join ? sql`JOIN ${join.to} ON ${join.on}` : sql``;
    return sql`SELECT ${id} AS id, ${name} AS name FROM ${from} ${joined} WHERE ${project} = ${projectId} AND ${id} IN ${list}`;
  });
  const { rows } = await db.execute<{ id: string; name: string | null }>(sql.join(selects, sql` UNION ALL `));
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, plainName(name)] as const])));
}

const idShape = /^[a-z]{2,5}_[0-9a-z]{10,64}$/;

function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === "string" && idShape.test(value)) found.add(value);
  else if (Array.isArray(value)) for (const one of value) idsIn(one, found);
  else if (isObject(value)) for (const one of Object.values(value)) idsIn(one, found);
  return found;
}

/** One line without anything that is not seen: people wrote it, and others decide by it. */
export function plainName(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.length > longestName ? `${line.slice(0, longestName - 1).toWellFormed()}…` : line;
}

/** The value with the name before each id that has one. */
export function withNames(value: unknown, names: Names): unknown {
  if (typeof value === "string") {
    const name = names.get(value);
    return name === undefined ? value : `“${name}” (${value})`;
  }
  if (Array.isArray(value)) return value.map((one) => withNames(one, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, names)]));
}
