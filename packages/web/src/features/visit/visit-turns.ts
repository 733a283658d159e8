/** @module One's own conversation as turns: each message with what was called and said in answer to it. Pure. */
import type { VisitMessage, VisitSession } from "@fettle/contract/visitors";
import { emptyTurn, endedCall, type ShownPart, type ShownTurn, withTold } from "../../kit/chat/turns.ts";

export function visitTurns(messages: readonly VisitMessage[]): ShownTurn[] {
  const turns = Map.groupBy(messages, ({ turnId }) => turnId);
  return [...turns].map(([turnId, said], promptIndex) => ({
    ...emptyTurn(said.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join("\n")),
    turnId,
    promptIndex,
    isRunning: false,
    parts: said.flatMap(partsOf),
  }));
}

function partsOf({ role, text, calls }: VisitMessage): ShownPart[] {
  if (role === "user") return [];
  return [
    ...calls.map((call): ShownPart => ({ kind: "call", call: endedCall(call) })),
    { kind: "text", text },
  ];
}

/** One that is under way elsewhere: what was sent, and what it asks. */
export function runningTurn({ turnId, message, asks }: NonNullable<VisitSession["running"]>): ShownTurn {
  const begun: ShownTurn = { ...emptyTurn(message), turnId };
  return asks.reduce((turn, data) => withTold(turn, { event: "ask", data }), begun);
}
