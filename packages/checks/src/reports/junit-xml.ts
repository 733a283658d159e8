/** @module The same report as JUnit XML, which every CI reads. Whatever a server said in it, it stays well-formed XML 1.0. */
import type { ReportCase, ReportInput } from "./report.ts";
import { attribute, escaped, seconds } from "./xml-text.ts";

export function toJunitXml({ kind, cases, durationMs }: ReportInput): string {
  const shown = cases.length > 0 ? cases : [nothingFailed(kind)];
  const skipped = shown.filter((item) => skipWords(item) !== undefined).length;
  const failures = shown.filter((item) => !item.passed && skipWords(item) === undefined).length;
  const skips = skipped > 0 ? ` skipped="${skipped}"` : "";
  const suite = `name="${attribute(kind)}" tests="${shown.length}" failures="${failures}"${skips} time="${seconds(durationMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${suite}>`,
    `  <testsuite ${suite}>`,
    ...shown.map((item) => caseXml(kind, item)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** CI takes an empty suite for a broken one. */
function nothingFailed(kind: string): ReportCase {
  const id = kind === "tools-call-validation" ? "validation-passed" : "nothing-to-report";
  return { id, title: id, category: "validation", passed: true };
}

/** Why CI is to show it as skipped. */
function skipWords({ passed, skipped, waiver }: ReportCase): string | undefined {
  return waiver ? `Waived: ${waiver.reason}` : passed ? undefined : skipped;
}

function caseXml(kind: string, item: ReportCase): string {
  const { title, category, passed, durationMs, error, unchecked = [], details } = item;
  const skipped = skipWords(item);
  const className = `fettle.${kind}.${category}`.replace(/[^A-Za-z0-9_.-]/g, "-");
  const time = durationMs === undefined ? "" : ` time="${seconds(durationMs)}"`;
  const open = `    <testcase name="${attribute(title)}" classname="${className}"${time}`;
  const said = unchecked.map((part) => `      <system-out>${escaped(part)}</system-out>`);
  if (skipped !== undefined) {
    return [`${open}>`, `      <skipped message="${attribute(skipped)}"/>`, ...said, "    </testcase>"].join(
      "\n",
    );
  }
  if (passed) return said.length === 0 ? `${open}/>` : [`${open}>`, ...said, "    </testcase>"].join("\n");
  const body = details === undefined ? "" : escaped(JSON.stringify(details));
  return [
    `${open}>`,
    `      <failure message="${attribute(error ?? "failed")}">${body}</failure>`,
    ...said,
    "    </testcase>",
  ].join("\n");
}
