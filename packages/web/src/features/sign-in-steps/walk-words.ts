/** @module A watched sign-in in words. */
import type { ServerSignIn } from "@fettle/contract/servers";
import type { Tone } from "../../ui/chip.tsx";

type Stage = ServerSignIn["stages"][number];
type Verdict = Stage["verdicts"][number];

export const stateWords: Record<ServerSignIn["state"], { tone: Tone; word: string }> = {
  open: { tone: "info", word: "Under way" },
  awaiting_person: { tone: "warn", word: "Waits for you" },
  failed: { tone: "bad", word: "Failed" },
  signed_in: { tone: "good", word: "Signed in" },
  expired: { tone: "neutral", word: "Expired" },
};

export const stageWords: Record<Stage["status"], { tone: Tone; word: string }> = {
  waiting: { tone: "neutral", word: "Not yet" },
  begun: { tone: "warn", word: "Waits for you" },
  passed: { tone: "good", word: "Passed" },
  failed: { tone: "bad", word: "Failed" },
  "could-not-run": { tone: "warn", word: "Could not run" },
};

export function verdictWords({ status, skipReason, warnings = [] }: Verdict): { tone: Tone; word: string } {
  if (skipReason === "not-applicable") return { tone: "neutral", word: "Not applicable" };
  if (skipReason === "could-not-run") return { tone: "warn", word: "Could not tell" };
  if (status !== "passed") return { tone: "bad", word: "Broken" };
  return warnings.length > 0 ? { tone: "info", word: "Kept, with advice" } : { tone: "good", word: "Kept" };
}

/** The first that has not passed: where it stands. */
export function currentStage({ stages }: ServerSignIn): Stage | undefined {
  return stages.find(({ status }) => status !== "passed");
}

export const hostOf = (address: string) => URL.parse(address)?.host ?? address;

/** As one would say it; lists of nothing are worth saying too. */
export function saidAs(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(saidAs).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
