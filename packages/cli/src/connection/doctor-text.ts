/** @module The doctor's report for eyes: the verdict, the steps, then each finding with what was seen and what to try. */
import { type DoctorCheck, type DoctorFinding, type DoctorReport, doctorChecks } from "@fettle/checks";
import type { View } from "../output/printer.ts";
import { shellWords } from "../output/shell-words.ts";
import { count, facts, table } from "../output/table.ts";
import { block, lines, style, type Text, text, wrap } from "../output/text.ts";
import type { Call } from "../program/command.ts";

const verdicts: Record<DoctorReport["status"], Text> = {
  ready: style.green("✓ ready"),
  oauth_required: style.yellow("! asks for a sign-in"),
  partial: style.yellow("! works in part"),
  error: style.red("✗ does not work"),
};

export interface DoctorTextOptions {
  advise: Call["advise"];
  /** Where the report was written. */
  artifact?: string | undefined;
}

export function doctorText(
  report: DoctorReport,
  { width }: View,
  { advise, artifact }: DoctorTextOptions,
): Text {
  const { initInfo, tools, resources, resourceTemplates, prompts } = report;
  const { name, version } = initInfo?.serverVersion ?? {};
  const rows = doctorChecks.map((check) => {
    const { status, detail, durationMs } = report.checks[check];
    return [text`${marks[status]} ${check}`, detail, durationMs === undefined ? "" : `${durationMs} ms`];
  });
  const columns = [
    { header: "CHECK" },
    { header: "FOUND", shrinks: true },
    { header: "TIME", align: "right" as const },
  ];
  return lines([
    facts([
      ["Status", verdicts[report.status]],
      ["Target", report.target.label],
      ["Server", name === undefined ? undefined : `${String(name)} ${String(version ?? "")}`.trim()],
      [
        "Offers",
        initInfo
          ? [
              count(tools.length, "tool"),
              count(resources.length, "resource"),
              count(resourceTemplates.length, "template"),
              count(prompts.length, "prompt"),
            ].join(", ")
          : undefined,
      ],
      ["Artifact", artifact],
    ]),
    "",
    table(columns, rows, width),
    ...report.findings.flatMap((finding) => ["", findingText(finding, width, advise)]),
  ]);
}

const marks: Record<DoctorCheck["status"], Text> = {
  ok: style.green("✓"),
  error: style.red("✗"),
  skipped: style.dim("·"),
};

const severityMarks: Record<DoctorFinding["severity"], Text> = {
  error: style.red("✗"),
  warning: style.yellow("!"),
  advice: style.yellow("~"),
};

function findingText(
  { severity, code, summary, evidence, next }: DoctorFinding,
  width: number,
  advise: Call["advise"],
): Text {
  const advised = next.command && advise(shellWords(next.command));
  const room = Math.min(Number.isFinite(width) ? width : 100, 100) - 4;
  return lines([
    text`${severityMarks[severity]} ${style.bold(summary)} ${style.dim(`(${code})`)}`,
    ...seen(evidence).map((line) => text`    ${line}`),
    ...wrap(next.text, room).map((line, index) => text`  ${index === 0 ? style.dim("→") : " "} ${line}`),
    ...(advised ? [text`    ${style.cyan(advised.line)}`] : []),
    ...(advised?.before ? [text`    ${style.dim(advised.before)}`] : []),
  ]);
}

/** What only repeats the summary or the target is left out; JSON has it all. */
const untold = new Set([
  ...["url", "phase", "timeoutMs", "method", "challenge", "html", "afterConnect"],
  ...["page", "index", "reason", "path", "tool", "rule", "capability", "count", "because", "pages"],
]);

function seen(evidence: Record<string, unknown>): Text[] {
  return Object.entries(evidence).flatMap(([key, value]) => {
    if (untold.has(key) || value === "" || value === null) return [];
    const said = [value].flat().filter((part) => ["string", "number"].includes(typeof part));
    if (said.length === 0) return [];
    const whole = said.join(", ").trimEnd();
    if (!whole.includes("\n")) return [text`${style.dim(key)} ${whole}`];
    return [
      style.dim(key),
      ...whole
        .split("\n")
        .slice(-8)
        .map((line) => text`  ${block(line)}`),
    ];
  });
}
