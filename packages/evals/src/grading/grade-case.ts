/** @module From a case and what an agent did with it to a grade. Pure: the runner asks it between steps, and anybody may ask it again later. */
import { must } from "@fettle/contract/formats";
import type { ToolCall, Trace } from "../agent/trace.ts";
import { digestOf } from "../digest.ts";
import { JudgeLimit } from "../predicates/pattern.ts";
import { judgePredicate, type Predicate, wholeCaseTypes } from "../predicates/registry.ts";
import type { Transcript } from "../predicates/transcript.ts";
import { checksOf } from "../suite/select-cases.ts";
import type { Step, WidgetAssertion } from "../suite/steps.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { errorWishesOf, judgeWish, unexcused, wishLabel } from "./expected-error.ts";
import { transcriptOf } from "./from-trace.ts";
import {
  type CallMatch,
  defaultMatchOptions,
  type ExpectedCall,
  type MadeCall,
  type MatchOptions,
  matchCalls,
} from "./match-calls.ts";
import { definition, type ScoreDefinition, type ScoreRow, scored, unscored, verdictOf } from "./scores.ts";

export interface GradingOptions {
  matchOptions?: Partial<MatchOptions>;
  /** A call that failed fails the case, whatever its assertions say. Default true. */
  failOnToolError?: boolean;
}

/** A step as grading sees it: which turn it belongs to, and whether it opens one. */
export interface PlacedStep {
  step: Step;
  turn: number;
  opens: boolean;
}

/** `prompt` and `toolCall` open a turn; what follows belongs to the last one opened. */
export function placeSteps(steps: readonly Step[]): PlacedStep[] {
  let turn = -1;
  return steps.map((step) => {
    const opens = step.kind === "prompt" || step.kind === "toolCall";
    if (opens) turn += 1;
    return { step, turn: Math.max(0, turn), opens };
  });
}

export interface StepResult {
  stepId: string;
  kind: Step["kind"];
  status: "done" | "passed" | "failed" | "skipped";
  reason?: string;
}

export interface IterationGrade {
  result: "passed" | "failed";
  scores: ScoreRow[];
  steps: StepResult[];
  /** One for each prompt; absent where nothing is expected and nothing is forbidden. */
  toolMatch?: Omit<CallMatch, "pairs">;
}

/** Everything that judges a case, named and hashed before anything has run. */
export interface CasePlan {
  definitions: ScoreDefinition[];
  /** What the case says, without how it is judged or what it is called. */
  scenarioContentHash: string;
  matchOptions: MatchOptions;
}

/** Worked out once: a case is judged as often as it is repeated, and its digests cost more than the judging. */
const plans = new WeakMap<SuiteCase, { options: GradingOptions | undefined; plan: CasePlan }>();

export function planOf(item: SuiteCase, options?: GradingOptions): CasePlan {
  const known = plans.get(item);
  if (known && known.options === options) return known.plan;
  const plan = makePlan(item, options ?? {});
  plans.set(item, { options, plan });
  return plan;
}

function makePlan(item: SuiteCase, options: GradingOptions): CasePlan {
  const matchOptions = { ...defaultMatchOptions, ...options.matchOptions };
  const expectations = expectationsOf(item);
  const isNegative = item.isNegativeTest === true;
  const wishes = errorWishesOf(item, placeSteps(item.steps));
  const bounded = matchOptions.extraToolCalls !== "unlimited";
  const definitions = [
    ...(expectations.length > 0 || isNegative || bounded
      ? [
          definition({
            scorerId: "tool-match",
            idSource: "explicit",
            label: isNegative ? "no tool is called" : "the expected tools are called",
            implementation: { expectations, matchOptions, isNegative },
          }),
        ]
      : []),
    ...(options.failOnToolError === false
      ? []
      : [
          definition({
            scorerId: "no-tool-errors",
            idSource: "explicit",
            label: wishes.length > 0 ? "no other tool call fails" : "no tool fails",
            implementation: {
              rule: "no-tool-errors",
              version: 1,
              ...(wishes.length > 0 && { except: wishes }),
            },
          }),
        ]),
    ...wishes.map((wish) =>
      definition({
        scorerId: wish.scorerId,
        idSource: "explicit",
        label: wishLabel(wish),
        implementation: wish,
      }),
    ),
    ...checksOf(item).map((check, index) =>
      definition({
        scorerId: `predicate:${check.type}#${index + 1}`,
        idSource: "generated",
        label: labelOf(check),
        implementation: check,
        role: check.role,
      }),
    ),
    ...item.steps.flatMap((step) =>
      step.kind === "assert"
        ? [
            definition({
              scorerId: `step:${step.id}`,
              idSource: "explicit",
              label: labelOf(step.assertion),
              implementation: step.assertion,
              role: "type" in step.assertion ? step.assertion.role : undefined,
            }),
          ]
        : [],
    ),
  ];
  const { steps, expectedOutput, expectToolError } = item;
  return {
    definitions,
    scenarioContentHash: digestOf({
      steps,
      expectedOutput,
      isNegative,
      ...(expectToolError !== undefined && { expectToolError }),
    }),
    matchOptions,
  };
}

