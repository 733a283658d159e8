/** @module Speaking to the workspace agent, and deciding about what it proposed. */
import type { AgentTurnResponse } from "@fettle/contract/agent";
import { freshKey } from "@fettle/contract/client";
import { chatLimits } from "@fettle/contract/core";
import { useState, useSyncExternalStore } from "react";
import { failureOf } from "../../api/failure.ts";
import { call, refresh } from "../../api/operation.ts";
import { draftOf } from "../../lib/drafts.ts";
import { type AgentConversation, type AgentTurn, historyOf } from "./conversation.ts";

/** As the contract has them; its table of limits is larger than this page. */
const limits = { messages: 50, historyBytes: 98_304, messageBytes: chatLimits.messageBytes };

export interface Conversation extends AgentConversation {
  send(said: string): Promise<void>;
  /** The message that failed, under its own key. */
  sendAgain(turn: AgentTurn): Promise<void>;
  begin(): void;
}

const begun = (): AgentConversation => ({ id: freshKey(), turns: [] });

/** Kept by this tab, also over a reload. */
export function useConversation(projectId: string): Conversation {
  const store = draftOf<AgentConversation>(`agent:${projectId}`, true);
  const [fresh] = useState(begun);
  const now = useSyncExternalStore(store.subscribe, store.get) ?? fresh;

  const put = (turn: AgentTurn) => {
    const { id, turns } = store.get() ?? fresh;
    const others = turns.filter(({ key }) => key !== turn.key);
    store.set({ id, turns: [...others, turn] });
  };
  const play = async ({ key, said }: AgentTurn) => {
    const { id, turns } = store.get() ?? fresh;
    const before = turns.filter((turn) => turn.key !== key);
    put({ key, said });
    try {
      put({ key, said, answer: await runTurn(projectId, id, key, historyOf(before, said, limits)) });
    } catch (error) {
      put({ key, said, failure: failureOf(error).message });
    }
    await refresh({ place: "project", id: projectId, part: "agent-actions" });
  };
  return {
    ...now,
    send: (said) => play({ key: freshKey(), said }),
    sendAgain: play,
    begin: () => store.set(begun()),
  };
}

function runTurn(
  projectId: string,
  conversationId: string,
  idempotencyKey: string,
  messages: ReturnType<typeof historyOf>,
): Promise<AgentTurnResponse> {
  const timeoutMs = chatLimits.turnMs + chatLimits.leaseMs;
  return call(
    "runAgentTurn",
    { projectId, body: { messages, conversationId, idempotencyKey } },
    { timeoutMs },
  );
}
