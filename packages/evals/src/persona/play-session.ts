/** @module Plays one synthetic visitor's session: the persona speaks, the agent answers, until the persona is done or its turns are. */
import type { Agent } from "../agent/agent.ts";
import { exclusionOf, finalTextOf, type StopCause, type Turn } from "../agent/trace.ts";
import type { NextWords, PlayedTurn } from "./rule-persona.ts";

/** What the persona says next, by whatever means. */
export type Persona = (played: readonly PlayedTurn[], signal: AbortSignal) => Promise<NextWords> | NextWords;

/** `persona`: it was done or had enough. `turns`: it would have gone on. */
export type SessionEnd = "persona" | "turns" | "stopped";

export interface PlayedSession {
  end: SessionEnd;
  turns: readonly PlayedTurn[];
  /** Set where something other than the visitor ended it. */
  stop?: StopCause;
  /** The last words, where the persona took its leave. */
  farewell?: string;
}

/** Thrown when the persona ends before it said anything: there was no session. */
export class NothingSaid extends Error {
  constructor() {
    super("The persona ended before it had said anything.");
  }
}

export async function playSession({
  agent,
  persona,
  maxTurns,
  signal,
  onTurn,
}: {
  agent: Agent;
  persona: Persona;
  maxTurns: number;
  signal: AbortSignal;
  /** Told each turn as it ends, and whether it came to its own end. */
  onTurn?: ((turn: PlayedTurn, isWhole: boolean) => Promise<void>) | undefined;
}): Promise<PlayedSession> {
  const turns: PlayedTurn[] = [];
  while (turns.length < maxTurns) {
    const { message, endSession } = await persona(turns, signal);
    signal.throwIfAborted();
    if (endSession) {
      if (turns.length === 0) throw new NothingSaid();
      return { end: "persona", turns, farewell: message };
    }
    const turn = await agent.prompt(message, { signal });
    const seen = seenBy(agent, message, turn);
    turns.push(seen);
    // A turn that the agent cut short is an answer too; what broke around it ends the session.
    const isWhole = exclusionOf[turn.stop] === null || turn.stop === "content_filter";
    await onTurn?.(seen, isWhole);
    if (!isWhole) {
      return { end: "stopped", turns, stop: turn.stop };
    }
  }
  return { end: "turns", turns };
}

function seenBy({ trace }: Agent, said: string, turn: Turn): PlayedTurn {
  const calls = trace.toolCalls.filter((call) => call.turn === turn.index);
  const failed = calls.filter(({ isError }) => isError !== false).length;
  return {
    said,
    answer: finalTextOf(trace.messages.slice(turn.messageStart)) ?? "",
    succeeded: calls.length - failed,
    failed,
  };
}
