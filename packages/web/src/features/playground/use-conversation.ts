/** @module One open conversation: what was kept, what is under way, and what others add to it. */
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import { useEffect, useSyncExternalStore } from "react";
import { refresh } from "../../api/operation.ts";
import { type Conversation, conversationOf, follow, loadNewer } from "./conversations.ts";
import { readTurn } from "./queries.ts";

/** How often a turn is asked about that nobody tells of. */
const askMs = 1_000;

export function useConversation(key: string, session?: ChatSessionDetail): Conversation {
  const store = conversationOf(key);
  const conversation = useSyncExternalStore(store.subscribe, store.get);
  const { live } = conversation;
  const isHeard = live?.isHeard === true;
  const { projectId, sessionId, version, runningTurnId, interruptedTurnId } = session ?? {};

  // Each version has one turn more than the one before; what is heard here comes by itself.
  useEffect(() => {
    if (sessionId && !isHeard) void loadNewer(sessionId, version);
  }, [sessionId, version, isHeard]);

  const isOpen = live?.shown.isRunning === true;
  const followed = isHeard ? null : isOpen ? live.shown.turnId : (runningTurnId ?? interruptedTurnId ?? null);
  useEffect(() => {
    if (!projectId || !sessionId || !followed) return;
    const left = new AbortController();
    const untilEnd = async () => {
      await followTurn(sessionId, followed, left.signal);
      if (!left.signal.aborted) await refresh({ place: "project", id: projectId, part: "sessions" });
    };
    void untilEnd();
    return () => left.abort();
  }, [projectId, sessionId, followed]);
  return conversation;
}

async function followTurn(sessionId: string, turnId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const record = await readTurn(sessionId, turnId, signal);
      if (signal.aborted) return;
      await follow(sessionId, turnId, record);
      if (record?.status !== "running") return;
    } catch {
      // The service may be away for a moment; the turn is not.
    }
    await new Promise((resolve) => setTimeout(resolve, askMs));
  }
}
