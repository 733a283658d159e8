/** @module When a suite runs by itself. A schedule launches exactly one run, so it must be plain what it runs against. */

import type { EnvironmentId, EvalSuiteId, UserId } from "@fettle/contract/core";
import type { EvalSuiteDetail, EvalSuiteScheduleRequest } from "@fettle/contract/evals";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { changedSchedule } from "../../runs/schedules/change.ts";
import { findApproximated } from "./case-store.ts";
import * as store from "./store.ts";
import { viewSuite } from "./suite-view.ts";

export async function changeSchedule(
  app: App,
  db: Querier,
  found: store.SuiteRow,
  userId: UserId,
  { enabled, intervalMinutes, environmentId }: EvalSuiteScheduleRequest,
): Promise<EvalSuiteDetail> {
  if (!enabled && environmentId !== undefined) {
    const message =
      "A schedule is given its environment when it is turned on; turning it off keeps the one it has.";
    throw refused("VALIDATION_ERROR", "SCHEDULE_ENVIRONMENT_WITH_DISABLE", message, {
      path: "body.environmentId",
    });
  }
  return inTransaction(db, async (tx) => {
    const suite = await store.lockSuite(tx, found.id);
    if (!suite) throw notFound("evalSuite");
    const before = await store.findSchedule(tx, suite.id);
    const values = changedSchedule(before, { enabled, intervalMinutes }, { userId, now: app.now() });
    if (enabled) await requireNothingApproximated(tx, suite.id);
    if (values) {
      const pinned = enabled ? await pinFor(tx, suite.id, environmentId, before) : before?.environmentId;
      await store.saveSchedule(tx, { ...values, suiteId: suite.id, environmentId: pinned ?? null });
    }
    await announceInProject(app, tx, suite.projectId, "eval-suites");
    return viewSuite(tx, suite);
  });
}

/** The one named, the one it had, or the only one attached. */
async function pinFor(
  tx: Transaction,
  suiteId: EvalSuiteId,
  wanted: EnvironmentId | undefined,
  before: store.ScheduleRow | undefined,
): Promise<EnvironmentId | null> {
  const attached = await store.listEnvironmentIds(tx, suiteId);
  if (wanted !== undefined) {
    if (attached.includes(wanted)) return wanted;
    const message = "The environment is not attached to the suite.";
    throw refused("VALIDATION_ERROR", "ENVIRONMENT_NOT_ATTACHED", message, {
      path: "body.environmentId",
      environmentIds: attached,
    });
  }
  if (before?.environmentId && attached.includes(before.environmentId)) return before.environmentId;
  if (attached.length > 1) throw pinRequired(attached);
  const hosts = attached.length === 0 ? await store.listHosts(tx, suiteId) : [];
  if (hosts.length > 1) {
    const message =
      "Several clients are attached: a schedule runs against one. Attach an environment instead.";
    throw refused("VALIDATION_ERROR", "TARGET_REQUIRED", message, {
      hosts: hosts.map(({ clientId, name }) => ({ id: clientId, name })),
    });
  }
  return attached[0] ?? null;
}

/** Nobody is there to approve what a case only approximates. */
async function requireNothingApproximated(tx: Transaction, suiteId: EvalSuiteId): Promise<void> {
  const caseIds = await findApproximated(tx, suiteId);
  if (caseIds.length === 0) return;
  const message = "A case is approximated, which needs an approval at each launch: disable it first.";
  throw refused("CONFLICT", "APPROXIMATION_NOT_APPROVED", message, { caseIds });
}

/** Whether a schedule that is on would still know where to run, with these environments attached. */
export async function requirePinHolds(
  tx: Transaction,
  suiteId: EvalSuiteId,
  environmentIds: readonly EnvironmentId[],
): Promise<void> {
  const schedule = await store.findSchedule(tx, suiteId);
  if (!schedule?.enabled) return;
  const { environmentId } = schedule;
  if (environmentId !== null && !environmentIds.includes(environmentId)) {
    const message =
      "The schedule runs in an environment that would be detached: turn it off, or pin another first.";
    throw refused("VALIDATION_ERROR", "SCHEDULE_ENVIRONMENT_PINNED", message, { environmentId });
  }
  if (environmentId === null && environmentIds.length > 1) throw pinRequired(environmentIds);
}

function pinRequired(environmentIds: readonly EnvironmentId[]) {
  const message = "Several environments are attached: say which one the schedule runs in.";
  return refused("VALIDATION_ERROR", "SCHEDULE_ENVIRONMENT_PIN_REQUIRED", message, { environmentIds });
}
