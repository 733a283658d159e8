/** @module What is said of entries of a server's history. */
import type { HistoryKind, HistoryOutcome } from "@fettle/contract/servers";
import type { Tone } from "../../ui/chip.tsx";

export const kindWords: Record<HistoryKind, string> = {
  health: "Health",
  doctor: "Doctor",
  conformance: "Conformance",
  compat: "Hosts",
  oauth: "Sign-in",
  tool: "Tool call",
  prompt: "Prompt",
  resource: "Resource",
};

export const outcomeLooks: Record<HistoryOutcome, { tone: Tone; word: string }> = {
  ok: { tone: "good", word: "Well" },
  partial: { tone: "warn", word: "In part" },
  failed: { tone: "bad", word: "Failed" },
  stopped: { tone: "neutral", word: "Stopped" },
};
