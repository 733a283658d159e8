/** @module What is said of a call that was made again: how it came out, and what is different. */
import type { HistoryComparison, RanAgain, ServerHistoryDetail } from "@fettle/contract/servers";
import { outline } from "../output/outline.ts";
import { count, facts } from "../output/table.ts";
import { lines, style, type Text, text } from "../output/text.ts";

/** All of it; the messages are in `--format json`. */
export function entryText(entry: ServerHistoryDetail): Text {
  const { parameters, withheld, result, recording } = entry;
  return lines([
    entryFacts(entry),
    ...part("Parameters", parameters),
    ...(withheld.length > 0 ? [style.dim(`Credentials are not kept: ${withheld.join(", ")}`)] : []),
    ...(entry.isResultCut ? [style.dim("The result was too long to be kept.")] : part("Result", result)),
    text``,
    style.dim(`${count(recording.length, "message")} behind it: --format json`),
  ]);
}

function part(title: string, value: unknown): Text[] {
  return value === null ? [] : [text``, style.bold(title), outline(value)];
}

function entryFacts({
  id,
  kind,
  subject,
  outcome,
  code,
  durationMs,
  summary,
  by,
  at,
}: ServerHistoryDetail): Text {
  return facts([
    ["Entry", id],
    ["What", subject === null ? kind : `${kind} ${subject}`],
    ["At", new Date(at).toISOString()],
    ["By", by?.name],
    ["Outcome", code === null ? outcome : `${outcome} (${code})`],
    ["Took", `${durationMs} ms`],
    ["Said", summary],
  ]);
}

export function ranAgainText({ entry, comparison }: RanAgain): Text {
  return lines([entryFacts(entry), text``, comparisonText(comparison)]);
}

export function comparisonText({ before, isSame, changes, isCut }: HistoryComparison): Text {
  if (!before) return style.dim("There is no earlier result to compare with.");
  const since = `the one of ${new Date(before.at).toISOString()} (${before.outcome})`;
  if (isSame) return text`${style.green("The same")} as ${since}`;
  return lines([
    text`${style.yellow(count(changes.length, "difference"))} from ${since}`,
    ...changes.map(({ path, kind, before: was, after: is }) => {
      const parts = { added: ["+", is], removed: ["-", was], changed: ["~", is] } as const;
      const [sign, value] = parts[kind];
      const told = kind === "changed" ? text`${short(was)} → ${short(value)}` : text`${short(value)}`;
      return text`${sign} ${style.bold(path || "/")}  ${told}`;
    }),
    ...(isCut ? [style.dim("There is more, or a result was too long to be kept.")] : []),
  ]);
}

const shortLength = 80;

function short(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  return json.length > shortLength ? `${json.slice(0, shortLength)}…` : json;
}
