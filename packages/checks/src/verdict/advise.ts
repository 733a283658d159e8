/** @module Advice beside the verdicts: what is allowed but could be better. It looks at the same observations and never changes an outcome. */
import type { Advice } from "./check-result.ts";
import { type JudgingFacts, type Rule, ruleIn } from "./rule.ts";
import type { Look } from "./run-checks.ts";

export interface Adviser<Observed extends object, Facts extends JudgingFacts> {
  id: string;
  title: string;
  /** One for each revision; nothing is said in a revision without one. */
  rules: readonly Rule[];
  appliesTo?(facts: Facts): boolean;
  needs: readonly (keyof Observed)[];
  /** It speaks of what the checks of this run have caused, so it waits for them. */
  isLast?: boolean;
  /** What to say, or undefined when there is nothing to. */
  advise(seen: Observed, facts: Facts): { message: string; details?: Record<string, unknown> } | undefined;
}

/** What could not be observed in time gives no advice: only what was seen does. */
export async function collectAdvice<Observed extends object, Facts extends JudgingFacts>(
  advisers: readonly Adviser<Observed, Facts>[],
  look: Look<Observed>,
  facts: Facts,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Advice[]> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, timeoutMs, undefined).unref();
    signal?.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const all = await Promise.all(
    advisers
      .filter(({ appliesTo }) => appliesTo?.(facts) ?? true)
      .map((adviser) => Promise.race([adviceOf(adviser, look, facts), late])),
  );
  return all.filter((advice) => advice !== undefined);
}

async function adviceOf<Observed extends object, Facts extends JudgingFacts>(
  { id, title, rules, needs, advise }: Adviser<Observed, Facts>,
  look: Look<Observed>,
  facts: Facts,
): Promise<Advice | undefined> {
  const rule = ruleIn(rules, facts.version);
  if (!rule) return undefined;
  try {
    const seen = {} as Observed;
    await Promise.all(
      needs.map(async (name) => {
        seen[name] = await look(name);
      }),
    );
    const said = advise(seen, facts);
    const { binds: _binds, ...shown } = rule;
    return said && { id, title, severity: "warning", rule: shown, ...said };
  } catch {
    return undefined;
  }
}
