/** @module Conformance runs as files: one for each run, and one for each report of it. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConformanceRunId, ServerId } from "@fettle/contract/core";
import { inspectorLimits } from "@fettle/contract/inspector";
import { createTurns } from "../core/turns.ts";
import type { ReportRow, RunWithReports } from "../servers/conformance/store.ts";
import { makePrivateFolder, readText, writePrivate } from "./files.ts";

export interface ConformanceFiles {
  find(id: string): RunWithReports | undefined;
  /** Newest first; of one server, or of all. */
  list(serverId?: ServerId): RunWithReports[];
  /** As it stands now; the oldest of the server go when there are too many. */
  keep(run: RunWithReports): Promise<void>;
  keepReport(run: RunWithReports, report: ReportRow): Promise<void>;
  reports(run: RunWithReports): Promise<ReportRow[]>;
  forget(serverId: ServerId): Promise<void>;
}

export async function openConformanceFiles(folder: string): Promise<ConformanceFiles> {
  makePrivateFolder(folder);
  const inTurn = createTurns();
  const runs = new Map<string, RunWithReports>();
  // Ids are our own and hold no separators.
  const fileOf = (id: ConformanceRunId, suite = "run") => join(folder, `${id}.${suite}.json`);
  for (const name of await readdir(folder)) {
    const run = name.endsWith(".run.json") ? runOf(await readText(join(folder, name))) : undefined;
    if (run) runs.set(run.id, run);
  }

  function list(serverId?: ServerId): RunWithReports[] {
    return [...runs.values()]
      .filter((run) => serverId === undefined || run.serverId === serverId)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  async function remove(gone: readonly RunWithReports[]): Promise<void> {
    for (const { id, requestedSuites } of gone) {
      runs.delete(id);
      const files = ["run", ...requestedSuites].map((suite) => fileOf(id, suite));
      await Promise.all(files.map((file) => rm(file, { force: true })));
    }
  }

  return {
    find: (id) => runs.get(id),
    list,
    keep: (run) =>
      inTurn(async () => {
        runs.set(run.id, run);
        await writePrivate(fileOf(run.id), JSON.stringify(run));
        await remove(list(run.serverId ?? undefined).slice(inspectorLimits.conformanceRuns));
      }),
    keepReport: (run, row) => inTurn(() => writePrivate(fileOf(run.id, row.suiteKind), JSON.stringify(row))),
    async reports(run) {
      const texts = await Promise.all(
        run.reports.map(({ suiteKind }) => readText(fileOf(run.id, suiteKind))),
      );
      return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text, revived) as ReportRow]));
    },
    forget: (serverId) => inTurn(() => remove(list(serverId))),
  };
}

/** One that cannot be read is as if it had not been made. */
function runOf(text: string | undefined): RunWithReports | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text, revived) as RunWithReports);
  } catch {
    return undefined;
  }
}

/** Moments are written as text. */
function revived(name: string, value: unknown): unknown {
  return /^(created|heartbeat|completed)At$/.test(name) && typeof value === "string"
    ? new Date(value)
    : value;
}
