/** @module A run as it is played, heard word by word; what is under way is in no answer yet. */
import type { JourneyRun } from "@fettle/contract/visitors";
import { useEffect, useState } from "react";
import { runLiveStream } from "../../api/live-stream.ts";

export interface LiveTurn {
  said: string;
  answer: string;
  succeeded: number;
  failed: number;
}

type Turns = Readonly<Record<string, readonly LiveTurn[]>>;

/** The turns told so far, by session. */
export function useLiveTurns({
  id,
  projectId,
  status,
}: Pick<JourneyRun, "id" | "projectId" | "status">): Turns {
  const [turns, setTurns] = useState<Turns>({});
  const isOpen = status === "running";
  useEffect(() => {
    if (!isOpen) return;
    const over = new AbortController();
    // What was told before a break is told again: by its id each counts once.
    const heard = new Set<string>();
    void runLiveStream({
      url: `/api/v1/projects/${projectId}/journey-runs/${id}/events`,
      lastEventId: null,
      onState: () => {},
      signal: over.signal,
      onEvent: ({ event, id: eventId, data }) => {
        if (event === "run_complete") over.abort();
        if (event !== "turn" || heard.has(eventId ?? "")) return;
        heard.add(eventId ?? "");
        // Written by the service in one piece.
        const { sessionId, ...turn } = JSON.parse(data) as LiveTurn & { sessionId: string };
        setTurns((before) => ({ ...before, [sessionId]: [...(before[sessionId] ?? []), turn] }));
      },
    });
    return () => over.abort();
  }, [id, projectId, isOpen]);
  return turns;
}
