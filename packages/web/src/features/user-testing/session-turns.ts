/** @module A visitor's session as turns, and the turn that a quoted remark is about. Pure. */
import type { UserTestingSessionDetail } from "@fettle/contract/visitors";
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
    const call = {
      toolCallId: String(index),
      serverId: null,
      serverName: null,
      toolName: toolName ?? "",
      input: {},
    };
    return [{ kind: "call", call: { ...call, state: isError ? "error" : "ok", durationMs: null } }];
  }
  return role === "assistant" && text !== "" ? [{ kind: "text", text }] : [];
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

/** The turn that a quoted remark is nearest to; it was scrubbed and clipped. Undefined: nothing of it was said in any. */
export function turnOf(turns: readonly SessionTurn[], excerpt: string): string | undefined {
  const wanted = wordsOf(excerpt);
  const rated = turns.map((turn) => {
    const texts = turn.parts.flatMap((part) => (part.kind === "call" ? [] : [part.text]));
    const said = [turn.message ?? "", turn.rating?.comment ?? "", ...texts];
    return { turn, worth: wordsOf(said.join(" ")).intersection(wanted).size };
  });
  const [best] = rated.toSorted((one, other) => other.worth - one.worth);
  return best && best.worth > 0 ? (best.turn.turnId ?? undefined) : undefined;
}
