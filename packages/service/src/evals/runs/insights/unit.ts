/** @module A repetition as insights look at it: from the engine's trace and the frozen case to what was said, called and expected. */
import type { EvalRunJudges } from "@fettle/contract/evals";
import {
  type IterationGrade,
  isWantedError,
  lintCase,
  type Message,
  matchPrompts,
  placeSteps,
  planOf,
  type SuiteCase,
  type ToolCall,
  type Trace,
} from "@fettle/evals";
import type { CallEnd, Unit, UnitCall, UnitExpectation, UnitTurn } from "@fettle/insights";
import type { FrozenCase } from "../frozen.ts";
import type { IterationRow } from "../iteration-store.ts";
import type { RunRow } from "../store.ts";

/** What of its run a repetition needs. */
export interface RunAround {
  run: Pick<RunRow, "target" | "judges" | "createdAt">;
  /** Of the pinned snapshot, by server id. */
  hashes: Readonly<Record<string, string>>;
  cases: ReadonlyMap<string, FrozenCase>;
}

/** `kept` is undefined where no trace is; one that was reported from elsewhere is not in our words, and is not read. */
export function toUnit(
  row: IterationRow,
  { run, hashes, cases }: RunAround,
  kept: { trace: Trace; grade: IterationGrade | null } | undefined,
): Unit {
  const one = cases.get(row.caseKey);
  const { target } = run;
  const serverIds = new Map(target.servers.map(({ id, name }) => [name, id]));
  const judge = judgeOf(run.judges, row.caseKey);
  return {
    kind: "iteration",
    id: row.id,
    startedAt: (row.startedAt ?? run.createdAt).getTime(),
    durationMs: row.durationMs,
    model: kept ? { id: kept.trace.model.id, modelClass: kept.trace.model.modelClass } : null,
    case: { id: row.caseKey, label: row.title },
    ...(target.kind !== "servers" && {
      target: { kind: target.kind, id: target.id ?? target.name, label: target.name },
    }),
    snapshots: hashes,
    turns: kept ? turnsOf(kept.trace) : [],
    calls: kept ? wantedAsOk(one, kept.trace, callsOf(kept.trace, serverIds)) : [],
    totalTokens: row.tokensUsed,
    verdict: row.result,
    isGating: true,
    ...(judge && { judge }),
    ...(one && kept && { expectation: expectationOf(one, kept) }),
    end: {
      stopCause: row.stopCause,
      idleAfterMs: null,
      reachedTurnCap: false,
      ...(row.status === "setup_failed" && { setupFailure: setupFailureOf(row, run) }),
    },
    ...(kept?.trace.cassette && { staleEntries: kept.trace.cassette.stale }),
    ...(!kept && { isUnreadable: true }),
  };
}

/** A refusal that the case asks for is the server's doing its work, and no problem to tell of. */
function wantedAsOk(one: FrozenCase | undefined, { toolCalls }: Trace, calls: UnitCall[]): UnitCall[] {
  if (!one) return calls;
  return calls.map((call, at) =>
    call.end === "error" && isWantedError(one.item, toolCalls[at])
      ? { ...call, end: "ok", error: undefined }
      : call,
  );
}

export function turnsOf({ turns, messages }: Trace): UnitTurn[] {
  return turns.map(({ kind, messageStart, messageEnd }) => {
    const said = messages.slice(messageStart, messageEnd + 1);
    const user = kind === "prompt" ? said.find((message) => message.role === "user") : undefined;
    return { user: user?.text ?? null, answer: answerOf(said), messageIndex: messageStart };
  });
}

function answerOf(messages: readonly Message[]): string | null {
  const last = messages.findLast((message) => message.role === "assistant");
  const texts = last?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) ?? [];
  return texts.length === 0 ? null : texts.join("");
}

export function callsOf(
  { toolCalls, messages, turns }: Trace,
  serverIds: ReadonlyMap<string, string>,
): UnitCall[] {
  const places = new Map(
    messages.flatMap((message, index): [string, number][] =>
      message.role === "assistant"
        ? message.parts.flatMap((part) => (part.type === "tool-call" ? [[part.toolCallId, index]] : []))
        : [],
    ),
  );
  return toolCalls.map((call) => ({
    turn: call.turn,
    messageIndex: places.get(call.toolCallId) ?? turns[call.turn]?.messageStart ?? 0,
    serverId: call.server === null ? null : (serverIds.get(call.server) ?? call.server),
    toolName: call.toolName,
    arguments: call.arguments,
    end: endOf(call),
    result: call.result,
    resultBytes: call.resultBytes,
    error: errorOf(call),
    durationMs: call.durationMs,
    isPinned: call.pinned,
  }));
}

