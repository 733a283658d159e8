/** @module One's own conversation as turns: each message with what was called and said in answer to it. Pure. */
import type { VisitMessage } from "@fettle/contract";
import { emptyTurn, endedCall, type ShownPart, type ShownTurn } from "../../kit/chat/turns.ts";

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
