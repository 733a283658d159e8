/** @module Which case passed with which model: a table of all runs, each cell a link to the case. */
import { createHash } from "node:crypto";
import type { JudgedCase, JudgedRun, RecordedIteration } from "../run/suite-record.ts";
import { mark, type Outcome, text } from "./html-text.ts";
import { failuresFirst } from "./markdown.ts";

interface Column {
  run: number;
  model: string;
  label: string;
}

interface Cell {
  outcome: Outcome;
  passed: number;
  eligible: number;
}

/** A case may be called whatever its author likes; an address inside the page is no place for it. */
export const caseAnchor = (run: number, caseKey: string) =>
  `case-${run + 1}-${createHash("sha256").update(caseKey).digest("hex").slice(0, 12)}`;

export function matrixHtml(runs: readonly JudgedRun[]): string {
  const columns = columnsOf(runs);
  const ordered = failuresFirst(runs.flatMap(({ cases }) => cases));
  const titles = new Map(ordered.map(({ facts }) => [facts.caseKey, facts.title]));
  if (titles.size === 0 || columns.length === 0) return "";
  const rows = [...titles].map(([caseKey, title]) => {
    const cells = columns.map(({ run, model }) => {
      const found = runs[run]?.cases.find(({ facts }) => facts.caseKey === caseKey);
      const cell = found && cellOf(found, model);
      return cell
        ? `<td class="${cell.outcome}"><a href="#${caseAnchor(run, caseKey)}">${mark(cell.outcome)} ${cell.passed}/${cell.eligible}</a></td>`
        : `<td class="dim">not played</td>`;
    });
    return `<tr><th scope="row">${text(title)}</th>${cells.join("")}</tr>`;
  });
  return `<h2>Cases and models</h2>
<div class="wide"><table class="matrix"><thead><tr><th scope="col">Case</th>${columns.map(({ label }) => `<th scope="col">${text(label)}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table></div>`;
}

/** One for each model of each run; a model that several runs have is told apart by what it ran against. */
function columnsOf(runs: readonly JudgedRun[]): Column[] {
  const found = runs.flatMap((run, at) => {
    const models = run.cases.flatMap(({ iterations }) => iterations.map((one) => modelOf(one, run)));
    return [...new Set(models.length > 0 ? models : run.models)].map((model) => ({ run: at, model }));
  });
  return found.map(({ run, model }) => {
    const isShared = found.some((other) => other.run !== run && other.model === model);
    const facts = runs[run]?.facts;
    return { run, model, label: isShared ? `${model}, ${facts?.execution.target ?? facts?.id}` : model };
  });

  function modelOf({ model }: RecordedIteration, { models }: JudgedRun): string {
    return model ?? models[0] ?? "";
  }
}

function cellOf({ iterations, facts }: JudgedCase, model: string): Cell | undefined {
  const own = iterations.filter((one) => one.model === undefined || one.model === model);
  if (own.length === 0) return undefined;
  const passed = own.filter((one) => one.facts.result === "passed").length;
  const eligible = own.filter((one) => one.facts.result !== null).length;
  const outcome =
    eligible === 0 ? "inconclusive" : passed / eligible >= facts.passThreshold ? "passed" : "failed";
  return { outcome, passed, eligible };
}
