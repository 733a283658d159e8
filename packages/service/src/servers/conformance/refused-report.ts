/** @module What becomes of a run whose report was refused: its reporter has usually gone, so nobody else would end it. */

import { type ApiError, type ConformanceRunId, idOf, limits } from "@fettle/contract/core";
import type { ConformanceSuite } from "@fettle/contract/servers";
import { z } from "zod";
import type { Transaction } from "../../core/db/pool.ts";
import { withoutZero } from "../../core/db/storable.ts";
import { endRun } from "../../runs/life/life.ts";
import { isEnded } from "./ended.ts";
import type { Reporter } from "./ingest.ts";
import { conformanceRunKind } from "./kind.ts";
import * as store from "./store.ts";

/** As much of a refused body as says where it belongs. */
const Told = z.object({ runId: idOf<"conformanceRun">(), suiteKind: z.unknown() });

/** Notes why beside the suite, or beside each that is still missing when the body names none of the run's. */
export async function noteRefusal(by: Reporter, body: unknown, { message }: ApiError): Promise<void> {
  const told = Told.safeParse(body);
  if (!told.success) return;
  const { runId, suiteKind } = told.data;
  await by.app.db.transaction(async (tx) => {
    const run = await store.lockRun(tx, by.projectId, runId);
    if (run?.verification !== "reported" || isEnded(run)) return;
    const named = run.requestedSuites.filter((kind) => kind === suiteKind);
    const kinds = named.length > 0 ? named : run.requestedSuites;
    for (const kind of kinds) await store.noteFault(tx, runId, kind, reasonOf(kind, message));
    await endIfNothingIsToCome(by, tx, runId);
  });
}

/** Of a run with a refused report: ends it once each suite has brought a report or was refused. */
export async function endIfNothingIsToCome(
  { app, projectId }: Pick<Reporter, "app" | "projectId">,
  tx: Transaction,
  runId: ConformanceRunId,
): Promise<void> {
  const run = await store.lockRun(tx, projectId, runId);
  if (!run || Object.keys(run.faults).length === 0) return;
  const reported = (await store.listReports(tx, runId)).map(({ suiteKind }) => suiteKind);
  const isToCome = (kind: ConformanceSuite) => !reported.includes(kind) && run.faults[kind] === undefined;
  if (run.requestedSuites.some(isToCome)) return;
  await endRun(app, tx, conformanceRunKind, run, { end: "completed" });
}

function reasonOf(kind: ConformanceSuite, message: string): string {
  return `The report of the ${kind} suite was refused: ${withoutZero(message.slice(0, limits.conformance.titleLength))}`;
}
