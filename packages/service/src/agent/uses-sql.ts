/** @module The SQL behind `uses.ts`: what a touched resource reaches, and what runs or shows it. One statement, so one moment. */
import type { ProjectId, SharedNameKind, TouchedKind, UserId } from "@fettle/contract/core";
import { type Column, type SQL, sql, type Table } from "drizzle-orm";
import { agentActions } from "../core/tables/agent.ts";
import { clientConfigs, clients } from "../core/tables/clients.ts";
import { conformanceSchedules } from "../core/tables/conformance.ts";
import { environments } from "../core/tables/environments.ts";
import { evalCheckRepos } from "../core/tables/eval-elsewhere.ts";
import { evalRuns } from "../core/tables/eval-runs.ts";
import {
  evalSchedules,
  evalSuiteEnvironments,
  evalSuiteHosts,
  evalSuites,
} from "../core/tables/eval-suites.ts";
import { journeyRuns } from "../core/tables/journey-runs.ts";
import { sandboxImages } from "../core/tables/sandbox-images.ts";
import { serverGroups } from "../core/tables/server-groups.ts";
import { savedCalls, serverHistory } from "../core/tables/server-history.ts";
import { servers } from "../core/tables/servers.ts";
import { journeys, liveJourney, livePersona, liveSwarm, personas, swarms } from "../core/tables/swarms.ts";
import { scenarios } from "../core/tables/user-testing.ts";

export interface Touched {
  kind: TouchedKind;
  id: string;
}

export interface Looking {
  projectId: ProjectId;
  /** In whose name it would be changed. */
  userId: UserId;
  now: Date;
}

/** The name that a write gives to one of these. */
export interface Given {
  kind: SharedNameKind;
  name: string;
}

export type UseCode =
  | "schedule"
  | "pull_requests"
  | "ci"
  | "scenario"
  | "wave"
  | "monitor"
  | "proposal"
  | "made"
  | "made_suite"
  | "made_journey"
  | "ran"
  | "launched"
  | "shared"
  | "named";

export interface UseRow extends Record<string, unknown> {
  code: UseCode;
  /** Of the touched resource, or of what uses it. */
  id: string;
  name: string | null;
  detail: string | null;
}

/** A suite that CI ran in this time is taken to be run by it again. */
const ciDays = 30;

export function usesSql(
  looking: Looking,
  touched: readonly Touched[],
  given: (Given & { noun: string }) | undefined,
): SQL {
  const selects = [...runsByItself(looking, touched), ...usedByOthers(looking, touched)];
  if (given) selects.push(calledTheSame(looking, touched, given));
  return sql`WITH ${reached(looking, touched)} ${sql.join(selects, sql` UNION ALL `)}`;
}

const idsOf = (touched: readonly Touched[], kind?: TouchedKind): SQL => {
  const ids = touched.filter((one) => kind === undefined || one.kind === kind).map(({ id }) => sql`${id}`);
  return ids.length === 0 ? sql`'{}'::text[]` : sql`ARRAY[${sql.join(ids, sql`, `)}]::text[]`;
};

/** These are looked up in the project: a proposal may name one of another project, and comes to nothing. */
const reachedKinds: ReadonlySet<TouchedKind> = new Set(["environment", "evalSuite", "journey"]);

