/** @module A visitor's session as turns, and the turn that a piece of evidence is about. Pure. */
import type { UserTestingSessionDetail } from "@fettle/contract";
import { emptyTurn, type ShownPart, type ShownTurn } from "../../kit/chat/turns.ts";

type Message = UserTestingSessionDetail["messages"][number];
type Rating = NonNullable<Message["rating"]>;

export interface SessionTurn extends ShownTurn {
  rating: Rating | undefined;
}

export function sessionTurns(messages: readonly Message[]): SessionTurn[] {
  const turns = Map.groupBy(messages, ({ turnId }) => turnId);
  return [...turns].map(([turnId, said], promptIndex) => ({
    ...emptyTurn(said.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join("\n")),
    turnId,
    promptIndex,
    isRunning: false,
    parts: said.flatMap(partsOf),
    rating: said.find(({ rating }) => rating)?.rating,
  }));
}

function partsOf({ role, text, toolName, isError, index }: Message): ShownPart[] {
  if (role === "tool") {
    const call = { toolCallId: String(index), serverName: null, toolName: toolName ?? "", input: {} };
    return [{ kind: "call", call: { ...call, state: isError ? "error" : "ok", durationMs: null } }];
  }
  return role === "assistant" && text !== "" ? [{ kind: "text", text }] : [];
}

export interface Evidence {
  /** As it was quoted: scrubbed and clipped, so perhaps no longer word by word. */
  excerpt: string;
  toolName?: string | undefined;
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

/** The turn whose words, or failed calls, the evidence is nearest to; undefined: none has anything of it. */
export function turnOf(turns: readonly SessionTurn[], { excerpt, toolName }: Evidence): string | undefined {
  const wanted = wordsOf(excerpt);
  const rated = turns.map((turn) => {
    const said = [turn.message ?? "", turn.rating?.comment ?? ""];
    let calls = 0;
    for (const part of turn.parts) {
      if (part.kind !== "call") said.push(part.text);
      else if (part.call.toolName === toolName) calls += part.call.state === "error" ? 2 : 1;
    }
    return { turn, worth: calls * wanted.size + wordsOf(said.join(" ")).intersection(wanted).size };
  });
  const [best] = rated.toSorted((one, other) => other.worth - one.worth);
  return best && best.worth > 0 ? (best.turn.turnId ?? undefined) : undefined;
}
