/** @module Runs in words: what each status and outcome is called, and what a run was of. */
import type { ConformanceRun, ConformanceSuite, ProjectServer, RuleWord } from "@fettle/contract/servers";
import type { Tone } from "../../ui/chip.tsx";

export const suiteNames: Record<ConformanceSuite, string> = {
  protocol: "Protocol",
  apps: "Apps",
  tasks: "Tasks",
  oauth: "OAuth",
};

/** What a word means for the verdict. */
export const ruleWordMeanings: Record<RuleWord, string> = {
  MUST: "The specification demands it.",
  schema: "The published schema demands it.",
  SHOULD: "The specification advises it; breaking it does not fail a run.",
  MAY: "The specification allows it; leaving it does not fail a run.",
  contract: "The official suite's fixtures promise it; it decides under their profile only.",
  inferred: "No sentence says it; it is worth knowing and costs nothing.",
};

const sources: Record<ConformanceRun["source"], string> = {
  ui: "these pages",
  sdk: "an SDK",
  cli: "the command line",
  github_action: "a GitHub action",
  github_app: "a GitHub app",
  api: "the API",
};

export function isOpen({ status }: Pick<ConformanceRun, "status">): boolean {
  return status === "queued" || status === "running";
}

/** One word for how it stands: while it goes on its status, afterwards what came of it. */
export function stateOf({
  status,
  outcome,
  nothingToTest,
}: Pick<ConformanceRun, "status" | "outcome" | "nothingToTest">): {
  tone: Tone;
  word: string;
} {
  if (status === "queued") return { tone: "info", word: "Waiting" };
  if (status === "running") return { tone: "info", word: "Running" };
  if (status === "cancelled") return { tone: "neutral", word: "Cancelled" };
  if (status === "timed_out") return { tone: "warn", word: "Timed out" };
  if (outcome === "failed") return { tone: "bad", word: "Failed" };
  if (nothingToTest) return { tone: "neutral", word: "Nothing to test" };
  return outcome === "passed" ? { tone: "good", word: "Passed" } : { tone: "warn", word: "Incomplete" };
}

/** Made here, or told from where. */
export function originOf({ verification, source }: ConformanceRun): string {
  return verification === "hosted" ? "Run here" : `Reported by ${sources[source]}`;
}

/** What was checked, as people know it. */
export function subjectOf(run: ConformanceRun, servers: readonly ProjectServer[] | undefined): string {
  const { serverId, target } = run;
  if (serverId !== null)
    return servers?.find(({ id }) => id === serverId)?.name ?? "A server that was deleted";
  return target.serverUrl ?? target.serverRef ?? "A server that was deleted";
}
