/** @module A compatibility report for eyes: a line per host, then each finding once with the hosts it holds for. */
import type {
  CompatFinding,
  CompatJudgement,
  CompatObservations,
  CompatVerdict,
  HostVerdict,
  UnknownDimension,
} from "@fettle/checks";
import type { View } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { join, lines, style, type Text, text, wrap } from "../output/text.ts";

const verdicts: Record<CompatVerdict, Text> = {
  works: style.green("✓ works"),
  unknown: style.dim("? unknown"),
  degraded: style.yellow("! degraded"),
  blocked: style.red("✗ blocked"),
};

const unknowns: Record<UnknownDimension, string> = {
  tools: "The tools could not be listed, so no host can be promised to work.",
  "tool-list-truncated": "The list of tools goes on after what was read, so no host can be promised to work.",
  widgets: "Some widgets could not be read, so what they need of a host is not known.",
  "protocol-versions": "Some protocol versions could not be tried.",
};

const confidences = { low: style.yellow("low"), medium: text`medium`, high: text`high` };

/** What is degraded for one reason may be worse for another that nobody could look at. */
function verdictText({ verdict, hasUnknowns }: Pick<HostVerdict, "verdict" | "hasUnknowns">): Text {
  return hasUnknowns && verdict === "degraded" ? text`${verdicts[verdict]}, ? more` : verdicts[verdict];
}

export function compatText(
  { hosts, summary, widgets, unknownDimensions }: CompatJudgement,
  { versions, tools }: CompatObservations,
  { width }: View,
): Text {
  const rows = hosts.map(({ hostLabel, findings, provenance, verifiedAt, ...host }) => [
    style.bold(hostLabel),
    verdictText(host),
    confidences[host.confidence],
    reasons(findings),
    style.dim(`${provenance} ${verifiedAt}`),
  ]);
  const columns = [
    { header: "HOST" },
    { header: "VERDICT" },
    { header: "CONFIDENCE" },
    { header: "WHY", shrinks: true },
    { header: "KNOWN BY" },
  ];
  const accepted = versions.filter(({ is }) => is === "accepted").map(({ version }) => version);
  const seen = [
    "fault" in tools ? "tools not listed" : count(tools.items.length, "tool"),
    `${count(widgets.total, "widget")}${widgets.appOnly > 0 ? ` (${widgets.appOnly} for the app alone)` : ""}`,
    `speaks ${accepted.sort().join(", ")}`,
  ];
  return lines([
    table(columns, rows, width),
    ...grouped(hosts).flatMap((group) => ["", findingText(group, width)]),
    ...(unknownDimensions.length > 0 ? [""] : []),
    ...unknownDimensions.map((dimension) => text`${style.yellow("!")} ${unknowns[dimension]}`),
    "",
    style.dim(seen.join(", ")),
    text`${count(hosts.length, "host")}: ${style.green(`${summary.works} works`)}, ${summary.degraded} degraded, ${summary.blocked} blocked, ${summary.unknown} unknown`,
  ]);
}

/** The codes of what is worst, so that the line says why it is not better. */
function reasons(findings: readonly CompatFinding[]): string {
  const telling = findings.filter(({ severity }) => severity !== "info");
  const shown = telling.length > 0 ? telling : findings;
  return [
    ...new Set(shown.map(({ code, capability }) => (capability ? `${code}:${capability}` : code))),
  ].join(", ");
}

interface FindingGroup {
  finding: CompatFinding;
  /** One line per host, as what follows from the finding may differ. */
  hosts: { label: string; detail: string; severity: CompatFinding["severity"] }[];
}

function grouped(hosts: readonly HostVerdict[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { hostLabel: label, findings } of hosts) {
    for (const finding of findings) {
      const { code, capability, title, tools, detail, severity } = finding;
      const key = JSON.stringify([code, capability, title, tools, finding.confidence]);
      const group = groups.get(key) ?? { finding, hosts: [] };
      groups.set(key, group);
      group.hosts.push({ label, detail, severity });
    }
  }
  const rank = ({ hosts: held }: FindingGroup) =>
    Math.min(...held.map(({ severity }) => ["blocker", "degraded", "info"].indexOf(severity)));
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

const marks: Record<CompatFinding["severity"], Text> = {
  blocker: style.red("✗"),
  degraded: style.yellow("!"),
  info: style.dim("·"),
};

const shownTools = 8;

function findingText({ finding, hosts }: FindingGroup, width: number): Text {
  const { title, code, tools = [], remediation, sources, confidence } = finding;
  const room = Math.min(Number.isFinite(width) ? width : 100, 100) - 4;
  const worst = hosts.some(({ severity }) => severity === "blocker")
    ? "blocker"
    : hosts.some(({ severity }) => severity === "degraded")
      ? "degraded"
      : "info";
  const rest = tools.length - shownTools;
  const named = `${tools.slice(0, shownTools).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const links = [...new Set(sources.flatMap(({ url }) => (url ? [url] : [])))];
  return lines([
    text`${marks[worst]} ${style.bold(title)} ${style.dim(`(${code}, confidence ${confidence})`)}`,
    ...(tools.length > 0 ? wrap(named, room).map((line) => text`    ${style.dim(line)}`) : []),
    ...said(hosts, room).map((line) => text`    ${line}`),
    ...(remediation
      ? wrap(remediation, room).map((line, index) => text`  ${index === 0 ? style.dim("→") : " "} ${line}`)
      : []),
    ...links.map((url) => text`    ${style.dim(url)}`),
  ]);
}

const hostPlace = "{host}";

/** Sentences that differ only in the host's name are said once, with all names. */
function said(hosts: FindingGroup["hosts"], room: number): Text[] {
  const sentences = new Map<string, string[]>();
  for (const { label, detail } of hosts) {
    const pattern = detail.replace(label, hostPlace);
    sentences.set(pattern, [...(sentences.get(pattern) ?? []), label]);
  }
  return [...sentences].flatMap(([pattern, labels]) => {
    const common = pattern.startsWith(hostPlace) ? "The host" : "the host";
    const subject = labels.length === 1 ? (labels[0] ?? common) : common;
    const names = labels.length === 1 ? [] : wrap(`(${labels.join(", ")})`, room);
    return [
      ...wrap(pattern.replace(hostPlace, subject), room).map((line) => join([line])),
      ...names.map((line) => style.dim(line)),
    ];
  });
}
