/** @module A suite as it is answered: whole, or as a line of the list with how its runs went. */
import type { Page, ProjectId } from "@fettle/contract/core";
import type {
  EvalSuite,
  EvalSuiteDetail,
  EvalSuiteSchedule,
  EvalSuiteSettings,
} from "@fettle/contract/evals";
import { inArray } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { cutPage, type PageOrWhole, rangeOf, readPlace, writeCursor } from "../../core/routing/page.ts";
import { servers } from "../../core/tables/servers.ts";
import { toldSchedule } from "../../runs/schedules/change.ts";
import { wholeMatch } from "./read-case.ts";
import * as store from "./store.ts";

/** Advisory, and so asked for: a judge spends. */
export const usualSettings: EvalSuiteSettings = {
  minimumAccuracy: null,
  minimumIterations: null,
  matchOptions: null,
  checks: [],
  judge: { enabled: false, model: null, autoRun: false, threshold: 0.7 },
  failOnToolError: true,
};

export async function listSuites(
  db: Querier,
  projectId: ProjectId,
  { cursor, limit }: PageOrWhole,
): Promise<Page<EvalSuite>> {
  const rows = await store.listSuites(db, projectId, rangeOf(readPlace<"evalSuite">(cursor), limit));
  const { shown, next } = cutPage(rows, limit, ({ suite }) => writeCursor(suite.updatedAt, suite.id));
  const schedules = await store.listSchedules(
    db,
    shown.map(({ suite }) => suite.id),
  );
  const items = shown.map(({ suite, tally, latest }) => ({
    id: suite.id,
    name: suite.name,
    projectId: suite.projectId,
    origin: suite.origin,
    ...(suite.declaredId !== null && { declaredId: suite.declaredId }),
    tags: suite.tags,
    caseCount: tally?.cases ?? 0,
    createdAt: suite.createdAt.getTime(),
    updatedAt: suite.updatedAt.getTime(),
    latestRun: latest && {
      id: latest.id,
      status: latest.status,
      result: latest.result,
      passRate: latest.summary?.passRate ?? null,
      passed: latest.summary?.passed ?? null,
      failed: latest.summary?.failed ?? null,
      createdAt: latest.createdAt.getTime(),
    },
    totals: { passed: tally?.passed ?? 0, failed: tally?.failed ?? 0, runs: tally?.runs ?? 0 },
    passRateTrend: tally?.trend ?? [],
    schedule: toSchedule(schedules.get(suite.id)),
  }));
  return { items, ...next };
}

export async function viewSuite(db: Querier, row: store.SuiteRow): Promise<EvalSuiteDetail> {
  const hosts = await store.listHosts(db, row.id);
  const environmentIds = await store.listEnvironmentIds(db, row.id);
  const schedule = await store.findSchedule(db, row.id);
  const caseCount = await store.countCases(db, row.id);
  const { model, provider, systemPrompt, temperature } = row;
  const isSet = [model, provider, systemPrompt, temperature].some((value) => value !== null);
  const executionConfig = {
    ...(model !== null && { model }),
    ...(provider !== null && { provider }),
    systemPrompt,
    temperature,
  };
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    projectId: row.projectId,
    origin: row.origin,
    ...(row.declaredId !== null && { declaredId: row.declaredId }),
    ...(row.sourceHash !== null && { sourceHash: row.sourceHash }),
    tags: row.tags,
    environment: {
      servers: row.serverIds,
      serverNames: await namesOf(db, row),
      computerEnvironment: row.sandboxImageId === null ? null : { id: row.sandboxImageId, name: null },
    },
    environmentIds,
    hosts: hosts.map(({ clientId, name, serverIds }) => ({
      id: clientId,
      name,
      ...(serverIds !== null && { servers: serverIds }),
    })),
    executionConfig: isSet ? executionConfig : null,
    settings: {
      ...row.settings,
      matchOptions: row.settings.matchOptions && wholeMatch(row.settings.matchOptions),
    },
    schedule: toSchedule(schedule),
    caseCount,
    createdBy:
      row.createdBy === null || row.createdByName === null
        ? null
        : { userId: row.createdBy, name: row.createdByName },
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

/** Also of servers that are deleted, which keep their names. */
async function namesOf(db: Querier, { projectId, serverIds }: store.SuiteRow): Promise<string[]> {
  if (serverIds.length === 0) return [];
  const rows = await db
    .select({ id: servers.id, name: servers.name, projectId: servers.projectId })
    .from(servers)
    .where(inArray(servers.id, serverIds));
  const names = new Map(rows.filter((row) => row.projectId === projectId).map(({ id, name }) => [id, name]));
  return serverIds.map((id) => names.get(id) ?? id);
}

function toSchedule(row: store.ScheduleRow | undefined): EvalSuiteSchedule {
  return { ...toldSchedule(row), environmentId: row?.environmentId ?? null };
}