function reached({ projectId }: Looking, touched: readonly Touched[]): SQL {
  const of = (kind: TouchedKind) => idsOf(touched, kind);
  return sql`
    reached_groups AS (
      SELECT ${serverGroups.id} AS id FROM ${serverGroups}
      WHERE ${serverGroups.projectId} = ${projectId} AND ${serverGroups.serverIds} && ${of("server")}
    ),
    reached_clients AS (
      SELECT ${clients.id} AS id FROM ${clients} JOIN ${clientConfigs}
        ON ${clientConfigs.projectId} = ${clients.projectId} AND ${clientConfigs.id} = ${clients.configId}
      WHERE ${clients.projectId} = ${projectId} AND ${clientConfigs.serverIds} && ${of("server")}
    ),
    reached_environments AS (
      SELECT ${environments.id} AS id FROM ${environments}
      WHERE ${environments.projectId} = ${projectId} AND (
        ${environments.id} = ANY(${of("environment")})
        OR ${environments.sandboxImageId} = ANY(${of("sandboxImage")})
        OR ${environments.serverAttachmentId} IN (SELECT id FROM reached_groups)
        OR ${environments.hostId} IN (SELECT id FROM reached_clients)
      )
    ),
    reached_suites AS (
      SELECT ${evalSuites.id} AS id, ${evalSuites.name} AS name FROM ${evalSuites}
      WHERE ${evalSuites.projectId} = ${projectId} AND (
        ${evalSuites.id} = ANY(${of("evalSuite")})
        OR ${evalSuites.sandboxImageId} = ANY(${of("sandboxImage")})
        OR ${evalSuites.serverIds} && ${of("server")}
        OR ${evalSuites.id} IN (
          SELECT ${evalSuiteEnvironments.suiteId} FROM ${evalSuiteEnvironments}
          WHERE ${evalSuiteEnvironments.environmentId} IN (SELECT id FROM reached_environments)
        )
        OR ${evalSuites.id} IN (
          SELECT ${evalSchedules.suiteId} FROM ${evalSchedules}
          WHERE ${evalSchedules.environmentId} IN (SELECT id FROM reached_environments)
        )
        OR ${evalSuites.id} IN (
          SELECT ${evalSuiteHosts.suiteId} FROM ${evalSuiteHosts}
          WHERE ${evalSuiteHosts.serverIds} && ${of("server")}
            OR ${evalSuiteHosts.clientId} IN (SELECT id FROM reached_clients)
        )
      )
    ),
    reached_journeys AS (
      SELECT ${journeys.id} AS id, ${journeys.name} AS name,
        coalesce((
          SELECT direct FROM unnest(ARRAY[${journeys.id}, ${journeys.personaId}, ${journeys.swarmId}]) AS direct
          WHERE direct = ANY(${idsOf(touched)}) LIMIT 1
        ), ${journeys.id}) AS subject
      FROM ${journeys}
      WHERE ${journeys.projectId} = ${projectId} AND (
        ${journeys.id} = ANY(${of("journey")})
        OR ${journeys.personaId} = ANY(${of("persona")})
        OR ${journeys.swarmId} = ANY(${of("swarm")})
        OR ${journeys.environmentIds} && ARRAY(SELECT id FROM reached_environments)
        OR ${journeys.serverAttachmentId} IN (SELECT id FROM reached_groups)
      )
    ),
    proposable AS (
      SELECT unnest(${idsOf(touched.filter(({ kind }) => !reachedKinds.has(kind)))}) AS id
      UNION SELECT id FROM reached_environments
      UNION SELECT id FROM reached_suites
      UNION SELECT id FROM reached_journeys
    )`;
}

/** Without another click, or in front of visitors. */
function runsByItself({ projectId, now }: Looking, touched: readonly Touched[]): SQL[] {
  const since = new Date(now.getTime() - ciDays * 24 * 60 * 60 * 1000);
  return [
    sql`SELECT 'schedule' AS code, s.id, s.name, ${evalSchedules.intervalMinutes}::text AS detail
      FROM ${evalSchedules} JOIN reached_suites s ON s.id = ${evalSchedules.suiteId} WHERE ${evalSchedules.enabled}`,
    sql`SELECT 'pull_requests', s.id, s.name, ${evalCheckRepos.repo}
      FROM ${evalCheckRepos} JOIN reached_suites s ON s.id = ${evalCheckRepos.suiteId} WHERE ${evalCheckRepos.enabled}`,
    sql`SELECT 'ci', s.id, s.name, NULL FROM reached_suites s WHERE EXISTS (
      SELECT 1 FROM ${evalRuns} WHERE ${evalRuns.suiteId} = s.id AND ${evalRuns.ci} IS NOT NULL
        AND ${evalRuns.createdAt} > ${since.toISOString()}::timestamptz)`,
    sql`SELECT 'scenario', ${scenarios.id}, ${scenarios.name}, ${scenarios.mode}
      FROM ${scenarios} JOIN reached_environments e ON e.id = ${scenarios.environmentId}
      WHERE ${scenarios.unpublishedAt} IS NULL`,
    sql`SELECT 'wave', j.subject, j.name, NULL FROM reached_journeys j WHERE EXISTS (
      SELECT 1 FROM ${journeyRuns} WHERE ${journeyRuns.journeyId} = j.id AND ${journeyRuns.status} = 'running')`,
    sql`SELECT 'monitor', ${servers.id}, ${servers.name}, ${conformanceSchedules.intervalMinutes}::text
      FROM ${conformanceSchedules} JOIN ${servers} ON ${servers.id} = ${conformanceSchedules.serverId}
      WHERE ${conformanceSchedules.enabled} AND ${servers.projectId} = ${projectId}
        AND ${servers.id} = ANY(${idsOf(touched, "server")})`,
    // A person who approves must get what was there when it was proposed, until it is done.
    sql`SELECT 'proposal', ${agentActions.id}, NULL, NULL FROM ${agentActions}
      WHERE ${agentActions.projectId} = ${projectId} AND (
          ${agentActions.state} = 'open' AND ${agentActions.expiresAt} > ${now.toISOString()}::timestamptz
          OR ${agentActions.state} = 'running' AND ${agentActions.leaseUntil} > ${now.toISOString()}::timestamptz
        )
        AND ${agentActions.kind} <> 'cancel'
        AND EXISTS (SELECT 1 FROM proposable r WHERE strpos(${agentActions.arguments}::text, r.id) > 0)`,
  ];
}

