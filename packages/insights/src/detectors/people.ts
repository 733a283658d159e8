/** @module How it goes for people, real or played: who struggles, who gives up, what they say. */
import type { UnitFacts } from "../facts/unit-facts.ts";
import { selectionThreshold } from "../observed/surface.ts";
import { anyShare, type Detector, everywhere, type Hit, never, S, type Seen, U } from "./detector.ts";
import { ownerOf } from "./error-owner.ts";
import { byUnit, isAbandoned, isStruggling, nowhere, ofMeeting, ofPath, onlyServer } from "./sights.ts";

const ofPeople = {
  scopes: [U],
  category: "unknown",
  attribution: "unknown",
  actionTarget: "investigate",
  actionability: "investigate",
  surface: null,
  isProven: never,
} as const;

const ofAgent = {
  ...ofPeople,
  scopes: everywhere,
  category: "agent_behavior",
  attribution: "agent_or_prompt",
  actionTarget: "agent_configuration",
} as const;

const struggle = { units: 5, times: 2 };
const rated = { least: 3, negative: 2, share: 0.2 };

const strugglesMore: NonNullable<Detector["fires"]> = ({ total, rate, restRate }) =>
  total >= struggle.units && restRate !== null && rate > 0 && rate >= struggle.times * restRate;

/** What of the server went wrong in the same conversation. */
function troubles(unit: UnitFacts): Record<string, number> {
  const owners = new Set(unit.calls.map((call) => ownerOf(call, unit)));
  const isOf = (ids: readonly string[]) => (ids.some((id) => owners.has(id)) ? 1 : 0);
  return {
    tool_runtime: isOf(["tool_errors", "timeout_recurring", "connection_lost"]),
    tool_contract: isOf(["schema_invalid_args", "server_rejects_valid_args", "opaque_errors"]),
  };
}

/** Told as what it comes with, where that is in half of the same conversations. */
const sharesTrouble: NonNullable<Detector["means"]> = ({ tally, count }) => {
  const category = (["tool_runtime", "tool_contract"] as const).find(
    (name) => 2 * (tally[name] ?? 0) >= count,
  );
  return category ? { category } : {};
};

