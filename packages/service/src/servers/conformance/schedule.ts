/** @module When a saved server is checked by itself, and the job that does so: one run for each window. */
import type { ServerId, UserId } from "@fettle/contract/core";
import { ApiError, limits } from "@fettle/contract/core";
import type {
  ConformanceSchedule,
  ConformanceScheduleRequest,
  ConformanceSuite,
} from "@fettle/contract/servers";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { conformanceSchedules } from "../../core/tables/conformance.ts";
import { servers } from "../../core/tables/servers.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { changedSchedule, toldSchedule } from "../../runs/schedules/change.ts";
import { type Due, launchDue, launcherOf } from "../../runs/schedules/launch-due.ts";
import { findSavedServer, type SavedServer } from "../live/store.ts";
import { requireRunnable, startHostedRun } from "./hosted.ts";

export async function readSchedule(db: Querier, serverId: ServerId): Promise<ConformanceSchedule> {
  return toSchedule(await findSchedule(db, serverId));
}

export async function changeSchedule(
  app: App,
  db: Querier,
  server: SavedServer,
  userId: UserId,
  request: ConformanceScheduleRequest,
): Promise<ConformanceSchedule> {
  const now = app.now();
  const { enabled, intervalMinutes, suites, firstRunAt } = request;
  if (enabled) await requireRunnable(app, server, suites);
  if (firstRunAt !== undefined && !(firstRunAt > now && firstRunAt <= now + farthestMs)) {
    throw new ApiError("VALIDATION_ERROR", "The first run is within a week from now.", {
      path: "body.firstRunAt",
      code: "FIRST_RUN_OUT_OF_RANGE",
    });
  }
  const before = await findSchedule(db, server.id);
  const values = changedSchedule(before, { enabled, intervalMinutes, firstRunAt }, { userId, now });
  if (!values) return toSchedule(undefined);
  const row = { ...values, suites: suites ?? before?.suites ?? null };
  await app.db.transaction(async (tx) => {
    await tx
      .insert(conformanceSchedules)
      .values({ serverId: server.id, ...row })
      .onConflictDoUpdate({ target: conformanceSchedules.serverId, set: row });
    await announceInProject(app, tx, server.projectId, "conformance-runs");
  });
  return readSchedule(app.db, server.id);
}

const farthestMs = limits.evals.scheduleIntervalMinutes.max * 60_000;

type ScheduleRow = typeof conformanceSchedules.$inferSelect;

async function findSchedule(db: Querier, serverId: ServerId): Promise<ScheduleRow | undefined> {
  const [row] = await db
    .select()
    .from(conformanceSchedules)
    .where(eq(conformanceSchedules.serverId, serverId));
  return row;
}

function toSchedule(row: ScheduleRow | undefined): ConformanceSchedule {
  return { ...toldSchedule(row), suites: row?.suites ?? null, lastRunId: row?.lastRunId ?? null };
}

export const checkScheduledJob = defineJob({
  name: "conformance.launch-scheduled",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => checkScheduled(app),
});

export function checkScheduled(app: App): Promise<void> {
  return launchDue<ServerId>(app, {
    table: conformanceSchedules,
    owner: "server_id",
    launch,
    announce: async (_, tx, serverId) => {
      const projectId = await projectOf(tx, serverId);
      if (projectId) await announceInProject(app, tx, projectId, "conformance-runs");
    },
  });
}

async function projectOf(db: Querier, serverId: ServerId) {
  const [row] = await db
    .select({ projectId: servers.projectId })
    .from(servers)
    .where(eq(servers.id, serverId));
  return row?.projectId;
}

async function launch(app: App, { ownerId, setBy, window }: Due<ServerId>): Promise<string> {
  const projectId = await projectOf(app.db, ownerId);
  // Nobody can mend that, so it is not tried every night.
  if (!projectId) throw new ApiError("FORBIDDEN", "The server was deleted.");
  const { userId } = await launcherOf(app, setBy, projectId);
  const server = await findSavedServer(app.db, { projectId, id: ownerId, userId });
  if (!server) throw new ApiError("FORBIDDEN", "The server was deleted.");
  const suites: ConformanceSuite[] | null = (await findSchedule(app.db, ownerId))?.suites ?? null;
  const body = { idempotencyKey: `schedule ${window.getTime()}`, ...(suites && { suites }) };
  const { runId } = await startHostedRun(app, { userId, kind: "schedule" }, server, body);
  return runId;
}
