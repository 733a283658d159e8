/** @module Which cases of a valid suite are run, and why a run of it is refused. All refusals are told at once, before anything starts. */
import { limits } from "@fettle/contract/core";
import type { SuiteRefusal } from "@fettle/contract/evals";
import type { Some } from "@fettle/contract/formats";
import { widgetPredicateTypes } from "../predicates/registry.ts";
import { pointerOf } from "./read-suite.ts";
import type { SuiteCase, SuiteFile } from "./suite-file.ts";

export interface RunRequest {
  /** The service runs what it can repeat for everybody; a local run honours all that a file says. */
  where: "hosted" | "local";
  /** Ids, or titles where one case alone has it. Absent: every enabled case. */
  cases?: readonly string[];
  /** Authored ids of approximated cases that this run may count. */
  approved?: readonly string[];
  /** Overrides the repetitions of every case. */
  repetitions?: number;
  /** Whether something can look at widgets. */
  browser?: boolean;
}

export interface Refusal {
  code: SuiteRefusal;
  pointer: string;
  message: string;
}

export type Selection = { ok: true; cases: SuiteCase[] } | { ok: false; refusals: Some<Refusal> };

export function selectCases(suite: SuiteFile, request: RunRequest): Selection {
  const refusals: Refusal[] = [];
  const refuse = (code: SuiteRefusal, path: readonly (string | number)[], message: string) => {
    refusals.push({ code, pointer: pointerOf(path), message });
  };
  const enabled = suite.cases.filter((item) => item.disabled !== true);
  if (enabled.length === 0) refuse("NO_ENABLED_CASES", ["cases"], "Every case of the file is disabled.");

  const selected = request.cases ? named(suite.cases, request.cases, refuse) : enabled;
  if (request.where === "hosted") refuseHosted(suite, request, refuse);
  refuseUnplayable(suite.cases, selected, request, refuse);
  const [first, ...others] = refusals;
  return first ? { ok: false, refusals: [first, ...others] } : { ok: true, cases: selected };
}

/** Why cases that are selected may not be played, or may not count. */
export function refusalsOf(
  cases: readonly SuiteCase[],
  request: Pick<RunRequest, "approved" | "browser">,
): Refusal[] {
  const refusals: Refusal[] = [];
  refuseUnplayable(cases, cases, request, (code, path, message) => {
    refusals.push({ code, pointer: pointerOf(path), message });
  });
  return refusals;
}

function refuseUnplayable(
  cases: readonly SuiteCase[],
  selected: readonly SuiteCase[],
  { approved = [], browser }: Pick<RunRequest, "approved" | "browser">,
  refuse: Refuse,
): void {
  refuseImports(selected, approved, refuse);
  if (browser !== true) refuseWidgets(cases, selected, refuse);
}

type Refuse = (code: SuiteRefusal, path: readonly (string | number)[], message: string) => void;

/** An id first, then a title; a title that two cases have names neither. */
function named(cases: readonly SuiteCase[], wanted: readonly string[], refuse: Refuse): SuiteCase[] {
  const found = wanted.flatMap((word) => {
    const byTitle = cases.filter(({ title }) => title === word);
    const match = cases.find(({ id }) => id === word) ?? (byTitle.length === 1 ? byTitle[0] : undefined);
    if (!match) {
      const why = byTitle.length > 1 ? `${byTitle.length} cases have the title "${word}"; use an id.` : "";
      refuse("CASE_NOT_FOUND", ["cases"], why || `There is no case "${word}".`);
      return [];
    }
    if (match.disabled === true) {
      refuse("CASE_DISABLED", ["cases", cases.indexOf(match)], `"${match.id}" is disabled.`);
      return [];
    }
    return [match];
  });
  return cases.filter((item) => found.includes(item));
}

function refuseHosted({ defaults, cases }: SuiteFile, { repetitions }: RunRequest, refuse: Refuse): void {
  const most = limits.evals.repetitionsPerCase;
  const asked: [readonly (string | number)[], number | undefined][] = [
    [["defaults", "repetitions"], defaults.repetitions],
    // Disabled ones too: they are stored, and may be enabled there.
    ...cases.map((item, index): [readonly (string | number)[], number | undefined] => [
      ["cases", index, "repetitions"],
      item.repetitions,
    ]),
    [[], repetitions],
  ];
  for (const [path, count] of asked) {
    if (count !== undefined && count > most) {
      refuse("REPETITIONS_CAP", path, `${count} repetitions; a hosted run makes at most ${most}.`);
    }
  }
  for (const [index, item] of cases.entries()) {
    if (item.passThreshold === undefined || item.disabled === true) continue;
    refuse(
      "PASS_THRESHOLD_OVERRIDE_UNSUPPORTED",
      ["cases", index, "passThreshold"],
      "A hosted run has one threshold for all cases.",
    );
  }
  if (defaults.toolPolicy) {
    refuse(
      "TOOL_POLICY_UNSUPPORTED",
      ["defaults", "toolPolicy"],
      "A hosted run cannot hold to a tool policy.",
    );
  }
  if (Object.values(defaults.validity).some((value) => value !== undefined)) {
    refuse("VALIDITY_UNSUPPORTED", ["defaults", "validity"], "A hosted run has its own rules of validity.");
  }
}

function refuseImports(selected: readonly SuiteCase[], approved: readonly string[], refuse: Refuse): void {
  const approximated = new Set(
    selected.filter((item) => item.import?.status === "approximated").map(({ id }) => id),
  );
  for (const { id, import: block } of selected) {
    if (block?.status === "unsupported" || block?.status === "unresolved") {
      const code = block.status === "unsupported" ? "IMPORT_UNSUPPORTED" : "IMPORT_UNRESOLVED";
      refuse(code, ["cases"], `"${id}" could not be imported; disable it, or write it anew.`);
    }
  }
  for (const id of approximated) {
    if (approved.includes(id)) continue;
    refuse("APPROXIMATION_NOT_APPROVED", ["cases"], `"${id}" is an approximation of what was imported.`);
  }
  for (const id of approved) {
    if (approximated.has(id)) continue;
    refuse(
      "APPROVAL_NOT_APPLICABLE",
      ["cases"],
      `"${id}" is no selected approximation, so nothing is approved.`,
    );
  }
}

function refuseWidgets(cases: readonly SuiteCase[], selected: readonly SuiteCase[], refuse: Refuse): void {
  for (const item of selected) {
    const steps = item.steps.filter(
      (step) =>
        step.kind === "interact" ||
        (step.kind === "assert" &&
          ("kind" in step.assertion || widgetPredicateTypes.has(step.assertion.type))),
    );
    const checks = checksOf(item).filter(({ type }) => widgetPredicateTypes.has(type));
    if (steps.length + checks.length === 0) continue;
    const where = [...steps.map(({ id }) => id), ...checks.map(({ type }) => type)].join(", ");
    refuse(
      "WIDGET_RUNTIME_UNAVAILABLE",
      ["cases", cases.indexOf(item)],
      `"${item.id}" looks at widgets (${where}), and there is no browser here.`,
    );
  }
}

/** The whole-case checks, under whichever of their two names. */
export function checksOf({ checks, assertions }: SuiteCase) {
  return checks ?? assertions ?? [];
}
