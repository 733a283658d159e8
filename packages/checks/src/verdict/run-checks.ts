/** @module The runner: makes each observation once, shares it among the checks that need it, and lets every check judge what was seen. */
import { limits } from "@fettle/contract/core";
import type { McpError } from "@fettle/mcp";
import { type CheckResult, NothingToObserve, type Verdict } from "./check-result.ts";
import { decides, type Finding, type JudgingFacts, type Rule, ruleIn, whyUnbound } from "./rule.ts";
import { isSilence, withoutServer } from "./server-gone.ts";

/**
 * A check is data and a pure verdict. `needs` is its plan: the observations it judges; they are made for it, once for all checks.
 * `unless` answers from what is known before anything was observed (revision, transport, target).
 */
export interface Check<Observed extends object, Facts extends JudgingFacts, Category extends string> {
  id: string;
  title: string;
  description: string;
  category: Category;
  /** One for each revision, since strength and address may differ; it does not apply to a revision without one. */
  rules: readonly Rule[];
  /** A reason why it does not apply to this target, or undefined when it does. */
  unless?(facts: Facts): string | undefined;
  needs: readonly (keyof Observed)[];
  /** It judges what the other checks of this run have caused, so it waits for them. */
  isLast?: boolean;
  /** At least this long, where what it needs takes longer than an answer of a server. */
  mayTakeMs?: number;
  judge(seen: Observed, facts: Facts): Verdict;
}

/** Gets an observation, made now or earlier in this run. */
export type Look<Observed extends object> = <Name extends keyof Observed>(
  name: Name,
) => Promise<Observed[Name]>;

/** How each observation is made; one may look at others. A rejection means "could not be observed", or with NothingToObserve "does not apply"; never "failed". */
export type Observers<Observed extends object> = {
  [Name in keyof Observed]: (look: Look<Observed>) => Promise<Observed[Name]>;
};

/** Makes each observation once, however often it is looked at. */
export function observeOnce<Observed extends object>(observers: Observers<Observed>): Look<Observed> {
  const made = new Map<keyof Observed, Promise<unknown>>();
  const look: Look<Observed> = (name) => {
    const known = made.get(name) ?? observers[name](look);
    made.set(name, known);
    return known as Promise<Observed[typeof name]>;
  };
  return look;
}

/** Told once how many checks there are, then of each as it is decided. */
export type OnProgress = (progress: { done: number; total: number; result?: CheckResult }) => void;

export interface RunChecksOptions {
  /** How long one check waits for its observations. */
  timeoutMs: number;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
  /** Asked once, when an observation met silence: is the server gone? Then nothing that came after is held against it. */
  findGone?: () => Promise<McpError | undefined>;
}

export async function runChecks<Observed extends object, Facts extends JudgingFacts, Category extends string>(
  checks: readonly Check<Observed, Facts, Category>[],
  observations: Observers<Observed> | Look<Observed>,
  facts: Facts,
  { timeoutMs, onProgress, signal, findGone }: RunChecksOptions,
): Promise<CheckResult[]> {
  const look = typeof observations === "function" ? observations : observeOnce(observations);
  let done = 0;
  onProgress?.({ done, total: checks.length });
  let silentSince = Number.POSITIVE_INFINITY;
  const onSilence = () => {
    silentSince = Math.min(silentSince, performance.now());
  };
  const run = async (check: Check<Observed, Facts, Category>) => {
    const started = performance.now();
    const verdict = await verdictOf(
      check,
      look,
      facts,
      limitOf(Math.max(timeoutMs, check.mayTakeMs ?? 0), signal),
      onSilence,
    );
    const decidedAt = performance.now();
    const rule = ruleIn(check.rules, facts.version);
    const result = toResult(check, rule, weighed(verdict, rule, facts), performance.now() - started);
    onProgress?.({ done: ++done, total: checks.length, result });
    return { result, decidedAt };
  };
  const others = Promise.all(checks.map((check) => (check.isLast ? undefined : run(check))));
  const ended = await Promise.all(
    checks.map(async (check, index) => (await others)[index] ?? (await run(check))),
  );
  const results = ended.map(({ result }) => result);
  if (signal?.aborted) return results.map((result) => withoutTime(result, signal.reason));
  const gone = silentSince === Number.POSITIVE_INFINITY ? undefined : await findGone?.();
  if (!gone) return results;
  return ended.map(({ result, decidedAt }) =>
    decidedAt < silentSince ? result : withoutServer(result, gone),
  );
}

