/** @module What a gate asks of two runs side by side. */
import { detectableCount, judgeRegression, regressionDefaults } from "../grading/statistics.ts";
import { type Comparison, isOtherModel, populationFaults, sampleOf } from "./compare.ts";
import { type GateRow, measured, row, runIntegrity } from "./gate-row.ts";
import type { GatePolicy } from "./policy.ts";
import type { RunFacts } from "./run-facts.ts";

export function comparativeRows(
  base: RunFacts,
  run: RunFacts,
  policy: GatePolicy,
  comparison: Comparison,
): GateRow[] {
  const why = populationFaults(base, run, comparison);
  const rows: GateRow[] = [];
  if (why.length > 0) {
    rows.push(
      row("passRateRegression", "non_gateable", `The runs are not the same experiment: ${why.join("; ")}.`),
    );
  } else {
    rows.push(regressionRow(base, run, policy));
  }
  if (policy.noDeterministicRegressions) rows.push(deterministicRow(base, run, comparison));
  const most = policy.maximumP95LatencyIncreaseMs;
  if (most !== undefined) {
    const gate = "maximumP95LatencyIncreaseMs";
    const { delta } = comparison.metrics.p95LatencyMs;
    rows.push(
      why.length > 0
        ? row(gate, "non_gateable", `The runs are not the same experiment: ${why.join("; ")}.`, {
            threshold: most,
          })
        : measured(
            gate,
            delta,
            most,
            (delta ?? 0) <= most,
            `p95 changed by ${Math.round(delta ?? 0)} ms; at most ${most} ms more is allowed.`,
            "Not every repetition was timed.",
          ),
    );
  }
  return rows;
}

function regressionRow(base: RunFacts, run: RunFacts, policy: GatePolicy): GateRow {
  const [before, after] = [sampleOf(base), sampleOf(run)];
  const { verdict, delta } = judgeRegression(before, after, policy.regression);
  const numbers = {
    observed: delta.point,
    threshold: -(policy.regression?.minEffectSize ?? regressionDefaults.minEffectSize),
  };
  const unit = run.modelClass === "live" ? "repetitions" : "cases";
  const said = `${before.passed}/${before.total} to ${after.passed}/${after.total} ${unit} (${points(delta.point)}, 95 % between ${points(delta.lower)} and ${points(delta.upper)})`;
  if (verdict === "insufficient_data") {
    const needed = policy.regression?.minSampleSize ?? regressionDefaults.minSampleSize;
    const few = `Too few ${unit} to tell, ${needed} are needed on both sides: ${said}.`;
    return row("passRateRegression", "non_gateable", few, numbers);
  }
  const smallest = detectableCount(before, after.total, policy.regression);
  const hint =
    smallest === undefined
      ? "no drop could be noticed with so few"
      : `a drop to ${smallest}/${after.total} is the first that would show`;
  return row(
    "passRateRegression",
    verdict === "regression" ? "failed" : "passed",
    `${said}; ${hint}.`,
    numbers,
  );
}

const points = (share: number) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)}`;

/** Exempt from the population rule: one case with unchanged checks that went from green to red is a fact by itself. */
function deterministicRow(base: RunFacts, run: RunFacts, { cases }: Comparison): GateRow {
  const gate = "noDeterministicRegressions";
  if (runIntegrity(base) !== "valid" || runIntegrity(run) !== "valid") {
    return row(gate, "non_gateable", "The scores of one of the runs do not fit their definitions.");
  }
  if (isOtherModel(base, run)) {
    return row(
      gate,
      "non_gateable",
      "Another model was asked, so that a check that fell says nothing about the server.",
    );
  }
  const deltas = cases.flatMap((item) =>
    item.scoreDeltas
      .filter((delta) => delta.gating && delta.deterministic && !delta.definitionChanged)
      .map((delta) => ({ item, delta })),
  );
  if (deltas.length === 0) return row(gate, "non_gateable", "The runs share no deterministic check.");
  const fallen = deltas.filter(({ delta }) => delta.base?.passed === true && delta.compare?.passed === false);
  const named = fallen.map(({ item, delta }) => `${item.caseKey} ${delta.scorerId}`).join(", ");
  return row(
    gate,
    fallen.length === 0 ? "passed" : "failed",
    fallen.length === 0 ? `${deltas.length} checks held.` : `No longer hold: ${named}.`,
    { observed: fallen.length, threshold: 0 },
  );
}
