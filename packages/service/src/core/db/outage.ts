/** @module Whether a failure is an outage of the database or its disk, rather than of the call that met it; and how that is said. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, codeOf } from "@fettle/contract/core";
import { DrizzleQueryError } from "drizzle-orm/errors";
import pg from "pg";
import { isContention } from "./contention.ts";
import { isConnectionFault } from "./pool.ts";
import { DatabaseSilent } from "./query-timeout.ts";
import { ConnectionsBusy } from "./shares.ts";

export type OutageReason = "database_down" | "disk_full" | "read_only" | "contention" | "busy";

/** How each is said, and how many seconds to wait before the next try. */
export const outages: Record<OutageReason, { message: string; retryAfter: number }> = {
  database_down: {
    message:
      "The database does not answer, or another change has held what this call needs for too long. Try again in a moment; if it goes on, whoever runs this service should see whether its PostgreSQL runs, has room on its disk, and what it waits for.",
    retryAfter: 2,
  },
  disk_full: {
    message:
      "The database's disk is full: nothing can be saved until whoever runs this service makes room on it. What was saved before is safe.",
    retryAfter: 15,
  },
  read_only: {
    message:
      "The database is read-only: nothing can be saved until whoever runs this service has seen why (a standby, or a disk in trouble).",
    retryAfter: 15,
  },
  busy: {
    message: "The service is handling too many requests at the moment. Try again.",
    retryAfter: 2,
  },
  contention: {
    message: "Other requests are changing the same data. Nothing was saved. Try again.",
    retryAfter: 1,
  },
};

export function unavailable(reason: OutageReason, details: Record<string, unknown> = {}): ApiError {
  const { message, retryAfter } = outages[reason];
  return new ApiError("UNAVAILABLE", message, { reason, ...details }, retryAfter);
}

/** For what must not be lost to a database that is away for a moment. The work must be safe to repeat. */
export async function outlasting<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of [200, 1_000]) {
    try {
      return await work();
    } catch (error) {
      if (!outageOf(error)) throw error;
    }
    await delay(pauseMs);
  }
  return work();
}

/** Undefined when the call itself is at fault, or anything else. */
export function outageOf(error: unknown): OutageReason | undefined {
  // What other servers refuse us also carries network codes, below errors of other kinds; those are not looked into.
  if (isContention(error)) return "contention";
  if (error instanceof ConnectionsBusy) return "busy";
  if (error instanceof DrizzleQueryError) return outageOf(error.cause);
  if (error instanceof DatabaseSilent) return outageOf(error.cause) ?? "database_down";
  if (error instanceof pg.DatabaseError) return ofState(error);
  const code = codeOf(error);
  // Of our own files, the key's for one.
  if (code === "ENOSPC" || code === "EDQUOT") return "disk_full";
  if (code === "EROFS") return "read_only";
  const isConnecting = error instanceof Error && "syscall" in error && error.syscall === "connect";
  if (code === "ENOENT" && !isConnecting) return undefined;
  const isOfAnother = error instanceof Error && error.cause !== undefined;
  return !isOfAnother && isConnectionFault(error) ? "database_down" : undefined;
}

function ofState({ code = "", message }: pg.DatabaseError): OutageReason | undefined {
  if (code === "53100") return "disk_full";
  // 42501 is also "permission denied", which no waiting mends.
  if (code === "25006" || (code === "42501" && /read-only file system/i.test(message))) return "read_only";
  // Class 53: out of resources; 57P: going down or starting; 58: the system's own faults; 08: the connection.
  // Two statements are ended by the server for lasting too long: one that runs, and a transaction that rests.
  const isDown = /^(53|57P|58|08)/.test(code) || code === "57014" || code === "25P03";
  return isDown ? "database_down" : undefined;
}
