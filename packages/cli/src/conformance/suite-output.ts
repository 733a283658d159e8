/** @module How every conformance suite answers: the result or a report on stdout, score lines on stderr, and one rule for exit codes. */
import { requiring, type SuiteReport, toSuiteJunitXml, unmetIn } from "@fettle/checks";
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import type { Outcome, Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import { suiteText } from "./suite-text.ts";

export interface SuiteOutput {
  report: SuiteReport;
  /** What `--format json` prints. */
  value: unknown;
  reporter: "json-summary" | "junit-xml" | undefined;
  /** The checks that were asked for by name. */
  checkIds?: readonly string[];
  /** A `--require-…` flag that was typed. */
  required?: string | undefined;
  verbose?: boolean;
}

/** A failed check is worse than one that could not run. */
export const exitOf: Record<SuiteReport["outcome"], ExitCode> = {
  passed: exitCodes.ok,
  "not-applicable": exitCodes.ok,
  failed: exitCodes.failed,
  incomplete: exitCodes.incomplete,
};

export function suiteOutcome(
  print: Printer,
  { report: judged, value, reporter, checkIds = [], required, verbose = false }: SuiteOutput,
): Outcome {
  const report = required === undefined ? judged : requiring(judged, required);
  tellScore(print, report);
  // Exit 0 reads like a pass to whoever asked for these very checks.
  if (checkIds.length > 0 && required === undefined && report.outcome === "not-applicable") {
    print.warn(text`Nothing was tested: ${checkIds.join(", ")} did not apply to this server.`);
  }
  const unmet = unmetIn(report);
  if (unmet !== undefined) print.warn(text`${unmet}`);
  print.annotate(
    report.groups
      .flatMap(({ cases }) => cases)
      .filter(({ status }) => status === "failed")
      .map(({ id, title, error }) => ({
        level: "error",
        title: `${title} (${id})`,
        message: error?.message ?? "Failed",
      })),
  );
  const outcome = {
    value,
    human: (view: { width: number }) => suiteText(report, view, { verbose }),
    exitCode: unmet !== undefined ? exitCodes.failed : exitOf[report.outcome],
  };
  if (!reporter) return outcome;
  print.document(reporter === "junit-xml" ? toSuiteJunitXml(report) : `${JSON.stringify(report)}\n`);
  return { ...outcome, silent: true };
}

function tellScore(print: Printer, { score, profile, advisories = [], incompleteReason }: SuiteReport): void {
  if (score) print.note(text`Score: ${score.score === null ? "not scored" : `${score.score} of 100`}`);
  if (profile) {
    const { profileId, profileVersion, checkerVersion } = profile;
    print.note(text`Profile: ${profileId}@${profileVersion} (checker ${checkerVersion})`);
  }
  if (advisories.length > 0) {
    print.note(text`Advice (${advisories.length}):`);
    for (const { id, tier, word, message } of advisories) {
      print.note(text`  ${word ?? tier?.toUpperCase() ?? "advice"} ${id} ${message ?? ""}`);
    }
  }
  if (incompleteReason !== undefined) print.note(text`Run incomplete: ${incompleteReason}`);
}
