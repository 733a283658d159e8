/**
 * @module A run as one HTML file that people open: failures first, each with its transcript, calls and timings. Nothing is loaded and
 * nothing runs: no script, one style, and a policy that forbids the rest. Whatever a server or a model said is escaped text.
 */
import { createHash } from "node:crypto";
import { redact } from "@fettle/contract/secrets";
import type { ToolCall, Trace } from "../agent/trace.ts";
import type { Message } from "../models/messages.ts";
import type { JudgedCase, JudgedRun, RecordedIteration } from "../run/suite-record.ts";
import { counted } from "../told.ts";
import { adviceText, failedAdvice } from "./advice.ts";
import { lostOf, passedOf, reasonOf, sensitivityOf, shareText } from "./eval-report.ts";
import { type ComparedWith, diffHtml } from "./html-diff.ts";
import { caseAnchor, matrixHtml } from "./html-matrix.ts";
import { style } from "./html-style.ts";
import { mark, percent, seconds, text } from "./html-text.ts";
import { timelineHtml } from "./html-timeline.ts";
import { failuresFirst } from "./markdown.ts";

/** Something about runs that is said above them: a gate's decision, a launch that failed. */
export interface ToldAbove {
  title: string;
  word: string;
  state: "passed" | "failed" | "inconclusive";
  lines: readonly string[];
}

