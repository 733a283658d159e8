/** @module When a suite was changed: no two states of it are of the same moment, and what changes moves to the top of its list. */
import type { ExpectedUpdatedAt } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { nextUpdate } from "../../core/routing/as-read.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { changeSuite, type SuiteRow } from "./store.ts";

export const sharedSuite = { what: "The suite", code: "SUITE_CHANGED" };

/** Refused when it is no longer what whoever changes it has read. */
export const nextSuiteUpdate = (app: App, suite: SuiteRow, expectedUpdatedAt?: ExpectedUpdatedAt) =>
  nextUpdate(app, suite, expectedUpdatedAt, sharedSuite);

export async function touch(app: App, tx: Transaction, suite: SuiteRow): Promise<void> {
  await changeSuite(tx, suite.id, { updatedAt: nextSuiteUpdate(app, suite) });
  await announceInProject(app, tx, suite.projectId, "eval-suites");
}
