/** @module Ties the open page to live updates: what it listens to, and what an event makes stale. */
import { useEffect } from "react";
import { queryClient } from "../api/queries.ts";
import { keysOfTopic } from "../api/topics.ts";
import { useLinkState } from "../kit/use-link-state.ts";
import type { ServerEvent } from "../lib/sse.ts";
import { type Live, startLive } from "./live.ts";

const pollEvery = 5_000;

let live: Live | undefined;

function heard(event: ServerEvent): void {
  if (event.type === "reset") {
    void queryClient.invalidateQueries();
    return;
  }
  if (event.type !== "changed") return;
  const topic = topicOf(event.data);
  for (const queryKey of topic === undefined ? [] : keysOfTopic(topic))
    void queryClient.invalidateQueries({ queryKey });
}

function topicOf(data: string): string | undefined {
  try {
    const { topic } = JSON.parse(data) as { topic?: unknown };
    return typeof topic === "string" ? topic : undefined;
  } catch {
    return undefined;
  }
}

export function useLiveTopics(topics: readonly string[]): void {
  const wanted = topics.join();
  useEffect(() => {
    live ??= startLive(heard);
    live.want(wanted === "" ? [] : wanted.split(","));
  }, [wanted]);

  const state = useLinkState();
  useEffect(() => {
    if (state === "on") return;
    // Without a stream the open queries are asked again and again instead; the first answer after a break catches up.
    const timer = setInterval(() => void queryClient.invalidateQueries({ refetchType: "active" }), pollEvery);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries({ refetchType: "active" });
    };
  }, [state]);
}