export function evalHtml(
  records: JudgedRun | readonly JudgedRun[],
  above: readonly ToldAbove[] = [],
  comparedWith?: ComparedWith,
): string {
  const runs = [records].flat();
  const [first] = runs;
  const title = first
    ? `${first.facts.suite.name}: ${above[0]?.word ?? first.facts.result ?? "inconclusive"}`
    : "Eval run";
  const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${[...above.map(aboveHtml), ...(runs.length > 1 ? [matrixHtml(runs)] : []), ...runs.map((run, at) => runHtml(run, at, runs.length === 1, comparedWith))].join("\n")}
</main>
</body>
</html>
`;
}

function aboveHtml({ title, word, state, lines }: ToldAbove): string {
  return `<div class="lead"><h1>${text(title)}</h1><span class="tag ${state}">${text(word)}</span></div>
${lines.map((line) => `<p class="note">${text(line)}</p>`).join("\n")}`;
}

function runHtml(
  record: JudgedRun,
  at: number,
  isOnly: boolean,
  comparedWith: ComparedWith | undefined,
): string {
  const { facts, verdict } = record;
  const result = facts.result ?? "inconclusive";
  const ordered = failuresFirst(record.cases);
  return `<div class="lead"><h1>${text(facts.suite.name)}</h1><span class="tag ${result}">${result}</span></div>
<p class="dim">${text(reasonOf(record))} ${text(sensitivityOf(record).message)}</p>
<div class="facts">
${fact("Cases passed", `${record.cases.filter((one) => one.facts.verdict === "passed").length} of ${record.cases.length}`)}
${fact("Repetitions passed", `${verdict.passed} of ${verdict.total}${lostOf(record)}`)}
${fact("Took", seconds(record.durationMs))}
${fact("Model", record.models.join(", "))}
</div>
${record.warnings.map((warning) => `<p class="note">${text(warning)}</p>`).join("\n")}
${comparedWith ? diffHtml(comparedWith, facts) : ""}
${isOnly ? matrixHtml([record]) : ""}
${section("Failed", at, ordered, "failed")}
${section("Without a verdict", at, ordered, "inconclusive")}
${section("Passed", at, ordered, "passed")}`;
}

function fact(name: string, value: string): string {
  return `<div><span class="dim">${text(name)}</span><b>${text(value)}</b></div>`;
}

function section(
  title: string,
  run: number,
  cases: readonly JudgedCase[],
  verdict: JudgedCase["facts"]["verdict"],
): string {
  const own = cases.filter(({ facts }) => facts.verdict === verdict);
  if (own.length === 0) return "";
  return `<h2 class="${verdict}">${title} (${own.length})</h2>\n${own.map((one) => caseHtml(one, run)).join("\n")}`;
}

function caseHtml(recorded: JudgedCase, run: number): string {
  const { facts, summary, iterations } = recorded;
  const isOpen = facts.verdict === "passed" ? "" : " open";
  const rate =
    summary.interval === null
      ? "not measured"
      : `${passedOf(summary)}, 95 % between ${percent(summary.interval.lower)} and ${percent(summary.interval.upper)}`;
  const all = summary.inARow ? ` · ${summary.inARow.k} in a row: ${text(shareText(summary.inARow.all))}` : "";
  return `<details id="${caseAnchor(run, facts.caseKey)}"${isOpen}><summary><span class="${facts.verdict}">${mark(facts.verdict)}</span><b>${text(facts.title)}</b><span class="dim">${rate}${all}</span></summary>
<div class="body"><p class="who">${text(facts.caseKey)}</p>
${failedAdvice([recorded])
  .map((advice) => `<p class="note">Advisory: ${text(adviceText(advice))}</p>`)
  .join("")}
${iterations.map((one) => iterationHtml(one, facts.definitions, iterations.length)).join("\n")}
</div></details>`;
}

type Definitions = JudgedCase["facts"]["definitions"];

function iterationHtml({ facts, trace }: RecordedIteration, definitions: Definitions, count: number): string {
  const state = facts.result ?? "inconclusive";
  const took = facts.durationMs === null ? "" : ` · ${seconds(facts.durationMs)}`;
  const tokens = facts.totalTokens === null ? "" : ` · ${counted(facts.totalTokens, "token")}`;
  const head =
    count > 1
      ? `<p><span class="${state}">${mark(state)}</span> Repetition ${facts.iterationNumber}<span class="dim">${took}${tokens}</span></p>`
      : `<p class="who">${took.slice(3)}${tokens}</p>`;
  const why =
    facts.result === null && facts.error !== undefined ? `<p class="note">${text(facts.error)}</p>` : "";
  const checks = facts.scores.map((row) => {
    const label = definitions.find(({ scorerId }) => scorerId === row.scorerId)?.label ?? row.scorerId;
    const outcome = row.status === "scored" ? (row.passed ? "passed" : "failed") : "inconclusive";
    const reason = row.rationale ?? row.error ?? "";
    return `<li><span class="${outcome}">${mark(outcome)}</span> ${text(label)}${reason === "" ? "" : ` <span class="dim">${text(reason)}</span>`}</li>`;
  });
  return `${head}${why}<ul class="checks">${checks.join("")}</ul>${trace ? timelineHtml(trace) + transcript(trace, facts.result !== "passed") : ""}`;
}

function transcript(trace: Trace, isOpen: boolean): string {
  const calls = new Map(trace.toolCalls.map((call) => [call.toolCallId, call]));
  const said = trace.messages.map((message) => messageHtml(message, calls)).join("");
  const pinned = trace.toolCalls
    .filter((call) => call.pinned === true)
    .map(callHtml)
    .join("");
  const faults = trace.faults
    .map(
      ({ owner, code, message }) =>
        `<div class="say fault"><span class="who">${text(`fault of: ${owner} · ${code}`)}</span><pre>${text(message)}</pre></div>`,
    )
    .join("");
  return `<details${isOpen ? " open" : ""}><summary><b>Transcript</b><span class="dim">${counted(trace.toolCalls.length, "tool call")} · ${seconds(trace.durationMs)}</span></summary><div class="body">${pinned}${said}${faults}</div></details>`;
}

function messageHtml(message: Message, calls: ReadonlyMap<string, ToolCall>): string {
  if (message.role === "tool") {
    const call = calls.get(message.toolCallId);
    return call ? callHtml(call) : "";
  }
  const words =
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
      : message.text;
  if (words === "") return "";
  return `<div class="say ${message.role}"><span class="who">${message.role}</span><pre>${text(words)}</pre></div>`;
}

function callHtml(call: ToolCall): string {
  const took = call.durationMs === null ? call.outcome : `${Math.round(call.durationMs)} ms`;
  const state = call.isError === true ? " · error" : "";
  const result =
    call.result === undefined ? (call.errorMessage ?? "") : JSON.stringify(redact(call.result), null, 1);
  return `<div class="say call"><span class="who">${text(`${call.server ?? "no server"} · ${call.toolName} · ${took}${state}`)}</span><pre>${text(JSON.stringify(redact(call.arguments)))}</pre><pre>${text(result)}</pre></div>`;
}