/** What the whole run had no time for says nothing of the server. */
function withoutTime(result: CheckResult, reason: unknown): CheckResult {
  const isCut = result.skipReason === "could-not-run" && result.error?.message === reasonOf(reason);
  return isCut ? { ...result, isOutage: true } : result;
}

function limitOf(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([late, signal]) : late;
}

async function verdictOf<Observed extends object, Facts extends JudgingFacts>(
  check: Check<Observed, Facts, string>,
  look: Look<Observed>,
  facts: Facts,
  limit: AbortSignal,
  onSilence: () => void,
): Promise<Verdict> {
  const why =
    ruleIn(check.rules, facts.version) === undefined
      ? whyUnbound(check.rules, facts.version)
      : check.unless?.(facts);
  if (why !== undefined) return { is: "not-applicable", why };
  const seen = {} as Observed;
  try {
    await Promise.race([
      Promise.all(
        check.needs.map(async (name) => {
          seen[name] = await look(name);
        }),
      ),
      ended(limit),
    ]);
  } catch (error) {
    if (error instanceof NothingToObserve) return { is: "not-applicable", why: error.message };
    if (isSilence(error)) onSilence();
    return { is: "could-not-run", why: reasonOf(error) };
  }
  try {
    return check.judge(seen, facts);
  } catch (error) {
    // Whatever a server said, one check that cannot read it must not take the others down.
    return { is: "could-not-run", why: `What was observed could not be judged: ${reasonOf(error)}` };
  }
}

function ended(limit: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(limit.reason);
    if (limit.aborted) stop();
    else limit.addEventListener("abort", stop, { once: true });
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return "What it needs could not be observed within the time-out of a check.";
  }
  return error instanceof Error ? error.message : String(error);
}

type Weighed = Verdict & { broken?: Finding };

/** Judges say what is broken; whether that fails the run or is advice, the words say. */
function weighed(verdict: Verdict, rule: Rule | undefined, facts: JudgingFacts): Weighed {
  if (!rule || (verdict.is !== "passed" && verdict.is !== "failed")) return verdict;
  const own = verdict.is === "failed" ? [{ word: rule.word, message: verdict.why }] : [];
  const findings: Finding[] = [...own, ...(verdict.warnings ?? [])];
  const fatal = findings.filter(({ word }) => decides(word, facts));
  const advice = findings.filter(({ word }) => !decides(word, facts)).slice(0, limits.conformance.warnings);
  const rest = {
    ...(verdict.details && { details: verdict.details }),
    ...(advice.length > 0 && { warnings: advice }),
  };
  const [broken] = fatal;
  return broken
    ? { is: "failed", why: fatal.map(({ message }) => message).join("; "), ...rest, broken }
    : { is: "passed", ...rest };
}

function toResult(
  { id, category, title, description }: Check<never, never, string>,
  rule: Rule | undefined,
  verdict: Weighed,
  durationMs: number,
): CheckResult {
  const common = {
    id,
    category,
    title,
    description,
    ...(rule && { rule: shownRule(rule, verdict.broken) }),
    durationMs: Math.round(durationMs),
  };
  const { details } = verdict;
  const rest = { ...(details && { details }) };
  if (verdict.is === "passed" || verdict.is === "failed") {
    return {
      ...common,
      status: verdict.is,
      ...(verdict.is === "failed" && { error: { message: verdict.why } }),
      ...rest,
      ...(verdict.warnings && { warnings: verdict.warnings }),
    };
  }
  return { ...common, status: "skipped", skipReason: verdict.is, error: { message: verdict.why }, ...rest };
}

/** Of a failed check the rule that was broken: it may be a stronger one than the check is about. */
function shownRule({ title, url, word, revision }: Rule, broken: Finding | undefined): CheckResult["rule"] {
  return { word: broken?.word ?? word, title, url: broken?.url ?? url, revision };
}