/** Whether an `assert` step holds at this point of the conversation. */
export function judgeStep(
  placed: PlacedStep,
  item: SuiteCase,
  trace: Trace,
): { passed: boolean; reason: string } {
  const { step, turn } = placed;
  if (step.kind !== "assert") return { passed: true, reason: "" };
  if (!("type" in step.assertion)) return { passed: false, reason: "nobody looked at the widget" };
  const whole = wholeCaseTypes.has(step.assertion.type);
  return judgePredicate(step.assertion, excused(item, trace, whole ? undefined : turn));
}

/** Whether the case wants this call to fail as it did. */
export function isWantedError(item: SuiteCase, call: ToolCall | undefined): boolean {
  if (call?.isError !== true) return false;
  const { toolName, turn, errorMessage: message = "" } = call;
  const wishes = errorWishesOf(item, placeSteps(item.steps));
  return unexcused([{ toolName, turn, message, kind: "content-error" }], wishes).length === 0;
}

/** What a predicate sees: an error that the case wants is none. */
function excused(item: SuiteCase, trace: Trace, turn?: number): Transcript {
  const wishes = errorWishesOf(item, placeSteps(item.steps));
  const transcript = transcriptOf(trace, turn);
  return { ...transcript, toolErrors: unexcused(transcript.toolErrors, wishes) };
}

export function gradeCase(item: SuiteCase, trace: Trace, options?: GradingOptions): IterationGrade {
  const { definitions, matchOptions } = planOf(item, options);
  const byId = new Map(definitions.map((one) => [one.scorerId, one]));
  const rows: ScoreRow[] = [];
  const toolMatch = matchTurns(item, trace, matchOptions);
  const matching = byId.get("tool-match");
  if (matching) rows.push(scored(matching, toolMatch.passed ? 1 : 0, toolMatch.reason));
  const errors = byId.get("no-tool-errors");
  if (errors) {
    const { passed, reason } = judgePredicate({ type: "noToolErrors" }, excused(item, trace));
    rows.push(scored(errors, passed ? 1 : 0, reason));
  }
  for (const wish of errorWishesOf(item, placeSteps(item.steps))) {
    const of = must(byId.get(wish.scorerId), "a score for each error that is expected");
    const { passed, reason } = judgeWish(wish, transcriptOf(trace, wish.turn));
    rows.push(scored(of, passed ? 1 : 0, reason));
  }
  for (const [index, check] of checksOf(item).entries()) {
    const of = must(byId.get(`predicate:${check.type}#${index + 1}`), "a score for each check");
    const judge = () => judgePredicate(check, excused(item, trace));
    const judgement = of.role === "advisory" ? unlessLimited(judge) : judge();
    rows.push(
      typeof judgement === "string"
        ? unscored(of, "skipped", judgement)
        : scored(of, judgement.passed ? 1 : 0, judgement.reason),
    );
  }
  const steps = gradeSteps(item, trace);
  for (const { stepId, kind, status, reason = "" } of steps) {
    if (kind !== "assert") continue;
    const of = must(byId.get(`step:${stepId}`), "a score for each assertion");
    rows.push(
      status === "skipped"
        ? unscored(of, "skipped", reason)
        : scored(of, status === "passed" ? 1 : 0, reason),
    );
  }
  const { passed, missing, extra, argumentMismatches } = toolMatch;
  return {
    result: verdictOf(definitions, rows),
    scores: rows,
    steps,
    ...(matching && { toolMatch: { passed, missing, extra, argumentMismatches } }),
  };
}

/** A limit of our own is no verdict. Of a check that decides it ends the grading; of an advisory one it is told, and it decides nothing. */
function unlessLimited<T>(judge: () => T): T | string {
  try {
    return judge();
  } catch (error) {
    if (error instanceof JudgeLimit) return error.message;
    throw error;
  }
}

