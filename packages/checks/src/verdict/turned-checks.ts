/** @module Two reports of one suite side by side: which checks came out otherwise. */
import { must } from "@fettle/contract/formats";
import type { ConformanceCheckState, conformanceCheckStates } from "@fettle/contract/servers";

interface Judged {
  id: string;
  title: string;
  status: "passed" | "failed" | "skipped";
  skipReason?: "not-applicable" | "could-not-run" | undefined;
}

interface JudgedReport {
  groups: readonly { cases: readonly Judged[] }[];
}

export interface TurnedCheck {
  id: string;
  title: string;
  /** Null where the check was not among them. */
  from: ConformanceCheckState | null;
  to: ConformanceCheckState | null;
  turn: "worse" | "better" | "other";
}

/** The gravest first. */
const gravity: typeof conformanceCheckStates = ["failed", "could-not-run", "passed", "not-applicable"];

/**
 * A check that stands in several groups counts by the gravest of them, since groups are named by what differs from run to run.
 *
 * @example
 * turnedChecks(yesterday, today).turned // [{ id: "ping", from: "passed", to: "failed", turn: "worse", … }]
 */
export function turnedChecks(
  before: JudgedReport,
  after: JudgedReport,
): { turned: TurnedCheck[]; same: number } {
  const [earlier, later] = [statesOf(before), statesOf(after)];
  const all = [...new Set([...later.keys(), ...earlier.keys()])].map((id) => {
    const from = earlier.get(id)?.state ?? null;
    const to = later.get(id)?.state ?? null;
    const { title } = must(later.get(id) ?? earlier.get(id), "a check of one of the reports");
    return { id, title, from, to, turn: turnOf(from, to) };
  });
  const turned = all.filter(({ from, to }) => from !== to);
  return { turned, same: all.length - turned.length };
}

function statesOf({ groups }: JudgedReport): Map<string, { title: string; state: ConformanceCheckState }> {
  const states = new Map<string, { title: string; state: ConformanceCheckState }>();
  for (const { id, title, status, skipReason } of groups.flatMap(({ cases }) => cases)) {
    const state = status === "skipped" ? (skipReason ?? "could-not-run") : status;
    const known = states.get(id);
    if (!known || gravity.indexOf(state) < gravity.indexOf(known.state)) states.set(id, { title, state });
  }
  return states;
}

/** Only failing and passing weigh: what could not run, or no longer applies, says nothing about the server. */
function turnOf(from: ConformanceCheckState | null, to: ConformanceCheckState | null): TurnedCheck["turn"] {
  if (to === "failed") return "worse";
  if (from === "failed" && to === "passed") return "better";
  return "other";
}
