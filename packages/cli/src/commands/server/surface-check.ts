/** @module `fettle server surface check`: what changed since the lock was written, and whether it breaks those who use the server. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type ChangeClass,
  changeClasses,
  diffSurfaces,
  type ReportInput,
  readLock,
  readSurface,
  type Surface,
  type SurfaceChange,
  skippedSections,
  toJsonSummary,
  toJunitXml,
} from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { usageError } from "../../cli-error.ts";
import { asUntold } from "../../connection/failure.ts";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import { whyUnreadable } from "../../files/unreadable.ts";
import { annotationsOf } from "../../output/annotation.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { World } from "../../world.ts";
import { defaultLockFile, type surfaceCheckFlags } from "./flags.ts";

type CheckCall = Call<typeof surfaceCheckFlags, NoArguments>;

export async function run(call: CheckCall): Promise<Outcome> {
  const { flags } = call;
  const startedAt = performance.now();
  const locked = await readLockFile(call.world, flags.lock ?? defaultLockFile);
  const failOn = flags.failOn ?? "breaking";
  const outcome = await withServer(call, async ({ connection, plan, deadline }) => {
    const current = await readSurface(connection, { skip: skippedSections(locked), signal: deadline.signal });
    const changes = diffSurfaces(locked, current);
    const passed = !changes.some((change) => isFailure(change, failOn));
    return {
      value: { target: plan.facts.label, passed, failOn, summary: tally(changes), changes },
      human: (view) => describe(changes, passed, view),
      hint: changes.length > 0 ? suggest(["server", "surface", "lock"]) : undefined,
      exitCode: passed ? exitCodes.ok : exitCodes.failed,
    };
  }).catch((error: unknown) => {
    throw asUntold(error);
  });
  const { changes } = outcome.value as { changes: SurfaceChange[] };
  const report = reportOf(changes, failOn, Math.round(performance.now() - startedAt));
  call.print.annotate(annotationsOf(report.cases, flags.lock ?? defaultLockFile));
  if (!flags.reporter) return outcome;
  call.print.document(
    flags.reporter === "junit-xml" ? toJunitXml(report) : `${JSON.stringify(toJsonSummary(report))}\n`,
  );
  return { ...outcome, silent: true };
}

async function readLockFile({ cwd }: World, path: string): Promise<Surface> {
  const hint = "Write one with `fettle server surface lock`, and commit it.";
  let content: string;
  try {
    content = await readFile(resolve(cwd, path), "utf8");
  } catch (cause) {
    throw usageError(`The lock cannot be read: ${whyUnreadable(cause)}.`, {
      cause,
      hint,
    });
  }
  const reading = readLock(content);
  if (!reading.ok) throw usageError(`${path} is not usable: ${reading.reason}.`, { hint });
  return reading.surface;
}

type FailOn = ChangeClass | "any" | "none";

/** A class names itself and everything worse. */
function isFailure({ class: how }: SurfaceChange, failOn: FailOn): boolean {
  if (failOn === "none") return false;
  if (failOn === "any") return true;
  return changeClasses.indexOf(how) <= changeClasses.indexOf(failOn);
}

function tally(changes: readonly SurfaceChange[]): { total: number } & Record<ChangeClass, number> {
  const of = (how: ChangeClass) => changes.filter((change) => change.class === how).length;
  return {
    total: changes.length,
    breaking: of("breaking"),
    compatible: of("compatible"),
    "text-only": of("text-only"),
  };
}

function reportOf(changes: readonly SurfaceChange[], failOn: FailOn, durationMs: number): ReportInput {
  return {
    kind: "surface-check",
    durationMs,
    metadata: { failOn },
    cases: changes.map((change) => ({
      id: `${change.kind}:${change.name}${change.path}`,
      title: titleOf(change),
      category: change.kind,
      classification: change.class,
      passed: !isFailure(change, failOn),
      ...(isFailure(change, failOn) && {
        error: `${change.class} change`,
        details: { before: change.before, after: change.after },
      }),
    })),
  };
}

function titleOf({ kind, name, change, path }: SurfaceChange): string {
  return [kind, name, change, path].filter((word) => word !== "").join(" ");
}

const marks: Record<ChangeClass, (word: string) => Text> = {
  breaking: style.red,
  compatible: style.green,
  "text-only": style.dim,
};

function describe(changes: readonly SurfaceChange[], passed: boolean, { width }: View): Text {
  if (changes.length === 0) return text`${style.green("✓")} Nothing changed since the lock.`;
  const columns = [
    { header: "CHANGE" },
    { header: "WHAT" },
    { header: "WHERE", shrinks: true },
    { header: "BEFORE", shrinks: true },
    { header: "AFTER", shrinks: true },
  ];
  const rows = changes.map(({ class: how, kind, name, change, path, before, after }) => [
    marks[how](how),
    text`${kind}${name === "" ? "" : text` ${style.bold(name)}`}`,
    path === "" ? change : path.slice(1),
    path === "" ? "" : brief(before),
    path === "" ? "" : brief(after),
  ]);
  const { breaking, compatible, "text-only": words } = tally(changes);
  return lines([
    table(columns, rows, width),
    "",
    text`${passed ? style.green("✓") : style.red("✗")} ${count(changes.length, "change")}: ${breaking} breaking, ${compatible} compatible, ${words} text-only`,
  ]);
}

function brief(value: unknown): string {
  if (value === undefined) return "";
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 80);
}
