/** @module Ties the open page to live updates: what it listens to, and what an event makes stale. */

import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { HeardEvent } from "../api/live-stream.ts";
import { queryClient, refresh } from "../api/operation.ts";
import { type Change, changeTold } from "../api/topics.ts";
import { useLinkState } from "../kit/use-link-state.ts";
import { isLocal } from "../lib/local.ts";
import { paced } from "../lib/paced.ts";
import { type Live, startLive } from "./live.ts";
import type { GoTo } from "./terminal-commands.ts";

/** Whoever has no place among the streams must not cost more than a stream would. */
const pollEvery = { paused: 5_000, crowded: 15_000, offline: 5_000 } as const;

export function pollSeconds(state: keyof typeof pollEvery): number {
  return pollEvery[state] / 1000;
}

let live: Live | undefined;

/** A burst of changes is read once at its beginning and then every so often, or it would use up what a session may ask. */
const refreshStale = paced(2_000, (changes: readonly string[]) => {
  for (const change of changes) void refresh(JSON.parse(change) as Change);
});

function heard(event: HeardEvent): void {
  if (event.event === "reset") {
    void queryClient.invalidateQueries();
    return;
  }
  if (event.event !== "changed") return;
  const { topic, about } = wordsOf(event.data);
  const change = topic === undefined ? undefined : changeTold(topic, about);
  // As text, so that the same change told twice is one.
  if (change) refreshStale([JSON.stringify(change)]);
}

function wordsOf(data: string): { topic?: string; about?: string } {
  try {
    const { topic, about } = JSON.parse(data) as { topic?: unknown; about?: unknown };
    return {
      ...(typeof topic === "string" && { topic }),
      ...(typeof about === "string" && { about }),
    };
  } catch {
    return {};
  }
}

async function listenToTerminal(goTo: GoTo): Promise<void> {
  const { startTabs } = await import("../local/tabs.ts");
  startTabs(heard, async (command, tell) =>
    (await import("./terminal-commands.ts")).obey(command, tell, goTo),
  );
}

export function useLiveTopics(topics: readonly string[]): void {
  const wanted = topics.join();
  const router = useRouter();
  useEffect(() => {
    // On somebody's own machine one stream tells everything, and this page is one of those that the terminal speaks to.
    if (isLocal) void listenToTerminal((to) => router.navigate({ to }));
    else live ??= startLive(heard);
    live?.want(wanted === "" ? [] : wanted.split(","));
  }, [wanted, router]);

  const state = useLinkState();
  useEffect(() => {
    if (state === "on") return;
    // Without a stream the open queries are asked again and again instead; the first answer after a break catches up.
    const timer = setInterval(
      () => void queryClient.invalidateQueries({ refetchType: "active" }),
      pollEvery[state],
    );
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries({ refetchType: "active" });
    };
  }, [state]);
}
