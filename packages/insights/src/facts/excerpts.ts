/** @module The few passages of a conversation that may be shown as evidence: clipped, scrubbed, and never what a tool gave when it went well. Pure. */
import { limits } from "@fettle/contract/core";
import { groupBy, must } from "@fettle/contract/formats";
import type { Unit } from "../observed/unit.ts";
import { excerptOf, type Scrub } from "../text/scrub.ts";
import { callOf, errorTextOf } from "./call-facts.ts";
import type { CallFacts, Excerpt, TurnFacts } from "./unit-facts.ts";

const most = { all: 6, errors: 2, turns: 2 };

/** What somebody said about it first, then what failed, then the turns in which something was wrong. */
export function excerptsOf(
  unit: Unit,
  calls: readonly CallFacts[],
  turns: readonly TurnFacts[],
  hide: Scrub,
): Excerpt[] {
  const clip = (text: string) => excerptOf(text, limits.insights.excerptLength, hide);
  const { comment, messageIndex = null } = unit.feedback ?? {};
  const said: Excerpt[] = [
    ...(comment ? [{ kind: "feedback" as const, text: clip(comment), messageIndex }] : []),
    ...(unit.judge ? [{ kind: "judge" as const, text: clip(unit.judge.reason), messageIndex: null }] : []),
  ];
  // One of each kind of error tells as much as all of them.
  const errors = [
    ...groupBy(
      calls.filter(({ end }) => end === "error"),
      ({ template }) => template,
    ).values(),
  ]
    .slice(0, most.errors)
    .map(([first]): Excerpt => {
      const call = callOf(unit, first);
      return {
        kind: "tool_error",
        text: clip(errorTextOf(call)),
        messageIndex: call.messageIndex,
        call: first.index,
        turn: first.turn,
      };
    });
  const spoken = unit.turns.flatMap(({ user, answer, messageIndex }, turn) =>
    user === null ? [] : [{ user, answer, messageIndex, turn }],
  );
  const wrong = spoken.filter(({ turn }) => isTelling(must(turns[turn], "the facts of each turn")));
  const words = [...new Set([...wrong.slice(0, most.turns), ...spoken.slice(-1)])].map(
    ({ user, answer, messageIndex, turn }): Excerpt => ({
      kind: "transcript",
      text: clip(told(user, answer, clip)),
      messageIndex,
      turn,
    }),
  );
  return [...said, ...errors, ...words].filter(({ text }) => text !== "").slice(0, most.all);
}

const isTelling = ({ isRefusal, isFrustrated, isRephrased, isAnswerEmpty }: TurnFacts) =>
  isRefusal || isFrustrated || isRephrased || isAnswerEmpty;

/** Each half its share, so that a long question leaves room for the answer. */
function told(user: string, answer: string | null, clip: (text: string) => string): string {
  const half = limits.insights.excerptLength / 2;
  const short = (text: string) => (text.length <= half - 10 ? text : `${text.slice(0, half - 11)}…`);
  const spoken = `User: ${short(clip(user))}`;
  return answer === null || answer.trim() === "" ? spoken : `${spoken} Assistant: ${short(clip(answer))}`;
}