const ends = { failed: "error", blocked: "blocked", invalid: "unsent", cancelled: "unsent" } as const;

function endOf({ outcome, isError }: ToolCall): CallEnd {
  if (outcome !== "result") return ends[outcome];
  return isError === true ? "error" : "ok";
}

/** What the tool says in its result is read from there. */
function errorOf({ outcome, errorMessage, errorCode }: ToolCall): UnitCall["error"] {
  if (outcome !== "failed" || errorMessage === undefined) return undefined;
  const code = Number(/(-?\d+)$/.exec(errorCode ?? "")?.[1] ?? Number.NaN);
  return { text: errorMessage, ...(Number.isInteger(code) && { code }) };
}

function expectationOf(
  { item, grading }: FrozenCase,
  { trace, grade }: { trace: Trace; grade: IterationGrade | null },
): UnitExpectation {
  const matches = matchPrompts(item, trace, planOf(item, grading).matchOptions);
  const predicates = predicatesOf(item);
  return {
    isNegative: item.isNegativeTest === true,
    namedTools: [...new Set([...predicates.values()].flatMap(({ toolName }) => toolName ?? []))],
    turns: matches.map(({ turn, expected, missing, made, argumentMismatches }) => {
      const also = toolsAskedFor(item, turn);
      const isMade = new Set(made.map(({ toolName }) => toolName));
      return {
        turn,
        expected: [...expected.map(({ toolName }) => toolName), ...also],
        missing: [...missing.map(({ toolName }) => toolName), ...also.filter((name) => !isMade.has(name))],
        mismatches: argumentMismatches,
      };
    }),
    failedPredicates: (grade?.scores ?? []).flatMap(({ scorerId, passed }) => {
      const asked = passed === false ? predicates.get(scorerId) : undefined;
      return asked ? [asked] : [];
    }),
    lints: lintCase(item).map(({ code }) => code),
  };
}

/** Whoever asserts that a tool was called expects it, whatever its arguments. */
const asksForTool = ["toolCalledAtLeastOnce", "firstToolWas"];

function toolsAskedFor(item: SuiteCase, turn: number): string[] {
  return placeSteps(item.steps).flatMap(({ step, turn: at }) => {
    const asked = step.kind === "assert" && at === turn ? askedOf(step.assertion) : undefined;
    return asked?.toolName !== undefined && asksForTool.includes(asked.type) ? [asked.toolName] : [];
  });
}

interface AskedOf {
  type: string;
  toolName?: string;
}

const askedOf = (predicate: object): AskedOf => ({
  type: "type" in predicate ? String(predicate.type) : "widget",
  ...("toolName" in predicate && typeof predicate.toolName === "string" && { toolName: predicate.toolName }),
});

/** Everything that a case asks, by the name of its scorer. */
function predicatesOf(item: SuiteCase): Map<string, AskedOf> {
  const checks = (item.checks ?? []).map((check, index): [string, AskedOf] => [
    `predicate:${check.type}#${index + 1}`,
    askedOf(check),
  ]);
  const steps = item.steps.flatMap((step): [string, AskedOf][] =>
    step.kind === "assert" ? [[`step:${step.id}`, askedOf(step.assertion)]] : [],
  );
  return new Map([...checks, ...steps]);
}

/** A case has one grade for all its repetitions. */
function judgeOf(judges: EvalRunJudges, caseKey: string): Unit["judge"] {
  const goal = judges.goalCompletion;
  const given = goal?.status === "completed" ? goal.cases.find((one) => one.caseKey === caseKey) : undefined;
  if (given?.score == null || given.passed === null || goal?.threshold == null) return undefined;
  return { score: given.score, passed: given.passed, reason: given.reason ?? "", threshold: goal.threshold };
}

/** The server that the failure names; with a single one, that one. */
function setupFailureOf({ error }: IterationRow, { target }: Pick<RunRow, "target">) {
  const text = error ?? "";
  const named = target.servers.find(({ name }) => text.includes(name)) ?? target.servers[0];
  return { serverId: named?.id ?? "", text };
}
