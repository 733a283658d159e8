/** @module `fettle server diff`: what differs between a server and a file, or between two files, and whether it breaks callers. */
import {
  comparable,
  type DiffClass,
  type EntityChange,
  type FiledSurface,
  isDiffFailure,
  type ReportInput,
  readSurface,
  readSurfaceFile,
  reportDiff,
  type SurfaceDiff,
  skippedSections,
  toJsonSummary,
  toJunitXml,
} from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { usageError } from "../../cli-error.ts";
import { asUntold } from "../../connection/failure.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { withServer } from "../../connection/open-server.ts";
import { refuseOutOverInput, writeOutFile } from "../../output/out-file.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { camelCase } from "../../program/flag.ts";
import type { diffFlags } from "./flags.ts";

type DiffCall = Call<typeof diffFlags, NoArguments>;

export async function run(call: DiffCall): Promise<Outcome> {
  const startedAt = performance.now();
  const files = filesOf(call);
  await refuseOutOverInput(call.world, call.flags.out, Object.values(files));
  const outcome =
    "baseline" in files
      ? await compareLive(call, await readFiled(call, "--baseline", files.baseline))
      : await compare(
          call,
          await readFiled(call, "--left", files.left),
          await readFiled(call, "--right", files.right),
        );
  if (!call.flags.reporter) return outcome;
  const report = reportOf(outcome.value as SurfaceDiff, Math.round(performance.now() - startedAt));
  call.print.document(
    call.flags.reporter === "junit-xml" ? toJunitXml(report) : `${JSON.stringify(toJsonSummary(report))}\n`,
  );
  return { ...outcome, silent: true };
}

/** A server with a file, or a file with a file; anything else is refused before something is started or sent. */
function filesOf({ flags }: DiffCall): { baseline: string } | { left: string; right: string } {
  const { baseline, left, right } = flags;
  if (baseline !== undefined && (left !== undefined || right !== undefined)) {
    throw usageError("Give --baseline and a server, or --left and --right.");
  }
  if (baseline !== undefined) return { baseline };
  if (left === undefined || right === undefined) {
    throw usageError("Say what to compare: --baseline with a server, or --left with --right.", {
      hint: "Write a file with `fettle server surface lock` or `fettle server export`.",
    });
  }
  const live = Object.keys(connectionFlags).filter((name) => {
    const value = (flags as Record<string, unknown>)[camelCase(name)];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
  if (live.length > 0) {
    throw usageError(`--left and --right compare files; --${live[0]} is about a server.`);
  }
  return { left, right };
}

async function readFiled({ input }: DiffCall, flag: string, path: string): Promise<FiledSurface> {
  const reading = readSurfaceFile(await input.file(flag, path));
  if (reading.ok) return reading;
  throw usageError(`${flag} ${path} is not usable: ${reading.reason}.`, {
    hint: "Write one with `fettle server surface lock` or `fettle server export --format json`.",
  });
}

function compareLive(call: DiffCall, baseline: FiledSurface): Promise<Outcome> {
  return withServer(call, async ({ connection, deadline }) => {
    const skip = skippedSections(baseline.surface);
    const surface = await readSurface(connection, { skip, signal: deadline.signal });
    return compare(call, baseline, { kind: "lock", surface });
  }).catch((error: unknown) => {
    throw asUntold(error);
  });
}

async function compare(call: DiffCall, before: FiledSurface, after: FiledSurface): Promise<Outcome> {
  const { flags, world } = call;
  const diff = reportDiff(...comparable(before, after), flags.failOn ?? "breaking");
  if (flags.out !== undefined) await writeOutFile(world, flags.out, `${JSON.stringify(diff, null, 2)}\n`);
  return {
    value: diff,
    human: (view) => describe(diff, view),
    exitCode: diff.passed ? exitCodes.ok : exitCodes.failed,
  };
}

function reportOf({ changes, failOn }: SurfaceDiff, durationMs: number): ReportInput {
  return {
    kind: "server-diff",
    durationMs,
    metadata: { failOn },
    cases: changes.map((change) => {
      const passed = !isDiffFailure(change, failOn);
      return {
        id: `${change.entityType}:${change.entityId}`,
        title: [change.entityType, change.entityId, change.changeType].filter(Boolean).join(" "),
        category: change.entityType,
        classification: change.classification,
        passed,
        ...(!passed && {
          error: `${change.classification} change`,
          details: { fieldChanges: change.fieldChanges },
        }),
      };
    }),
  };
}

const marks: Record<DiffClass, (word: string) => Text> = {
  breaking: style.red,
  non_breaking: style.green,
  informational: style.dim,
};

function describe({ changes, passed, summary }: SurfaceDiff, { width }: View): Text {
  if (changes.length === 0) return text`${style.green("✓")} Nothing differs.`;
  const columns = [
    { header: "CHANGE" },
    { header: "WHAT" },
    { header: "WHERE", shrinks: true },
    { header: "BEFORE", shrinks: true },
    { header: "AFTER", shrinks: true },
  ];
  const { breaking, non_breaking, informational } = summary.byClassification;
  return lines([
    table(columns, changes.flatMap(rowsOf), width),
    "",
    text`${passed ? style.green("✓") : style.red("✗")} ${count(changes.length, "change")}: ${breaking} breaking, ${non_breaking} non-breaking, ${informational} informational`,
  ]);
}

function rowsOf({ entityType, entityId, changeType, classification, fieldChanges }: EntityChange) {
  const what = text`${entityType}${entityId === "" ? "" : text` ${style.bold(entityId)}`}`;
  if (fieldChanges.length === 0) return [[marks[classification](classification), what, changeType, "", ""]];
  return fieldChanges.map(({ path, classification: how, before, after }) => [
    marks[how](how),
    what,
    path.slice(1),
    brief(before),
    brief(after),
  ]);
}

function brief(value: unknown): string {
  if (value === undefined) return "";
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 80);
}
