/** @module The canonical report of hosted runs: what each came to, what never started, what was lost from sight, and what a gate says of it. */
import { type ReportCase, toJsonSummary, toJunitXml } from "@fettle/checks";
import { evalHtml, evalReportOf, type JudgedRun, type ToldAbove } from "@fettle/evals";
import { CliError, toCliError } from "../cli-error.ts";
import { writeOutFile } from "../output/out-file.ts";
import type { Call } from "../program/command.ts";
import type { HostedReporter } from "./hosted-flags.ts";

export interface HostedReport {
  runs: readonly JudgedRun[];
  /** What no run says of itself, first. */
  more: readonly ReportCase[];
  metadata: Record<string, unknown>;
  /** Where somebody decided; else the runs do. */
  passed?: boolean;
}

/** Passed: at least one run, every run passed, and nothing else went wrong. */
export function reportText(reporter: HostedReporter, report: HostedReport): string {
  const { runs, more } = report;
  if (reporter === "html") return evalHtml(runs, more.map(toldAbove));
  const own = runs.map(evalReportOf);
  const [only, another] = own;
  const input = {
    kind: "eval-run",
    cases: [...more, ...own.flatMap(({ cases }) => cases)],
    durationMs: spanOf(runs),
    metadata: {
      ...(only && !another ? only.metadata : { runs: own.flatMap(({ metadata }) => metadata.runs) }),
      ...report.metadata,
    },
  };
  if (reporter === "junit-xml") return toJunitXml(input);
  const isPassed =
    report.passed ??
    (runs.length > 0 &&
      runs.every(({ facts }) => facts.result === "passed") &&
      more.every(({ passed }) => passed));
  return `${JSON.stringify({ ...toJsonSummary(input), passed: isPassed })}\n`;
}

/** From the first that was made to the last that ended. */
function spanOf(runs: readonly JudgedRun[]): number {
  if (runs.length === 0) return 0;
  const ends = runs.map(({ facts: { createdAt, completedAt } }) => completedAt ?? createdAt);
  return Math.max(...ends) - Math.min(...runs.map(({ facts }) => facts.createdAt));
}

function toldAbove({ title, passed, skipped, error, waiver }: ReportCase): ToldAbove {
  const isOpen = skipped !== undefined || waiver !== undefined;
  return {
    title,
    state: isOpen ? "inconclusive" : passed ? "passed" : "failed",
    word: waiver ? "waived" : isOpen ? "no verdict" : passed ? "passed" : "failed",
    lines: [...(waiver ? [`Waived: ${waiver.reason}`] : []), ...(error?.split("\n") ?? [])],
  };
}

/** A run that never was. */
export function launchFailure(
  index: number,
  target: string,
  { code, message }: { code: string; message: string },
): ReportCase {
  return {
    id: `launch:${index + 1}`,
    title: target,
    category: "launch",
    passed: false,
    error: `${code}: ${message}`,
    details: { errorCode: code },
  };
}

/** What is printed and written, before any exit code is said. */
export async function flushReport(
  { print, world }: Pick<Call, "print" | "world">,
  flags: { reporter: HostedReporter | undefined; out: string | undefined },
  report: HostedReport,
): Promise<{ written?: string; error?: CliError }> {
  const { reporter, out } = flags;
  if (reporter === undefined && out === undefined) return {};
  const content = reportText(reporter ?? "json-summary", report);
  const outcome =
    out === undefined
      ? {}
      : await writeOutFile(world, out, content).then(
          (written) => ({ written }),
          (cause) => ({
            error: new CliError("OUT_WRITE_FAILED", toCliError(cause).message, {
              cause,
              hint: "Name another file with --out.",
            }),
          }),
        );
  if (reporter !== undefined) print.document(content);
  return outcome;
}
