/** @module What changed since an earlier report: the numbers side by side, and each case whose result is another. */
import type { CaseStatus } from "@fettle/contract/evals";
import { compareRuns, type NumberDiff } from "../gate/compare.ts";
import type { RunFacts } from "../gate/run-facts.ts";
import { seconds, text } from "./html-text.ts";

/** An earlier run, and what its report is called. */
export interface ComparedWith {
  name: string;
  facts: RunFacts;
}

const words: Record<CaseStatus, { word: string; state: string }> = {
  regressed: { word: "Regressed", state: "failed" },
  fixed: { word: "Fixed", state: "passed" },
  changed: { word: "Changed", state: "inconclusive" },
  new_case: { word: "New", state: "inconclusive" },
  removed_case: { word: "Removed", state: "inconclusive" },
  unchanged_failed: { word: "Still fails", state: "failed" },
  unchanged_passed: { word: "Still passes", state: "dim" },
};

export function diffHtml({ name, facts: base }: ComparedWith, run: RunFacts): string {
  const { passSummary, metrics, cases, execution, compatibility } = compareRuns(base, run);
  const numbers = [
    numberRow("Pass rate", passSummary.passRatePercent, (value) => `${Math.round(value)} %`),
    numberRow("Took", metrics.wallDurationMs, seconds),
    numberRow("95th percentile", metrics.p95LatencyMs, seconds),
    numberRow("Tokens", metrics.totalTokens, String),
    numberRow("Cost", metrics.estimatedCostUsd, (value) => `$${value.toFixed(4)}`),
  ];
  const told = cases.filter(({ status }) => status !== "unchanged_passed");
  const rows = told.map(({ status, title, base: before, compare }) => {
    const { word, state } = words[status];
    return `<tr><td class="${state}">${word}</td><th scope="row">${text(title)}</th><td>${before.passed}/${before.eligible}</td><td>${compare.passed}/${compare.eligible}</td><td>${text(compare.error ?? "")}</td></tr>`;
  });
  const same = cases.length - told.length;
  return `<h2>Compared with ${text(name)}</h2>
${compatibility.comparable ? "" : `<p class="note">The two runs are not the same experiment${execution.changed.length > 0 ? `: ${text(execution.changed.join(", "))} changed` : ""}. Read the numbers with care.</p>`}
<div class="wide"><table><thead><tr><th scope="col"></th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Change</th></tr></thead>
<tbody>
${numbers.join("\n")}
</tbody></table></div>
${rows.length === 0 ? `<p class="dim">No case changed.</p>` : `<div class="wide"><table class="diff"><thead><tr><th scope="col">Change</th><th scope="col">Case</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Why</th></tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody></table></div>`}
${same > 0 && rows.length > 0 ? `<p class="dim">${same} still ${same === 1 ? "passes" : "pass"}.</p>` : ""}`;
}

function numberRow(
  name: string,
  { base, compare, delta }: NumberDiff,
  told: (value: number) => string,
): string {
  const cell = (value: number | null) => (value === null ? "–" : text(told(value)));
  const change =
    delta === null ? "–" : `${delta > 0 ? "+" : delta < 0 ? "−" : "±"}${text(told(Math.abs(delta)))}`;
  return `<tr><th scope="row">${name}</th><td class="number">${cell(base)}</td><td class="number">${cell(compare)}</td><td class="number">${change}</td></tr>`;
}
