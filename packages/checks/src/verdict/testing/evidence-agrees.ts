/** @module Does what stands beside the mark of a check agree with the mark? For every suite, server and face. */
import type { CheckResult } from "../check-result.ts";

/** Words with which a judge says that something is wrong. */
const blame =
  /, not -?\d|\bmust\b|\bfail(s|ed)?\b|\binstead of\b|\b(is|are) missing\b|\b(has|have|with) no\b|\bwrong\b|\bunexpected|\brefused\b.*\bnot\b|\bdoes not\b|\binvalid\b/i;

/** What a judge itself said; messages, headers and addresses were written by others, and what a check is told to do is no blame. */
function ownWords(details: Record<string, unknown> = {}): string {
  const { evidence: _messages, hint: _hint, ...own } = details;
  return JSON.stringify(own);
}

type Shown = Pick<CheckResult, "id" | "status" | "error" | "details" | "warnings" | "skipReason"> & {
  title?: string;
};

/** One sentence for each check whose evidence says otherwise than its mark. */
export function disagreementsOf(checks: readonly Shown[]): string[] {
  return checks.flatMap((check) => {
    const said = disagreementIn(check);
    return said === undefined ? [] : [`${check.id}: ${said}`];
  });
}

function disagreementIn({ status, error, details, warnings, skipReason }: Shown): string | undefined {
  if (status === "passed") {
    if (error) return `it passed, and has the error ${JSON.stringify(error.message)}`;
    const decisive = warnings?.find(({ word }) => word === "MUST" || word === "schema");
    if (decisive) return `it passed, and breaks a ${decisive.word}: ${decisive.message}`;
    const words = ownWords(details);
    return warnings === undefined && blame.test(words)
      ? `it passed, and its evidence says ${words}`
      : undefined;
  }
  if (status === "failed") return error?.message ? undefined : "it failed, and nothing says why";
  if (warnings) return "it was skipped, and advises";
  return error?.message && skipReason ? undefined : "it was skipped, and nothing says why";
}

const marks = { "✓": "passed", "~": "passed", "✗": "failed", "!": "skipped", "·": "skipped" } as const;

/** The same of the text that people read: one sentence for each line whose mark says otherwise than the check. */
export function wrongMarksIn(text: string, checks: readonly Shown[]): string[] {
  return checks.flatMap(({ id, title = "", status, warnings }) => {
    const line = text.split("\n").find((one) => new RegExp(`^ {2}[✓~✗!·] ${id}(?: |$)`).test(one));
    const mark = line?.trim()[0] as keyof typeof marks | undefined;
    if (!line || mark === undefined) return [];
    const isAdvised = status === "passed" && warnings !== undefined;
    const fits = marks[mark] === status && (mark === "~") === isAdvised;
    // What a check is called is no evidence.
    const told = line.slice(line.indexOf(id) + id.length).replace(title, "");
    const isBlamed = mark === "✓" && blame.test(told);
    return fits && !isBlamed ? [] : [`${line.trim()} (${status}${isAdvised ? ", with advice" : ""})`];
  });
}
