/** @module Hears that a visit is over, at once and whatever the page is doing. */
import type { SessionEnd } from "@fettle/contract";
import { useEffect, useRef } from "react";
import { failureOf } from "../../api/failure.ts";
import { runLiveStream } from "../../api/live-stream.ts";
import { endingsUrl, readVisit } from "./queries.ts";

export function useEnding(scenarioId: string, onEnded: (reason: SessionEnd) => void): void {
  const latest = useRef(onEnded);
  latest.current = onEnded;
  useEffect(() => {
    const left = new AbortController();
    const over = (reason: SessionEnd) => {
      if (left.signal.aborted) return;
      left.abort();
      latest.current(reason);
    };
    void runLiveStream({
      url: endingsUrl(scenarioId),
      lastEventId: null,
      onEvent: ({ event, data }) => {
        if (event === "ended") over((JSON.parse(data) as { reason: SessionEnd }).reason);
      },
      onState: async (state) => {
        if (state !== "paused") return;
        // The stream is refused: perhaps because the visit is over.
        const code = await readVisit(scenarioId).then(
          () => undefined,
          (error: unknown) => failureOf(error).code,
        );
        if (code === "UNAUTHORIZED") over("access");
      },
      signal: left.signal,
    });
    return () => left.abort();
  }, [scenarioId]);
}
