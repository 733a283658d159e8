/** @module How a server was when it was last talked to. */
import { useSyncExternalStore } from "react";
import { type ServerAddress, type ServerState, serverStates } from "../../../api/server-calls.ts";
import { useVerdicts } from "../../../api/server-verdicts.ts";
import { cx } from "../../../lib/cx.ts";
import { momentOf } from "../../../lib/time.ts";
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

/** What this page has seen; before it has seen anything, what was last written down. */
function useKnownState(address: ServerAddress): ServerState {
  const seen = useServerState(address.serverId);
  const [latest] = useVerdicts(address)
    .filter(({ kind }) => kind === "health" || kind === "doctor")
    .toSorted((one, other) => other.at - one.at);
  if (seen.at > 0 || !latest) return seen;
  const { outcome, code, summary: reason, at } = latest;
  if (code === "oauth_required" || code === "OAUTH_REQUIRED")
    return { state: "auth-required", at, code, reason };
  if (outcome === "failed") return { state: "error", at, code: code ?? "", reason };
  return { state: outcome === "stopped" ? "disconnected" : "connected", at };
}

export interface ServerStatusProps extends ServerAddress {
  /** Which headers are sent to it, where that is known. */
  headerNames?: readonly string[];
}

/** The header by which a person said how to get in: whoever set one is not led to sign in otherwise. */
export const credentialHeader = (names: readonly string[]): string | undefined =>
  names.find((name) => /authorization|key|token/i.test(name));

export function ServerStatus({ headerNames = [], ...address }: ServerStatusProps) {
  const { serverId } = address;
  const now = useKnownState(address);
  const { tone } = looks[now.state];
  const header = now.state === "auth-required" ? credentialHeader(headerNames) : undefined;
  const word = header === undefined ? looks[now.state].word : `${header} refused`;
  const reason = "reason" in now ? now.reason : now.at > 0 ? momentOf(now.at) : undefined;
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

/** The same as a mark, where there is no room for the word. */
export function ServerDot(address: ServerAddress) {
  const { tone, word } = looks[useKnownState(address).state];
  return (
    <>
      <span aria-hidden="true" title={word} className={cx("size-2 shrink-0 rounded-full", dots[tone])} />
      <span className="sr-only">{word}:</span>
    </>
  );
}

const dots: Record<Tone, string> = {
  neutral: "border border-edge",
  info: "bg-info-mark",
  good: "bg-good-mark",
  warn: "bg-warn-mark",
  bad: "bg-bad-mark",
  accent: "bg-accent",
};