type Named = Table & { id: Column; name: Column; projectId: Column };
const namedTables: Record<SharedNameKind, { table: Named; live?: SQL }> = {
  evalSuite: { table: evalSuites },
  persona: { table: personas, live: livePersona },
  journey: { table: journeys, live: liveJourney },
  swarm: { table: swarms, live: liveSwarm },
  sandboxImage: { table: sandboxImages },
};

function calledTheSame(
  { projectId }: Looking,
  touched: readonly Touched[],
  { kind, name, noun }: Given & { noun: string },
): SQL {
  const { table, live = sql`true` } = namedTables[kind];
  return sql`SELECT 'named', ${table.id}, ${table.name}, ${noun}::text FROM ${table}
    WHERE ${table.projectId} = ${projectId} AND ${live} AND lower(${table.name}) = lower(${name})
      AND ${table.id} <> ALL(${idsOf(touched, kind)})`;
}

function usedByOthers({ projectId, userId }: Looking, touched: readonly Touched[]): SQL[] {
  const made = (kind: TouchedKind, table: Named, author: Column) =>
    sql`SELECT 'made', ${table.id}, ${table.name}, NULL FROM ${table}
      WHERE ${table.projectId} = ${projectId} AND ${table.id} = ANY(${idsOf(touched, kind)})
        AND ${author} IS DISTINCT FROM ${userId}`;
  /** What it is part of. */
  const madeAround = (
    reached: "reached_suites" | "reached_journeys",
    table: typeof evalSuites | typeof journeys,
  ) =>
    sql`SELECT ${reached === "reached_suites" ? "made_suite" : "made_journey"}, r.id, r.name, NULL
      FROM ${sql.raw(reached)} r JOIN ${table} ON ${table.id} = r.id
      WHERE r.id <> ALL(${idsOf(touched)}) AND ${table.createdBy} IS DISTINCT FROM ${userId}`;
  const calls = idsOf(touched, "savedCall");
  return [
    made("evalSuite", evalSuites, evalSuites.createdBy),
    made("environment", environments, environments.createdBy),
    made("persona", personas, personas.createdBy),
    made("journey", journeys, journeys.createdBy),
    made("swarm", swarms, swarms.createdBy),
    made("server", servers, servers.createdBy),
    made("sandboxImage", sandboxImages, sandboxImages.ownerId),
    sql`SELECT 'made', ${savedCalls.id}, ${savedCalls.name}, NULL
      FROM ${savedCalls} JOIN ${servers} ON ${servers.id} = ${savedCalls.serverId}
      WHERE ${servers.projectId} = ${projectId} AND ${savedCalls.id} = ANY(${calls})
        AND ${savedCalls.createdBy} IS DISTINCT FROM ${userId}`,
    madeAround("reached_suites", evalSuites),
    madeAround("reached_journeys", journeys),
    sql`SELECT 'shared', ${sandboxImages.id}, ${sandboxImages.name}, NULL FROM ${sandboxImages}
      WHERE ${sandboxImages.projectId} = ${projectId} AND ${sandboxImages.sharing} = 'project'
        AND ${sandboxImages.id} = ANY(${idsOf(touched, "sandboxImage")})`,
    sql`SELECT 'ran', s.id, s.name, NULL FROM reached_suites s WHERE EXISTS (
      SELECT 1 FROM ${evalRuns} WHERE ${evalRuns.suiteId} = s.id AND ${evalRuns.createdBy} <> ${userId})`,
    sql`SELECT 'launched', j.subject, j.name, NULL FROM reached_journeys j WHERE EXISTS (
      SELECT 1 FROM ${journeyRuns} WHERE ${journeyRuns.journeyId} = j.id AND ${journeyRuns.createdBy} <> ${userId})`,
    sql`SELECT 'ran', call.id, NULL, NULL FROM unnest(${calls}) AS call(id) WHERE EXISTS (
      SELECT 1 FROM ${serverHistory} JOIN ${servers} ON ${servers.id} = ${serverHistory.serverId}
      WHERE ${servers.projectId} = ${projectId} AND ${serverHistory.callId} = call.id
        AND ${serverHistory.createdBy} <> ${userId})`,
  ];
}
