/** @module Keeps a suite's report: once, without credentials, counted by its own stamp. */
import { ApiError, limits } from "@fettle/contract/core";
import { redact } from "@fettle/contract/secrets";
import type { ConformanceSuite, ConformanceSuiteReport } from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { updateOpenRun } from "../../runs/life/store.ts";
import { hasEnded, isEnded } from "./ended.ts";
import { conformanceRunKind } from "./kind.ts";
import * as store from "./store.ts";
import { tallyOf } from "./tally.ts";

/** The same report again changes nothing, even after the run has ended; another one for the same suite is refused. */
export async function saveReport(
  app: App,
  tx: Transaction,
  run: store.RunRow,
  given: {
    suiteKind: ConformanceSuite;
    report: ConformanceSuiteReport;
    /** As the reporter measured it around the suite; else what the report says of itself. */
    durationMs?: number | undefined;
  },
): Promise<void> {
  const { suiteKind, report, durationMs = report.durationMs } = given;
  requireFitting(run, suiteKind, report);
  const contentHash = digestOf(report);
  const held = await store.findReport(tx, run.id, suiteKind);
  if (held?.contentHash === contentHash) return;
  if (held) {
    throw new ApiError("CONFLICT", `The run already has another report of the ${suiteKind} suite.`, {
      code: "REPORT_CONFLICT",
      suiteKind,
    });
  }
  requireOpen(run);
  await store.insertReport(tx, {
    runId: run.id,
    suiteKind,
    report: JSON.stringify(redact(report)),
    contentHash,
    tally: tallyOf(report),
    profileId: report.profile?.profileId ?? null,
    profileVersion: report.profile?.profileVersion ?? null,
    durationMs: Math.round(durationMs),
    createdAt: new Date(app.now()),
  });
  await updateOpenRun(tx, conformanceRunKind, run.id, { heartbeatAt: new Date(app.now()) });
  await announceInProject(app, tx, run.projectId, "conformance-runs");
}

export function requireOpen(run: store.RunRow): void {
  if (isEnded(run)) throw hasEnded(run);
}

function requireFitting(
  run: store.RunRow,
  suiteKind: ConformanceSuite,
  report: ConformanceSuiteReport,
): void {
  const refuse = (code: string, message: string, path: string) =>
    new ApiError("VALIDATION_ERROR", message, { code, path });
  if (!run.requestedSuites.includes(suiteKind)) {
    throw refuse(
      "SUITE_NOT_REQUESTED",
      `The run was not started for the ${suiteKind} suite.`,
      "body.suiteKind",
    );
  }
  if (report.kind !== `${suiteKind}-conformance`) {
    throw refuse("WRONG_KIND", `This is a report of kind ${report.kind}.`, "body.report.kind");
  }
  if (isDeeper(report, limits.conformance.depth)) {
    throw refuse(
      "REPORT_TOO_DEEP",
      `A report nests at most ${limits.conformance.depth} levels.`,
      "body.report",
    );
  }
}

/** Stops one level past the bound, so that no nesting can exhaust the stack. */
function isDeeper(value: unknown, bound: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return bound === 0 || Object.values(value).some((inner) => isDeeper(inner, bound - 1));
}
