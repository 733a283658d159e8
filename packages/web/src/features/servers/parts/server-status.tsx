/** @module How a server was when it was last talked to. */
import { useSyncExternalStore } from "react";
import { type ServerState, serverStates } from "../../../api/server-calls.ts";
import { Chip, type Tone } from "../../../ui/chip.tsx";

const looks: Record<ServerState["state"], { tone: Tone; word: string }> = {
  disconnected: { tone: "neutral", word: "Not checked" },
  connecting: { tone: "info", word: "Checking …" },
  connected: { tone: "good", word: "Answers" },
  "auth-required": { tone: "warn", word: "Needs sign-in" },
  error: { tone: "bad", word: "Failing" },
};

export function useServerState(serverId: string): ServerState {
  const states = useSyncExternalStore(serverStates.subscribe, serverStates.get);
  return states.get(serverId) ?? { state: "disconnected", at: 0 };
}

export function ServerStatus({ serverId }: { serverId: string }) {
  const now = useServerState(serverId);
  const { tone, word } = looks[now.state];
  const reason = "reason" in now ? now.reason : undefined;
  return (
    <span
      data-testid="server-status"
      data-server={serverId}
      data-state={now.state}
      data-reason={"code" in now ? now.code : undefined}
    >
      <Chip tone={tone} {...(reason && { title: reason })}>
        {word}
      </Chip>
    </span>
  );
}
