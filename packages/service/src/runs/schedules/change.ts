/** @module What a schedule becomes when somebody turns it on, changes it or turns it off, and how it is told. */
import { ApiError, type UserId } from "@fettle/contract/core";
import type { conformanceSchedules } from "../../core/tables/conformance.ts";

type ScheduleValues = Pick<
  typeof conformanceSchedules.$inferSelect,
  "enabled" | "intervalMinutes" | "setBy" | "nextRunAt" | "state" | "failuresInARow" | "lastError"
>;

const minuteMs = 60_000;

/** Undefined when there is none and none is wanted. */
export function changedSchedule(
  before: ScheduleValues | undefined,
  wanted: { enabled: boolean; intervalMinutes?: number | undefined; firstRunAt?: number | undefined },
  { userId, now }: { userId: UserId; now: number },
): ScheduleValues | undefined {
  const intervalMinutes = wanted.intervalMinutes ?? before?.intervalMinutes;
  if (!wanted.enabled) {
    // One that was never set has no interval to keep.
    if (before === undefined || intervalMinutes === undefined) return undefined;
    return { ...before, enabled: false, intervalMinutes, nextRunAt: null };
  }
  if (intervalMinutes === undefined) {
    const code = "SCHEDULE_INTERVAL_REQUIRED";
    const message = "Say how many minutes apart the runs are.";
    throw new ApiError("VALIDATION_ERROR", message, { code, reason: code, path: "body.intervalMinutes" });
  }
  return {
    enabled: true,
    intervalMinutes,
    setBy: userId,
    nextRunAt: new Date(wanted.firstRunAt ?? now + intervalMinutes * minuteMs),
    state: "ok",
    failuresInARow: 0,
    lastError: null,
  };
}

export function toldSchedule(row: ScheduleValues | undefined) {
  return {
    enabled: row?.enabled ?? false,
    intervalMinutes: row?.intervalMinutes ?? null,
    state: row?.state ?? "ok",
    lastError: row?.lastError ?? null,
    nextRunAt: row?.enabled ? (row.nextRunAt?.getTime() ?? null) : null,
  };
}
