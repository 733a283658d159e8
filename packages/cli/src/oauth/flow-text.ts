/** @module A flow for eyes: each step with what came of it, what was chosen and why, and what was not as it should be. */
import type { OauthStep } from "@fettle/checks";
import type { Decision, FlowStep } from "@fettle/mcp";
import { lines, style, type Text, text } from "../output/text.ts";

export function storyText(steps: readonly FlowStep[]): Text {
  return lines(
    steps.flatMap(({ failure, ...step }) =>
      stepLines({ ...step, hints: failure?.hint === undefined ? [] : [failure.hint] }),
    ),
  );
}

/** The same of a judged run; its checks are told in one line each, unless there is something to say. */
export function judgedStoryText(steps: readonly OauthStep[]): Text {
  return lines(
    steps.flatMap(({ logs, warnings = [], teachableMoments = [], category, ...step }) => {
      const isCheck = category !== "flow" && category !== "verification";
      const isCalm = step.status === "passed" || step.skipReason === "not-applicable";
      return stepLines({
        ...step,
        summary: isCheck && isCalm && step.status === "passed" ? "" : step.summary,
        decisions: logs.filter((log) => log.kind === "decision"),
        warnings: warnings.map(({ word, message }) =>
          word === "inferred" ? message : `${word}: ${message}`,
        ),
        hints: teachableMoments,
      });
    }),
  );
}

interface StoryStep {
  step: string;
  title: string;
  summary: string;
  status: FlowStep["status"];
  skipReason?: OauthStep["skipReason"];
  decisions: Decision[];
  warnings: string[];
  hints: string[];
}

function stepLines({ step, title, summary, decisions, warnings, hints, ...rest }: StoryStep): Text[] {
  return [
    text`${markOf(rest)} ${style.bold(title)}  ${style.dim(step)}`,
    ...(summary === "" ? [] : [text`    ${summary}`]),
    ...decisions.map(decisionLine),
    ...warnings.map((warning) => text`    ${style.yellow("!")} ${warning}`),
    ...hints.map((hint) => text`    ${style.dim("→")} ${hint}`),
  ];
}

function markOf({ status, skipReason }: Pick<StoryStep, "status" | "skipReason">): Text {
  if (status === "passed") return style.green("✓");
  if (status === "failed") return style.red("✗");
  return skipReason === "could-not-run" ? style.yellow("!") : style.dim("·");
}

function decisionLine({ about, offered, picked, why }: Decision): Text {
  const choice = offered === undefined || shown(offered) === shown(picked) ? "" : ` of ${shown(offered)}`;
  return style.dim(text`    ${about}: ${shown(picked)}${choice}. ${why}`);
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
