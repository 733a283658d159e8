/** @module What a run was launched with, whole and unchanging: the suite's settings, every case as it is judged, the target, the budgets. */
import { type EvalCaseId, type EvalSuiteId, limits } from "@fettle/contract/core";
import type {
  EvalAdvancedConfig,
  EvalMatchOptions,
  EvalSuiteSettings,
  EvaluationConfig,
} from "@fettle/contract/evals";
import {
  defaultAgentLimits,
  fullModelName,
  type GradingOptions,
  predicateSchema,
  type SuiteCase,
  stepSchema,
} from "@fettle/evals";
import { z } from "zod";
import type { FrozenTarget } from "../../environments/targets/target.ts";
import type { CaseRow } from "../suites/case-store.ts";
import type { SuiteRow } from "../suites/store.ts";

export type { CaseRow, SuiteRow };

export interface FrozenCase {
  caseId: EvalCaseId | null;
  /** As the engine plays and judges it: its checks are all that count, the suite's among them. */
  item: SuiteCase;
  checksFrom: "suite" | "case" | "both";
  grading: GradingOptions;
  /** In full: `provider/model`. */
  models: string[];
  iterations: number;
  passThreshold: number;
  advanced?: EvalAdvancedConfig;
  /** What judged it elsewhere, where all that was reported of it names the same. */
  reportedConfig?: EvaluationConfig;
}

/** What a run is held to, and whether somebody asked for it. */
export interface FrozenBudget {
  value: number;
  source: "authored" | "default";
}

export interface FrozenRun {
  version: 1;
  suite: { id: EvalSuiteId; name: string; declaredId: string | null };
  cases: FrozenCase[];
  /** The suite had more that could have been played. */
  isPartial?: true;
  target: FrozenTarget;
  judge: EvalSuiteSettings["judge"];
  budgets: Record<"runMs" | "iterationMs" | "turnMs" | "callMs" | "steps", FrozenBudget>;
  concurrency: number;
}

export interface Knobs {
  iterationOverride?: number | undefined;
  matchOptionsOverride?: EvalMatchOptions | undefined;
  modelOverride?: string | undefined;
  /** Percent. */
  minimumPassRate: number;
}

const steps = z.array(stepSchema);
const checks = z.array(predicateSchema);

/** Everything that bears on how this case is played and judged, taken from the suite, the target and the launch. */
export function freezeCase(row: CaseRow, suite: SuiteRow, target: FrozenTarget, knobs: Knobs): FrozenCase {
  const { definition } = row;
  const { settings } = suite;
  const mode = definition.checks?.mode ?? "inherit";
  const own = mode === "inherit" ? [] : (definition.checks?.list ?? []);
  const inherited = mode === "replace" ? [] : settings.checks;
  const matchOptions = {
    ...settings.matchOptions,
    ...definition.matchOptions,
    ...knobs.matchOptionsOverride,
  };
  const { expectedOutput, expectToolError, isNegative, continueOnFail, advancedConfig } = definition;
  return {
    caseId: row.id,
    item: {
      id: row.declaredId,
      title: row.title,
      steps: steps.parse(definition.steps),
      checks: checks.parse([...inherited, ...own]),
      isNegativeTest: isNegative,
      ...(expectToolError !== undefined && { expectToolError }),
      ...(expectedOutput !== undefined && { expectedOutput }),
      ...(continueOnFail !== undefined && { continueOnFail }),
      ...(definition.import && { import: definition.import }),
    },
    checksFrom: mode === "inherit" ? "suite" : mode === "replace" ? "case" : "both",
    grading: { matchOptions, failOnToolError: settings.failOnToolError },
    models: knobs.modelOverride === undefined ? modelsOf(row, target) : [knobs.modelOverride],
    iterations: knobs.iterationOverride ?? Math.max(definition.iterations, settings.minimumIterations ?? 1),
    passThreshold: knobs.minimumPassRate / limits.evals.percent,
    ...(advancedConfig && { advanced: advancedConfig }),
  };
}

/** An environment that names a model was made to try it, so it goes before what a case says; a case before everybody else. */
function modelsOf({ definition }: CaseRow, target: FrozenTarget): string[] {
  const own = definition.models.map(({ model, provider }) => fullModelName(model, provider));
  if (own.length > 0 && target.modelSource !== "environment") return own;
  return target.model === null ? [] : [target.model];
}

export const usualBudgets: FrozenRun["budgets"] = {
  runMs: { value: limits.evals.runMs, source: "default" },
  iterationMs: { value: limits.evals.iterationMs, source: "default" },
  turnMs: { value: defaultAgentLimits.turnMs, source: "default" },
  callMs: { value: defaultAgentLimits.callMs, source: "default" },
  steps: { value: defaultAgentLimits.steps, source: "default" },
};

/** The name by which an iteration knows its case, and the case knows its plan. */
export function caseByKey({ cases }: FrozenRun): Map<string, FrozenCase> {
  return new Map(cases.map((one) => [one.item.id, one]));
}
