/** @module Hears what happens to a visit elsewhere: that it is over, at once and whatever the page is doing, and what another tab said. */
import type { SessionEnd } from "@fettle/contract/visitors";
import { useEffect, useRef } from "react";
import { failureOf } from "../../api/failure.ts";
import { runLiveStream } from "../../api/live-stream.ts";
import { endingsUrl, readVisit } from "./queries.ts";

export function useEnding(
  scenarioId: string,
  heard: { onEnded: (reason: SessionEnd) => void; onChanged: () => void },
): void {
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => {
    const left = new AbortController();
    const over = (reason: SessionEnd) => {
      if (left.signal.aborted) return;
      left.abort();
      latest.current.onEnded(reason);
    };
    void runLiveStream({
      url: endingsUrl(scenarioId),
      lastEventId: null,
      onEvent: ({ event, data }) => {
        if (event === "ended") over((JSON.parse(data) as { reason: SessionEnd }).reason);
        if (event === "changed") latest.current.onChanged();
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