export const peopleDetectors: readonly Detector[] = [
  {
    ...ofPeople,
    id: "persona_struggles",
    scopes: [S],
    see: byUnit(({ persona }) => persona && { kind: "persona", ...persona }, isStruggling),
    fires: strugglesMore,
    weight: 0.5,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "struggles more than the others",
      recommendation: "Read its sessions: how it asks may be what the tools do not understand.",
    },
  },
  {
    ...ofPeople,
    id: "cohort_struggles",
    *see(unit) {
      for (const [dimension, value] of Object.entries(unit.cohort)) {
        if (value === undefined) continue;
        const subject = { kind: `cohort_${dimension}`, id: value, label: `${dimension} ${value}` };
        yield { subject, hits: isStruggling(unit) ? [{ place: nowhere, times: 1 }] : [] };
      }
    },
    fires: strugglesMore,
    weight: 0.5,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "struggle more than the others",
      recommendation:
        "Read their sessions beside those of others: what differs may be the device, the language or the wish.",
    },
  },
  {
    ...ofAgent,
    id: "empty_final_answer",
    // What nobody answered because the visitor left is told elsewhere.
    see: byUnit(ofMeeting, (unit) => {
      const isEmpty = unit.turns.at(-1)?.isAnswerEmpty === true && unit.isReadable;
      const isEnded = unit.stopCause === "completed" && unit.lastEvent !== "tool_error" && !isAbandoned(unit);
      return isEmpty && isEnded ? { turn: unit.turns.length - 1 } : false;
    }),
    weight: 0.5,
    evidence: ["transcript"],
    texts: {
      phrase: "ends without an answer",
      recommendation: "Tell the agent to say what it found, also when that is nothing.",
    },
  },
  {
    ...ofAgent,
    id: "refusal",
    see: byUnit(ofMeeting, ({ turns, calls, expectation }) => {
      const last = turns.at(-1);
      // Where no tool is meant, a capability is missing.
      return last?.isRefusal === true &&
        expectation?.isNegative !== true &&
        calls.length === 0 &&
        last.bestScore >= selectionThreshold
        ? { turn: turns.length - 1 }
        : false;
    }),
    weight: 0.5,
    evidence: ["transcript"],
    isOfChoice: true,
    texts: {
      phrase: "is refused though a tool fits",
      recommendation: "Tell the agent which tools it has for this, and that it may use them.",
    },
  },
  {
    ...ofPeople,
    id: "negative_feedback",
    see: byUnit(
      (unit, world) => (unit.isNegative === null ? null : ofMeeting(unit, world)),
      (unit) => unit.isNegative === true && { tally: troubles(unit) },
    ),
    means: sharesTrouble,
    least: { units: rated.negative, share: rated.share },
    fires: ({ total }) => total >= rated.least,
    weight: 0.75,
    evidence: ["feedback", "transcript"],
    texts: {
      phrase: "visitors are not content",
      observed: ({ count, total }) => `Negative ratings in ${count} of ${total} rated sessions`,
      recommendation: "Read what they wrote beside what the tools gave them.",
      acceptance: () => "Negative share under 20% over the next 20 rated sessions",
    },
  },
  {
    ...ofPeople,
    id: "frustration",
    scopes: [U, S],
    means: sharesTrouble,
    see: byUnit(ofMeeting, (unit) => {
      const turn = unit.turns.findIndex(({ isFrustrated }) => isFrustrated);
      return turn === -1 ? false : { turn, tally: troubles(unit) };
    }),
    weight: 0.75,
    evidence: ["transcript"],
    texts: {
      phrase: "visitors lose patience",
      recommendation:
        "Read what came just before: an answer that misses, or a tool that fails without words.",
    },
  },
  {
    ...ofPeople,
    id: "rephrase_loop",
    scopes: [U, S],
    *see(unit): Iterable<Seen> {
      const again = unit.turns.flatMap((turn, at) => (turn.isRephrased ? [{ ...turn, at }] : []));
      const [first] = again;
      const wishes = new Map(unit.turns.flatMap(({ intent }) => (intent ? [[intent.id, intent]] : [])));
      for (const intent of wishes.values()) {
        const isOwn = again.length >= 2 && first?.intent?.id === intent.id;
        const meant = isOwn && first.bestScore >= selectionThreshold ? 1 : 0;
        const hit: Hit = { place: nowhere, times: again.length, turn: first?.at, tally: { meant } };
        const subject = { kind: "intent", ...intent };
        yield { subject, hits: isOwn ? [hit] : [] };
      }
    },
    category: "workflow",
    attribution: "server_capability",
    actionTarget: "mcp_server",
    weight: 0.75,
    surface: "capability",
    means: ({ tally, count }, world) =>
      2 * (tally.meant ?? 0) >= count
        ? { attribution: "agent_or_prompt", actionTarget: "agent_configuration" }
        : onlyServer(world),
    evidence: ["transcript"],
    isOfChoice: true,
    texts: {
      phrase: "has to be said again and again",
      recommendation: "Let the tool that is meant take these words, or say what the server can do instead.",
    },
  },
  {
    ...ofPeople,
    id: "abandoned_session",
    see: byUnit(ofPath, isAbandoned),
    least: { units: 3, share: 0.15 },
    category: "workflow",
    weight: 0.75,
    evidence: ["transcript"],
    texts: {
      phrase: "visitors leave without an answer",
      recommendation: "See what they were waiting for: how long it took, and what they saw meanwhile.",
    },
  },
  {
    ...ofPeople,
    id: "terminal_error_concentration",
    see: byUnit(ofPath, (unit) => {
      const call = unit.calls.findLast(({ end }) => end === "error");
      return unit.lastEvent === "tool_error" && call ? { call: call.index } : false;
    }),
    least: anyShare(2),
    category: "workflow",
    weight: 0.75,
    evidence: ["tool_error"],
    texts: {
      phrase: "sessions end on an error",
      recommendation: "Let the error say how to go on; it is the last thing these visitors saw.",
    },
  },
];
