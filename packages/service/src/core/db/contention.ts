/**
 * @module What PostgreSQL undid because others changed the same rows at the same time: a deadlock or a serialization failure. Nothing
 * of it happened, so it is tried once more, here and nowhere else.
 */
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "@fettle/contract/core";
import type { Log } from "../log/log.ts";

/** Each is a place where rows are locked in two orders: worth a look. */
export const contentionMessage = "PostgreSQL ended a deadlock or a serialization failure; trying once more";

const contentionCodes = new Set(["40001", "40P01"]);

/** The cause of a Drizzle error counts as the error. */
export function isContention(error: unknown): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (contentionCodes.has(String(codeOf(fault)))) return true;
  }
  return false;
}

/** So that those who met do not meet again. */
const pauseMs = () => 10 + Math.random() * 90;

/**
 * Repeats work that PostgreSQL undid. The work may be a single statement or a whole transaction, never a part of one. What it does
 * outside the database, it does after its last statement.
 */
export async function repeatingOnce<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isContention(error)) throw error;
    log.warn(contentionMessage, { error });
  }
  await delay(pauseMs());
  return work();
}
