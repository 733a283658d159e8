/** @module Conformance runs on one's own machine: made by this process, a few at once, and kept as files. */

import { ApiError, type ConformanceRunId, limits, type ServerId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { inspectorLimits } from "@fettle/contract/inspector";
import { redact } from "@fettle/contract/secrets";
import type {
  ConformanceComparison,
  ConformanceExport,
  ConformanceExportFormat,
  ConformanceReportView,
  ConformanceRun,
  ConformanceRunStartRequest,
  ConformanceSuiteReport,
} from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import { newId } from "../core/id.ts";
import { nothingHere } from "../core/routing/not-found.ts";
import { version } from "../core/version.ts";
import { compareRuns, noEarlierRun } from "../servers/conformance/compare.ts";
import { type Ended, isEnded } from "../servers/conformance/ended.ts";
import { exportRun } from "../servers/conformance/export.ts";
import { chosenSuites, runSuite } from "../servers/conformance/run-suite.ts";
import {
  fixturesOf,
  noSuiteReport,
  readStored,
  toReportView,
  toRun,
} from "../servers/conformance/run-view.ts";
import type { ReportRow, RunWithReports } from "../servers/conformance/store.ts";
import { tallyOf, tallyRun } from "../servers/conformance/tally.ts";
import { verdictEntry } from "../servers/conformance/verdict-entry.ts";
import type { Asking } from "./asking.ts";
import { type ConformanceFiles, openConformanceFiles } from "./conformance-files.ts";
import type { HistoryFiles } from "./history-files.ts";
import { localProjectId } from "./local-place.ts";
import type { LocalServer } from "./saved-servers.ts";

export interface LocalConformance {
  start(
    server: LocalServer,
    body: ConformanceRunStartRequest,
  ): Promise<RunWithReports & { deduped: boolean }>;
  find(id: string): RunWithReports;
  list: ConformanceFiles["list"];
  shown(run: RunWithReports): ConformanceRun;
  /** What failed, and what could not run. */
  failing(run: RunWithReports): Promise<ConformanceReportView>;
  suiteReport(run: RunWithReports, kind: string): Promise<ConformanceSuiteReport>;
  exported(run: RunWithReports, format: ConformanceExportFormat): Promise<ConformanceExport>;
  /** With the last one before it that is comparable, unless one is named. */
  compare(run: RunWithReports, wanted: ConformanceRunId | undefined): Promise<ConformanceComparison>;
  cancel(run: RunWithReports): Promise<RunWithReports>;
  forget(serverId: ServerId): Promise<void>;
  /** Stops what is under way, and waits until it has. */
  close(): Promise<void>;
}

interface Parts {
  folder: string;
  url: string;
  asking: Asking;
  history: HistoryFiles;
  changed(about: "conformance-runs" | "history"): void;
}

interface Going {
  stop: AbortController;
  over: Promise<void>;
}

export async function openConformance({
  folder,
  url,
  asking,
  history,
  changed,
}: Parts): Promise<LocalConformance> {
  const files = await openConformanceFiles(folder);
  const going = new Map<ConformanceRunId, Going>();
  // Those that were under way when the process before this one was killed.
  for (const run of files.list().filter((each) => !isEnded(each))) await end(run, "cancelled");

  async function end(run: RunWithReports, status: Ended): Promise<void> {
    const tally = tallyRun(run.requestedSuites, run.reports);
    const completedAt = new Date();
    const durationMs = completedAt.getTime() - run.createdAt.getTime();
    Object.assign(run, { status, tally, outcome: tally.outcome, progress: null, completedAt, durationMs });
    await files.keep(run);
    // A run does not fail because its history does.
    await history
      .keep(
        must(run.serverId, "the server of a run of the inspector"),
        { callId: null, runId: run.id },
        verdictEntry(run, tally),
      )
      .catch(() => {});
    changed("conformance-runs");
    changed("history");
  }

  async function go(run: RunWithReports, server: LocalServer, stop: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(limits.conformance.hostedRunMs);
    const signal = AbortSignal.any([stop, late]);
    try {
      for (const suiteKind of run.requestedSuites) {
        let toldAt = 0;
        const found = await runSuite(suiteKind, {
          // Read anew for each suite: a token may have been renewed by the one before.
          reach: async () => asking.reach(server),
          protocolVersion: run.protocolVersion,
          fixtures: fixturesOf(run),
          signal,
          onProgress: ({ done, total }) => {
            run.progress = { suiteKind, done, total };
            if (Date.now() - toldAt < 1_000) return;
            toldAt = Date.now();
            changed("conformance-runs");
          },
        });
        if (found.kind === "fault") run.faults[suiteKind] = found.why;
        else await keepReport(run, { suiteKind, report: found.report });
      }
      await end(run, "completed");
    } catch (error) {
      const [first] = run.requestedSuites;
      if (!signal.aborted && first) run.faults[first] ??= "Something in the inspector broke.";
      await end(run, late.aborted ? "timed_out" : signal.aborted ? "cancelled" : "completed");
      if (!signal.aborted) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
  }

  async function keepReport(
    run: RunWithReports,
    { suiteKind, report }: { suiteKind: ReportRow["suiteKind"]; report: Parameters<typeof tallyOf>[0] },
  ): Promise<void> {
    const head = {
      runId: run.id,
      suiteKind,
      tally: tallyOf(report),
      profileId: report.profile?.profileId ?? null,
      profileVersion: report.profile?.profileVersion ?? null,
      durationMs: Math.round(report.durationMs),
      createdAt: new Date(),
    };
    const text = JSON.stringify(redact(report));
    await files.keepReport(run, { ...head, report: text, contentHash: digestOf(report) });
    run.reports.push(head);
    await files.keep(run);
    changed("conformance-runs");
  }

  function begin(server: LocalServer, body: ConformanceRunStartRequest): RunWithReports {
    const { idempotencyKey = null, protocolVersion = null, engineVersion = version, fixtures } = body;
    const requestedSuites = chosenSuites(body.suites);
    const now = new Date();
    return {
      id: newId("conformanceRun", now.getTime()),
      projectId: localProjectId,
      serverId: server.id,
      target: { kind: "server" },
      source: "ui",
      verification: "hosted",
      status: "running",
      requestedSuites,
      protocolVersion,
      engineVersion,
      fixtures: fixtures ? JSON.stringify(fixtures) : null,
      actorLabel: null,
      ci: null,
      externalRunId: null,
      startHash: digestOf({ requestedSuites, protocolVersion, fixtures: fixtures ?? null }),
      idempotencyKey,
      jobId: null,
      faults: {},
      progress: null,
      outcome: null,
      tally: null,
      durationMs: null,
      createdBy: null,
      createdAt: now,
      heartbeatAt: now,
      completedAt: null,
      reports: [],
    };
  }

  async function stopped(ids: readonly ConformanceRunId[]): Promise<void> {
    const stopping = ids.flatMap((id) => going.get(id) ?? []);
    for (const { stop } of stopping) stop.abort();
    await Promise.all(stopping.map(({ over }) => over));
  }

  async function whole(run: RunWithReports) {
    return { run, reports: await files.reports(run) };
  }

  return {
    async start(server, body) {
      const run = begin(server, body);
      const held =
        run.idempotencyKey !== null &&
        files.list(server.id).find(({ idempotencyKey }) => idempotencyKey === run.idempotencyKey);
      if (held && held.startHash === run.startHash) return { ...held, deduped: true };
      if (held) throw otherRun(held.id);
      if (going.size >= inspectorLimits.openConformanceRuns) throw tooMany();
      // Refused before anything is kept: a command that nobody has approved is not started.
      asking.reach(server);
      const stop = new AbortController();
      const kept = files.keep(run);
      const over = kept.then(() => go(run, server, stop.signal)).finally(() => going.delete(run.id));
      over.catch(() => {});
      going.set(run.id, { stop, over });
      await kept;
      changed("conformance-runs");
      return { ...run, deduped: false };
    },
    find(id) {
      const run = files.find(id);
      if (!run) throw nothingHere();
      return run;
    },
    list: files.list,
    shown: (run) => toRun(run, url),
    failing: async (run) => toReportView(run, await files.reports(run)),
    async suiteReport(run, kind) {
      const row = (await files.reports(run)).find(({ suiteKind }) => suiteKind === kind);
      if (!row) throw noSuiteReport();
      return readStored(row.report);
    },
    exported: async (run, format) => exportRun(run, await files.reports(run), format),
    async compare(run, wanted) {
      const named = wanted === undefined ? undefined : files.find(wanted);
      if (wanted !== undefined && !named) throw noEarlierRun();
      const earlier = named ?? files.list(run.serverId ?? undefined).find((each) => isBefore(each, run));
      return compareRuns(earlier && (await whole(earlier)), await whole(run));
    },
    async cancel(run) {
      if (isEnded(run)) throw runEnded(run);
      await stopped([run.id]);
      return run;
    },
    async forget(serverId) {
      await stopped(files.list(serverId).map(({ id }) => id));
      await files.forget(serverId);
    },
    close: () => stopped([...going.keys()]),
  };
}

/** One that ended before it, with a report of a suite that both were asked for. */
function isBefore(each: RunWithReports, { id, requestedSuites }: RunWithReports): boolean {
  const isShared = each.requestedSuites.some((kind) => requestedSuites.includes(kind));
  return each.id < id && each.status === "completed" && isShared && each.reports.length > 0;
}

const tooMany = () =>
  new ApiError("CONFLICT", "Other runs are still going on; wait for one, or stop it.", {
    code: "TOO_MANY_RUNS",
    most: inspectorLimits.openConformanceRuns,
  });

const otherRun = (runId: string) =>
  new ApiError("CONFLICT", "This key started a run of other suites.", {
    code: "IDEMPOTENCY_CONFLICT",
    runId,
  });

const runEnded = ({ status }: RunWithReports) =>
  new ApiError("CONFLICT", `This run is ${status.replace("_", " ")}; nothing can be added to it.`, {
    code: "RUN_ENDED",
    status,
  });
