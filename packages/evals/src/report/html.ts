/**
 * @module A run as one HTML file that people open: failures first, each with its transcript, calls and timings. Nothing is loaded and
 * nothing runs: no script, one style, and a policy that forbids the rest. Whatever a server or a model said is escaped text.
 */
import { createHash } from "node:crypto";
import { escapeHidden } from "@fettle/contract/formats";
import { redact, redactText } from "@fettle/contract/secrets";
import type { ToolCall, Trace } from "../agent/trace.ts";
import type { Message } from "../models/messages.ts";
import type { JudgedCase, JudgedRun, RecordedIteration } from "../run/suite-record.ts";
import { counted } from "../told.ts";
import { adviceText, failedAdvice } from "./advice.ts";
import { lostOf, passedOf, reasonOf, sensitivityOf, shareText } from "./eval-report.ts";
import { failuresFirst } from "./markdown.ts";

/** Of one text; a file that a browser cannot open helps nobody. */
const longestText = 4_000;

const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#16181d;--dim:#5c6370;--line:#e3e5e9;--soft:#f6f7f9;--ok:#1a7f45;--bad:#b42318;--warn:#96610a}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--fg:#e7e9ee;--dim:#9aa2b1;--line:#2b2f37;--soft:#1b1e24;--ok:#4cc38a;--bad:#ff8a7a;--warn:#e7b85b}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:1.5rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.lead{display:flex;gap:.75rem;align-items:center;flex-wrap:wrap}.tag{border-radius:1rem;padding:.1rem .7rem;font-weight:600;border:1px solid currentColor}
.passed{color:var(--ok)}.failed{color:var(--bad)}.inconclusive{color:var(--warn)}.dim{color:var(--dim)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.25rem 0}
.facts div{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}.facts b{display:block;font-size:1.25rem}
details{border:1px solid var(--line);border-radius:.5rem;margin:.6rem 0;background:var(--bg)}
summary{cursor:pointer;padding:.6rem .8rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}summary b{flex:1 1 16rem;overflow-wrap:anywhere}
.body{padding:0 .8rem .8rem}ul.checks{list-style:none;padding:0;margin:.4rem 0}ul.checks li{padding:.15rem 0;overflow-wrap:anywhere}
.say{border-left:3px solid var(--line);padding:.2rem 0 .2rem .7rem;margin:.5rem 0}.say.user{border-color:var(--dim)}.say.call{border-color:var(--warn)}.say.fault{border-color:var(--bad)}
.who{font-size:.8rem;color:var(--dim)}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font:13px/1.45 ui-monospace,monospace;background:var(--soft);padding:.5rem;border-radius:.4rem;max-height:24rem;overflow:auto}
.note{border-left:3px solid var(--warn);padding:.3rem .8rem;background:var(--soft);margin:.6rem 0}
`;

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
${[...above.map(aboveHtml), ...runs.map(runHtml)].join("\n")}
</main>
</body>
</html>
`;
}

function aboveHtml({ title, word, state, lines }: ToldAbove): string {
  return `<div class="lead"><h1>${text(title)}</h1><span class="tag ${state}">${text(word)}</span></div>
${lines.map((line) => `<p class="note">${text(line)}</p>`).join("\n")}`;
}

function runHtml(record: JudgedRun): string {
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
${section("Failed", ordered, "failed")}
${section("Without a verdict", ordered, "inconclusive")}
${section("Passed", ordered, "passed")}`;
}

function fact(name: string, value: string): string {
  return `<div><span class="dim">${text(name)}</span><b>${text(value)}</b></div>`;
}

function section(
  title: string,
  cases: readonly JudgedCase[],
  verdict: JudgedCase["facts"]["verdict"],
): string {
  const own = cases.filter(({ facts }) => facts.verdict === verdict);
  if (own.length === 0) return "";
  return `<h2 class="${verdict}">${title} (${own.length})</h2>\n${own.map(caseHtml).join("\n")}`;
}

function caseHtml(recorded: JudgedCase): string {
  const { facts, summary, iterations } = recorded;
  const isOpen = facts.verdict === "passed" ? "" : " open";
  const rate =
    summary.interval === null
      ? "not measured"
      : `${passedOf(summary)}, 95 % between ${percent(summary.interval.lower)} and ${percent(summary.interval.upper)}`;
  const all = summary.inARow ? ` · ${summary.inARow.k} in a row: ${text(shareText(summary.inARow.all))}` : "";
  return `<details${isOpen}><summary><span class="${facts.verdict}">${mark(facts.verdict)}</span><b>${text(facts.title)}</b><span class="dim">${rate}${all}</span></summary>
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
  return `${head}${why}<ul class="checks">${checks.join("")}</ul>${trace ? transcript(trace, facts.result !== "passed") : ""}`;
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

const mark = (outcome: "passed" | "failed" | "inconclusive") =>
  outcome === "passed" ? "✓" : outcome === "failed" ? "✗" : "–";
const percent = (share: number) => `${Math.round(share * 100)} %`;
const seconds = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Secrets out, cut, hidden characters spelled, then escaped: the order matters. */
function text(value: string): string {
  const clean = redactText(value);
  const short = clean.length > longestText ? `${clean.slice(0, longestText)}…` : clean;
  return escapeHidden(short).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
