/** @module Starts operations twenty times at the same moment on one parent. What is sent is what the access matrix sends. */
import type { OperationDeclaration } from "@fettle/contract/core";
import { contentionMessage } from "../../core/db/contention.ts";
import type { Log } from "../../core/log/log.ts";
import type { TestService } from "../service.ts";
import { silentLog } from "../silent-log.ts";
import { preparedOperation } from "./prepared-operation.ts";

const atOnce = 20;

export interface AtOnce {
  /** `operation: status …` of each that was answered with 5xx, except 502. */
  faults: string[];
  /** The operations that were let in at least once. */
  succeeded: string[];
}

/** Keeps what PostgreSQL undid because of a deadlock, also where a second try hid it. */
export function deadlockLog(): { log: Log; deadlocks: unknown[] } {
  const deadlocks: unknown[] = [];
  const warn: Log["warn"] = (message, fields) => {
    if (message === contentionMessage) deadlocks.push(fields?.error);
  };
  const log: Log = { ...silentLog, warn, child: () => log };
  return { log, deadlocks };
}

export async function twentyAtOnce(
  service: TestService,
  operations: readonly OperationDeclaration[],
): Promise<AtOnce> {
  const told: AtOnce = { faults: [], succeeded: [] };
  for (const operation of operations) {
    const statuses = await statusesOf(service, operation);
    if (statuses.some((status) => status < 400)) told.succeeded.push(operation.id);
    // A server that is out of reach is no fault of ours.
    const bad = statuses.filter((status) => status >= 500 && status !== 502);
    if (bad.length > 0) told.faults.push(`${operation.id}: ${bad.join(" ")}`);
  }
  return told;
}

async function statusesOf(service: TestService, operation: OperationDeclaration): Promise<number[]> {
  const { send } = await preparedOperation(service, operation);
  return Promise.all(Array.from({ length: atOnce }, send));
}
