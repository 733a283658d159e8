/** @module A target as a report may show it: what kinds of credential there are, never one of them. */
import { summarizeTarget, type Target, type TargetSummary } from "@fettle/mcp";

/** How the caller will answer a demand for credentials; the target itself only knows its access token. */
export interface HeldCredentials {
  hasRefreshToken?: boolean;
  hasClientSecret?: boolean;
}

export interface DoctorTarget extends TargetSummary {
  timeoutMs: number;
  hasRefreshToken: boolean;
  hasClientSecret: boolean;
}

export function targetFacts(target: Target, timeoutMs: number, held: HeldCredentials = {}): DoctorTarget {
  return {
    ...summarizeTarget(target),
    timeoutMs,
    hasRefreshToken: held.hasRefreshToken ?? false,
    hasClientSecret: held.hasClientSecret ?? false,
  };
}

/** The words that name this target on the command line, without its credentials. */
export function targetWords(
  target: Pick<TargetSummary, "kind" | "url" | "command" | "commandArgs">,
): string[] {
  if (target.kind === "http") return ["--url", target.url ?? ""];
  const args = (target.commandArgs ?? []).map((word) => `--args=${word}`);
  return ["--command", target.command ?? "", ...args];
}
