/** @module The reports of `eval run`: one text for each reporter, the same on stdout and in a file. */
import { appendFile } from "node:fs/promises";
import { toJsonSummary, toJunitXml } from "@fettle/checks";
import { escapeHidden } from "@fettle/contract/formats";
import {
  type CaseSource,
  type ComparedWith,
  evalHtml,
  evalMarkdown,
  evalReportOf,
  githubAnnotations,
  type JudgedRun,
} from "@fettle/evals";
import type { World } from "../world.ts";

export type EvalReporter = "json-summary" | "junit-xml" | "html" | "github";

/** What a report says beside the run itself. */
export interface ReportAround {
  source: CaseSource;
  comparedWith?: ComparedWith | undefined;
}

export function reportText(
  reporter: EvalReporter,
  record: JudgedRun,
  { source, comparedWith }: ReportAround,
): string {
  switch (reporter) {
    case "json-summary": {
      const report = evalReportOf(record);
      // A run may fail as a whole although none of its cases did.
      const passed = record.facts.result === "passed";
      return `${JSON.stringify({ ...toJsonSummary(report), passed })}\n`;
    }
    case "junit-xml":
      return toJunitXml(evalReportOf(record));
    case "html":
      return evalHtml(record, [], comparedWith);
    case "github":
      return githubAnnotations(record, source) + evalMarkdown(record);
  }
}

/** Where a workflow shows a page of its own, the summary goes there. */
export async function writeStepSummary(record: JudgedRun, { env }: Pick<World, "env">): Promise<void> {
  const path = env.GITHUB_STEP_SUMMARY;
  if (path) await appendFile(path, escapeHidden(evalMarkdown(record)));
}
