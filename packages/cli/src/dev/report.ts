/** @module What `fettle dev` says after each look: one line for machines, a few for people. */
import type { EntityChange } from "@fettle/checks";
import type { Outcome } from "../output/printer.ts";
import { count } from "../output/table.ts";
import { lines, style, type Text, text, type Writable } from "../output/text.ts";
import { type Difference, differenceOf, type Look } from "./look.ts";

export interface Reported {
  /** Zero for the first look. */
  number: number;
  /** Files whose change led to it. */
  files: readonly string[];
  at: string;
  before: Look | undefined;
  after: Look;
}

export function reportOf({ number, files, at, before, after }: Reported): Outcome {
  const { report, stderr } = after;
  const difference = before ? differenceOf(before, after) : nothing;
  const isRunning = report.connection.status === "connected";
  return {
    value: {
      event: number === 0 ? "started" : "changed",
      number,
      at,
      files,
      status: report.status,
      counts: countsOf(after),
      changes: difference.changes.map(({ before: _before, after: _after, ...change }) => change),
      checks: difference.checks,
      found: difference.found.map(brief),
      mended: difference.mended.map(brief),
      error: report.error,
      // Only where it is an answer to why: a server that runs may say much.
      stderr: isRunning ? null : stderr,
    },
    human: () =>
      lines([
        heading(number, files, after),
        ...(isRunning
          ? [
              ...(number === 0
                ? report.findings.map(({ summary }) => text`  ${style.yellow("!")} ${summary}`)
                : []),
              ...describe(difference),
            ]
          : silent(after)),
      ]),
  };
}

const nothing: Difference = { changes: [], checks: [], found: [], mended: [] };
const brief = ({ check, severity, code, summary }: Difference["found"][number]) => ({
  check,
  severity,
  code,
  summary,
});

function countsOf({ report: { tools, prompts, resources, resourceTemplates } }: Look) {
  return {
    tools: tools.length,
    prompts: prompts.length,
    resources: resources.length,
    resourceTemplates: resourceTemplates.length,
  };
}

function heading(number: number, files: readonly string[], { report }: Look): Text {
  const isRunning = report.connection.status === "connected";
  const { tools, prompts, resources } = countsOf({ report, stderr: "" });
  const offers = `${count(tools, "tool")}, ${count(prompts, "prompt")}, ${count(resources, "resource")}`;
  const mark = report.status === "ready" ? style.green("✓") : style.red("✗");
  const [file, ...others] = files;
  const why =
    file === undefined
      ? ""
      : text` ${style.dim(others.length === 0 ? file : `${file} and ${others.length} more`)}`;
  return text`${mark} ${style.bold(number === 0 ? "First look" : `Change ${number}`)}: ${isRunning ? offers : "the server does not run"}${why}`;
}

/** Of a server that runs: of one that does not, its last words say all there is. */
function describe({ changes, checks, found, mended }: Difference): Writable[] {
  const said = [
    ...changes.map(changeText),
    ...checks.map(
      ({ check, before, after, detail }) =>
        text`  ${verdicts[after]} ${check}: ${before} → ${after} ${style.dim(detail)}`,
    ),
    ...found.map(({ summary }) => text`  ${style.yellow("!")} ${summary}`),
    ...mended.map(({ summary }) => text`  ${style.green("✓")} no longer: ${summary}`),
  ];
  return said;
}

/** What was not looked at is neither good nor bad. */
const verdicts = { ok: style.green("✓"), error: style.red("✗"), skipped: style.dim("·") } as const;
const signs = { added: "+", removed: "-", modified: "~" } as const;
const tones = { breaking: style.red, non_breaking: style.green, informational: style.dim } as const;

function changeText({ entityType, entityId, changeType, classification, fieldChanges }: EntityChange): Text {
  const fields = fieldChanges.map(({ path }) => path.slice(1)).join(", ");
  const how = tones[classification](classification.replace("_", "-"));
  return text`  ${signs[changeType]} ${entityType} ${style.bold(entityId)} ${fields} ${how}`;
}

/** Why it does not run, in its own words. */
function silent({ report, stderr }: Look): Writable[] {
  const words = stderr.trimEnd();
  return [
    text`  ${report.error?.message ?? report.connection.detail}`,
    ...(words === "" ? [] : words.split("\n").map((line) => text`  ${style.dim("│")} ${line}`)),
    text`  ${style.dim("Waiting for the next change.")}`,
  ];
}
