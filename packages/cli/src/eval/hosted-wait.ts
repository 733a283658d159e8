/** @module Waits until launched runs have ended, and reads what reports need of them. */
import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, ApiError, type EvalIteration, type EvalRunDetail } from "@fettle/contract";
import { CliError, toCliError } from "../cli-error.ts";

interface Place {
  client: ApiClient;
  projectId: string;
}

/** A short run is told soon; a long one is not asked after more often than this. */
const pollMs = { first: 250, growth: 1.5, most: 3_000 };
/** A service that is away for a moment loses no run. */
const patientFailures = 5;

const open: ReadonlySet<string> = new Set(["pending", "running"]);

export async function waitForRun(
  { client, projectId }: Place,
  runId: string,
  { until, now, signal }: { until: number; now(): number; signal: AbortSignal },
): Promise<EvalRunDetail> {
  let failures = 0;
  for (let wait = pollMs.first; ; wait = Math.min(wait * pollMs.growth, pollMs.most)) {
    try {
      const run = await client.getEvalRun({ projectId, runId });
      if (!open.has(run.status)) return run;
      failures = 0;
    } catch (error) {
      const mayPass = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (!mayPass || ++failures >= patientFailures) throw toCliError(error);
    }
    const left = until - now();
    if (left <= 0) {
      throw new CliError("TIMEOUT", "The run had not ended when the time to wait was over; it goes on.", {
        nextCommand: `fettle cloud eval status --run ${runId}`,
      });
    }
    await delay(Math.min(wait, left), undefined, { signal }).catch(() => {});
    if (signal.aborted) throw new CliError("OPERATIONAL_ERROR", "Not watched any more; the run goes on.");
  }
}

/** All of them, page by page. */
export async function readIterations({ client, projectId }: Place, runId: string): Promise<EvalIteration[]> {
  const all: EvalIteration[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const { items, nextCursor } = await client.listEvalRunIterations({ projectId, runId, query });
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}
