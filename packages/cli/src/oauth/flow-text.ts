/** @module A flow for eyes: each step with what came of it, what was chosen and why, and what was not as it should be. */
import type { Decision, FlowStep } from "@fettle/mcp";
import { lines, style, type Text, text } from "../output/text.ts";

const marks = {
  passed: style.green("✓"),
  failed: style.red("✗"),
  skipped: style.dim("–"),
} as const;

export function storyText(steps: readonly FlowStep[]): Text {
  return lines(steps.flatMap(stepLines));
}

function stepLines({ status, step, title, summary, decisions, warnings, failure }: FlowStep): Text[] {
  return [
    text`${marks[status]} ${style.bold(title)}  ${style.dim(step)}`,
    ...(summary === "" ? [] : [text`    ${summary}`]),
    ...decisions.map(decisionLine),
    ...warnings.map((warning) => text`    ${style.yellow("!")} ${warning}`),
    ...(failure?.hint === undefined ? [] : [text`    ${style.dim("→")} ${failure.hint}`]),
  ];
}

function decisionLine({ about, offered, picked, why }: Decision): Text {
  const choice = offered === undefined || isSame(offered, picked) ? "" : ` of ${shown(offered)}`;
  return style.dim(text`    ${about}: ${shown(picked)}${choice}. ${why}`);
}

function isSame(offered: unknown, picked: unknown): boolean {
  return shown(offered) === shown(picked);
}

/** As one would say it; a list of nothing is worth saying too. */
function shown(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "nothing offered" : value.map(shown).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([name, item]) => `${name} ${shown(item)}`)
      .join("; ");
  }
  return String(value);
}
