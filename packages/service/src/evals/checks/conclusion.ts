/** @module What a check says of a run: its gate's word, the waiver by name, and of an outage what the repository's policy wants. Pure. */
import type { EvalRunGate } from "@fettle/contract/evals";
import { isOpen, type RunRow } from "../runs/store.ts";
import type { CheckState } from "./code-host.ts";

export interface Standing {
  /** Absent: none was launched, or it is gone. */
  run: Pick<RunRow, "status" | "summary" | "suiteName"> | undefined;
  gate: Pick<EvalRunGate, "status" | "reasons" | "waiver"> | undefined;
  error: string | null;
  outagePolicy: "fail_open" | "fail_closed";
  detailsUrl: string;
}

export function stateOf({ run, gate, error, outagePolicy, detailsUrl }: Standing): CheckState {
  if (!run && error === null) {
    return {
      status: "in_progress",
      title: "Waiting to start",
      summary: "The run is about to be launched.",
      detailsUrl,
    };
  }
  if (run && isOpen(run)) {
    return {
      status: "in_progress",
      title: "Running",
      summary: `${run.suiteName} is being played.`,
      detailsUrl,
    };
  }
  const { passed = 0, total = 0 } = run?.summary ?? {};
  const counts = `${passed} of ${total} repetitions passed.`;
  const ended = { status: "completed" as const, detailsUrl };
  switch (gate?.status) {
    case "passed":
      return { ...ended, conclusion: "success", title: "The gate passed", summary: counts };
    case "failed":
      return { ...ended, conclusion: "failure", title: "The gate failed", summary: counts };
    case "waived": {
      const { waiver } = gate;
      const until = waiver ? ` until ${new Date(waiver.expiresAt).toISOString()}` : "";
      const by = waiver?.createdByEmail ? ` by ${waiver.createdByEmail}` : "";
      const summary = `${counts} Waived${by}${until}: ${waiver?.reason ?? ""}`;
      return { ...ended, conclusion: "success", title: "The gate failed and is waived", summary };
    }
    default: {
      const isOpenPolicy = outagePolicy === "fail_open";
      const why = error ?? gate?.reasons.join(" ") ?? "The run is gone.";
      return {
        ...ended,
        conclusion: isOpenPolicy ? "neutral" : "failure",
        title: "No verdict",
        summary: `${why} This says nothing about the change; the repository lets it ${isOpenPolicy ? "pass" : "fail"}.`,
      };
    }
  }
}
