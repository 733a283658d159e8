/** @module Why a repetition failed, or shows nothing, in words for someone who has never seen the suite. */
import type { EvalIteration } from "@fettle/contract/evals";
import { sentence, stateOfIteration } from "./run-words.ts";

type Score = NonNullable<EvalIteration["scores"]>[number];
type Definition = NonNullable<EvalIteration["evaluationConfig"]>["definitions"][number];

export interface JudgedCheck {
  score: Score;
  label: string;
  /** What decides, beside what is only told. */
  gating: boolean;
  state: "passed" | "failed" | "not-judged";
}

/** Every check that judged the repetition, what failed first. */
export function checksOf({ scores, evaluationConfig }: EvalIteration): JudgedCheck[] {
  const definitions = new Map<string, Definition>(
    evaluationConfig?.definitions.map((one) => [one.scorerId, one]),
  );
  const order = ["failed", "not-judged", "passed"];
  return (scores ?? [])
    .map((score): JudgedCheck => {
      const definition = definitions.get(score.scorerId);
      return {
        score,
        label: checkWords(definition?.label ?? score.scorerId),
        gating: definition?.role !== "advisory",
        state: score.status === "scored" ? (score.passed ? "passed" : "failed") : "not-judged",
      };
    })
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** What each predicate asks, with what follows its name put where it belongs. */
const asks = new Map(
  Object.entries<(rest: string) => string>({
    toolCalledWith: (rest) => `calls ${rest.replace(" ", " with ")}`,
    toolCalledAtLeastOnce: (rest) => `calls ${rest}`,
    toolNeverCalled: (rest) => `never calls ${rest}`,
    onlyToolsCalled: (rest) => `calls nothing but ${rest}`,
    firstToolWas: (rest) => `calls ${rest} first`,
    noToolErrors: () => "no tool fails",
    toolResultContains: (rest) => `a result contains ${rest}`,
    toolResultMatchesSchema: (rest) => `results of ${rest.split(" ")[0]} fit their schema`,
    toolLatencyUnder: (rest) => `every call is faster than ${rest} ms`,
    toolCallCountUnder: (rest) => `makes fewer calls than ${rest}`,
    toolResultSizeUnder: (rest) => `every result is smaller than ${rest} bytes`,
    responseContains: (rest) => `the answer contains “${rest}”`,
    responseMatches: (rest) => `the answer matches ${rest}`,
    finalAssistantMessageNonEmpty: () => "it answers",
    noSecretsInResponse: () => "the answer holds no secret",
    tokenBudgetUnder: (rest) => `uses fewer tokens than ${rest}`,
    turnCountUnder: (rest) => `takes fewer turns than ${rest}`,
  }),
);

/**
 * @example
 * checkWords("toolCalledAtLeastOnce shelf_info") // "calls shelf_info"
 */
export function checkWords(label: string): string {
  const [name = "", ...rest] = label.split(" ");
  const ask = asks.get(name);
  return ask ? ask(rest.join(" ")) : label;
}

export interface Why {
  title: string;
  /** The main reason first. */
  lines: readonly string[];
}

export function whyOf(iteration: EvalIteration): Why | undefined {
  const state = stateOfIteration(iteration);
  if (state === "lost") return { title: "Why it shows nothing", lines: lostLines(iteration) };
  if (state !== "failed") return undefined;
  const failed = checksOf(iteration).filter(({ gating, state: each }) => gating && each === "failed");
  // What the expected calls lack is said of all of them together; the steps that ask for one of them would only say it again.
  const isSaid = failed.some(({ score }) => score.scorerId === "tool-match");
  const lines = failed
    .filter(({ label }) => !(isSaid && / with \{/.test(label)))
    .flatMap(({ score }) => failureLines(iteration, score));
  const said = lines.length > 0 ? lines : [iteration.error ? sentence(iteration.error) : "It did not pass."];
  return { title: "Why it failed", lines: [...new Set(said)] };
}

/** The commonest failures are said as what the agent did; any other as the judge put it. */
function failureLines(iteration: EvalIteration, { scorerId, rationale = "" }: Score): string[] {
  const made = [...new Set(iteration.actualToolCalls.map(({ toolName }) => toolName))];
  const instead = made.length === 0 ? "It called no tool at all." : `It called ${listed(made)} instead.`;
  const [, absent] = /^(\S+) was not called\b/.exec(rationale) ?? [];
  if (absent !== undefined) return [`The agent never called ${absent}. ${instead}`];
  if (scorerId !== "tool-match") return [sentence(rationale)];
  const [, called] = /^called: (.+)$/.exec(rationale) ?? [];
  if (called !== undefined) return [`The agent called ${called}, and should have called nothing.`];
  return rationale.split("; ").map((part) => {
    const [, missing] = /^missing: (.+)$/.exec(part) ?? [];
    if (missing !== undefined) return `The agent never called ${missing}. ${instead}`;
    const [, tool, got, wanted] = /^(\S+) got (.+) instead of (.+)$/.exec(part) ?? [];
    return tool === undefined
      ? sentence(part)
      : `The agent called ${tool} with other arguments: ${got} where ${wanted} was expected.`;
  });
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Whose fault it is, in words that nobody takes for a verdict. */
const owners: Record<string, string> = {
  infrastructure: "Something on the way broke: this says nothing about your server or the model.",
  server: "The server did not answer as MCP asks.",
  model: "The model declined, or could not be asked.",
  tool: "A tool failed.",
  ours: "Fettle itself stopped it: a limit, a setting or a fault of its own.",
};

function lostLines({ error, errorClass, status }: EvalIteration): string[] {
  const usual: Record<string, string> = {
    cancelled: "The run was cancelled before it was done.",
    skipped: "It was not begun.",
    timed_out: "It ran out of time.",
    setup_failed: "It could not begin.",
  };
  const said = error ? sentence(error) : (usual[status] ?? "It ended without a result.");
  const owner = errorClass === null ? undefined : owners[errorClass];
  return owner ? [said, owner] : [said];
}
