/** @module What a valid suite says that its author may not mean. Advice, never a refusal. */
import { unreadOperators } from "../predicates/match-arguments.ts";
import { testPattern } from "../predicates/pattern.ts";
import type { Predicate } from "../predicates/registry.ts";
import { pointerOf } from "./read-suite.ts";
import { checksOf } from "./select-cases.ts";
import type { SuiteCase, SuiteFile } from "./suite-file.ts";

export const suiteLints = [
  "no_assertion",
  "threshold_zero",
  "contradictory_checks",
  "literal_id_expected",
  "operator_not_read",
  "needle_in_prompt",
  "vacuous_regex",
  "unreachable_step",
] as const;
export type SuiteLint = (typeof suiteLints)[number];

export interface SuiteWarning {
  code: SuiteLint;
  path: (string | number)[];
  pointer: string;
  message: string;
}

interface Placed {
  predicate: Predicate;
  path: (string | number)[];
}

export function lintSuite(suite: SuiteFile): SuiteWarning[] {
  const zero = (path: (string | number)[]): SuiteWarning => {
    const message = "With a threshold of 0 a case passes even when every repetition fails.";
    return { code: "threshold_zero", path, pointer: pointerOf(path), message };
  };
  return [
    ...(suite.defaults.passThreshold === 0 ? [zero(["defaults", "passThreshold"])] : []),
    ...suite.cases.flatMap((item, index) => [
      ...(item.passThreshold === 0 ? [zero(["cases", index, "passThreshold"])] : []),
      ...lintCase(item, ["cases", index]),
    ]),
  ];
}

export function lintCase(item: SuiteCase, path: (string | number)[] = []): SuiteWarning[] {
  const warnings: SuiteWarning[] = [];
  const warn = (code: SuiteLint, at: (string | number)[], message: string) => {
    warnings.push({ code, path: at, pointer: pointerOf(at), message });
  };
  const placed: Placed[] = [
    ...item.steps.flatMap((step, index): Placed[] =>
      step.kind === "assert" && "type" in step.assertion
        ? [{ predicate: step.assertion, path: [...path, "steps", index, "assertion"] }]
        : [],
    ),
    ...checksOf(item).map((predicate, index) => ({
      predicate,
      path: [...path, item.checks ? "checks" : "assertions", index],
    })),
  ];
  const asserts = item.steps.filter(({ kind }) => kind === "assert").length + checksOf(item).length;
  const wantsError = [item, ...item.steps].some(
    (one) => "expectToolError" in one && one.expectToolError !== undefined,
  );
  const isAsked = asserts > 0 || wantsError || item.isNegativeTest === true;
  if (!isAsked && item.expectedOutput === undefined) {
    warn(
      "no_assertion",
      path,
      "Nothing is asked of this case: it passes whatever happens, unless a tool fails.",
    );
  }
  lintContradictions(item, path, placed, warn);
  const prompts = item.steps.flatMap((step) => (step.kind === "prompt" ? [step.prompt.toLowerCase()] : []));
  for (const { predicate, path: at } of placed) {
    if (
      predicate.type === "responseContains" &&
      prompts.some((text) => text.includes(predicate.needle.toLowerCase()))
    ) {
      warn("needle_in_prompt", at, "The prompt says this itself, so that an echo passes.");
    }
    if (predicate.type === "responseMatches" && testPattern(predicate.pattern, "") === "matches") {
      warn("vacuous_regex", at, "This pattern matches an empty text, so that every answer passes.");
    }
    if (predicate.type === "toolCalledWith" && Object.values(predicate.args.args).some(isGeneratedId)) {
      warn(
        "literal_id_expected",
        at,
        "An argument looks like a generated id, which another run will not have.",
      );
    }
  }
  for (const { predicate, path: at } of placed) {
    if (predicate.type !== "toolCalledWith") continue;
    const { args, argumentMatching: mode = "partial", deep = false } = predicate.args;
    for (const below of unreadOperators(args, { mode, deep })) {
      const message = "This is compared as it stands; operators below the first level need deep: true.";
      warn("operator_not_read", [...at, "args", "args", ...below], message);
    }
  }
  for (const [index, step] of item.steps.entries()) {
    if (step.kind !== "interact") continue;
    if (item.steps.slice(0, index).some(({ kind }) => kind === "prompt" || kind === "toolCall")) continue;
    warn("unreachable_step", [...path, "steps", index], "No earlier step could have shown this view.");
  }
  return warnings;
}

function lintContradictions(
  item: SuiteCase,
  path: (string | number)[],
  placed: readonly Placed[],
  warn: (code: SuiteLint, at: (string | number)[], message: string) => void,
): void {
  const never = new Set(
    placed.flatMap(({ predicate }) => (predicate.type === "toolNeverCalled" ? [predicate.toolName] : [])),
  );
  const refused = typeof item.expectToolError === "object" ? item.expectToolError.tool : undefined;
  if (refused !== undefined && never.has(refused)) {
    const message = `Another check of this case says that ${refused} is never called.`;
    warn("contradictory_checks", [...path, "expectToolError"], message);
  }
  for (const { predicate, path: at } of placed) {
    if (
      predicate.type !== "toolCalledWith" &&
      predicate.type !== "toolCalledAtLeastOnce" &&
      predicate.type !== "firstToolWas"
    ) {
      continue;
    }
    if (item.isNegativeTest === true) {
      warn("contradictory_checks", at, "A negative case passes only when no tool is called.");
    } else if (never.has(predicate.toolName)) {
      warn(
        "contradictory_checks",
        at,
        `Another check of this case says that ${predicate.toolName} is never called.`,
      );
    }
  }
}

const isGeneratedId = (value: unknown) =>
  typeof value === "string" &&
  (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) ||
    /^[a-z]{2,}_[A-Za-z0-9]{16,}$/.test(value));