/** In order, until one fails: what comes after an unmet assertion was never reached, and is said to be skipped. */
function gradeSteps(item: SuiteCase, trace: Trace): StepResult[] {
  let stopped: string | undefined;
  return placeSteps(item.steps).map((placed): StepResult => {
    const { step, turn, opens } = placed;
    const told = { stepId: step.id, kind: step.kind };
    if (stopped !== undefined) return { ...told, status: "skipped", reason: stopped };
    const reached = trace.turns.some(({ index }) => index === turn);
    if (!reached) return { ...told, status: "skipped", reason: "the conversation ended before it" };
    if (opens) return { ...told, status: "done" };
    const advisory = step.kind === "assert" && "type" in step.assertion && step.assertion.role === "advisory";
    const judgement = advisory
      ? unlessLimited(() => judgeStep(placed, item, trace))
      : judgeStep(placed, item, trace);
    if (typeof judgement === "string") return { ...told, status: "skipped", reason: judgement };
    const { passed, reason } = judgement;
    if (!passed && !advisory && item.continueOnFail !== true) stopped = `${step.id} failed before it`;
    return { ...told, status: passed ? "passed" : "failed", reason };
  });
}

/** What one prompt expected and what came of it. */
export interface PromptMatch extends CallMatch {
  turn: number;
  expected: ExpectedCall[];
  made: readonly MadeCall[];
}

/** Turn by turn; a call that the test made itself is exempt, for nobody chose it. */
export function matchPrompts(item: SuiteCase, trace: Trace, options: MatchOptions): PromptMatch[] {
  const placed = placeSteps(item.steps);
  const prompts = placed.filter(({ step }) => step.kind === "prompt").map(({ turn }) => turn);
  return prompts.map((turn) => {
    const expected = placed.filter((one) => one.turn === turn).flatMap(({ step }) => expectedCalls(step));
    const { toolCalls: made } = transcriptOf(trace, turn);
    return { turn, expected, made, ...matchCalls(expected, made, options) };
  });
}

function matchTurns(item: SuiteCase, trace: Trace, options: MatchOptions): CallMatch & { reason: string } {
  const all: CallMatch = { passed: true, missing: [], extra: [], argumentMismatches: [], pairs: [] };
  for (const match of matchPrompts(item, trace, options)) {
    all.passed &&= match.passed && !(item.isNegativeTest === true && match.made.length > 0);
    all.missing.push(...match.missing);
    all.extra.push(...match.extra);
    all.argumentMismatches.push(...match.argumentMismatches);
  }
  return { ...all, reason: matchReason(all, item.isNegativeTest === true, options) };
}

function matchReason(match: CallMatch, isNegative: boolean, { extraToolCalls }: MatchOptions): string {
  const names = (calls: readonly { toolName: string }[]) => calls.map(({ toolName }) => toolName).join(", ");
  if (isNegative) return match.extra.length === 0 ? "no tool was called" : `called: ${names(match.extra)}`;
  const parts = [
    ...(match.missing.length > 0 ? [`missing: ${names(match.missing)}`] : []),
    ...match.argumentMismatches.map(
      ({ toolName, expectedArgs, actualArgs }) =>
        `${toolName} got ${JSON.stringify(actualArgs)} instead of ${JSON.stringify(expectedArgs)}`,
    ),
    ...(extraToolCalls !== "unlimited" && match.extra.length > extraToolCalls
      ? [`more calls than allowed: ${names(match.extra)}`]
      : []),
  ];
  return parts.length === 0 ? "every expected call was made" : parts.join("; ");
}

/** Every call that the case's own assertions ask for, in order. */
export function expectationsOf({ steps }: Pick<SuiteCase, "steps">): ExpectedCall[] {
  return steps.flatMap(expectedCalls);
}

function expectedCalls(step: Step): ExpectedCall[] {
  if (step.kind !== "assert" || !("type" in step.assertion) || step.assertion.type !== "toolCalledWith")
    return [];
  const { toolName, args, minCount = 1, role } = step.assertion;
  if (role === "advisory") return [];
  return Array.from({ length: minCount }, () => ({
    toolName,
    arguments: args.args,
    ...(args.argumentMatching && { argumentMatching: args.argumentMatching }),
    ...(args.deep !== undefined && { deep: args.deep }),
  }));
}

/** For people: `toolCalledWith get_order {"id":17}`. */
export function labelOf(assertion: Predicate | WidgetAssertion): string {
  const {
    role: _role,
    severity: _severity,
    ...fields
  } = { role: undefined, severity: undefined, ...assertion };
  const words = Object.entries(fields).map(([key, value]) =>
    key === "args" && typeof value === "object"
      ? JSON.stringify((value as { args: unknown }).args)
      : typeof value === "string"
        ? value
        : JSON.stringify(value),
  );
  return words.join(" ");
}
