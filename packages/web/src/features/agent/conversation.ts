/** @module A conversation with the workspace agent, as this tab keeps it: the service stores none of it. Pure. */
import type { AgentMessage, AgentTurnResponse } from "@fettle/contract/agent";

export interface AgentTurn {
  /** The same for every try of the message. */
  key: string;
  said: string;
  /** Absent while it is under way, and when it failed. */
  answer?: AgentTurnResponse;
  /** Why there is none. */
  failure?: string;
}

export interface AgentConversation {
  id: string;
  turns: readonly AgentTurn[];
}

/** What the service takes: messages, bytes of one, bytes of all. */
export interface HistoryLimits {
  messages: number;
  messageBytes: number;
  historyBytes: number;
}

const utf8 = new TextEncoder();
const bytesOf = (text: string) => utf8.encode(text).length;

/** All that was said and answered before, and the new words at the end; of a long conversation the latest that fits. */
export function historyOf(
  turns: readonly AgentTurn[],
  said: string,
  { messages, messageBytes, historyBytes }: HistoryLimits,
): AgentMessage[] {
  const answered = turns.flatMap(({ said: asked, answer }): AgentMessage[] =>
    answer
      ? [
          { role: "user", content: asked },
          { role: "assistant", content: clipped(answer.reply, messageBytes) },
        ]
      : [],
  );
  const last: AgentMessage = { role: "user", content: said };
  const kept = answered.slice(-(messages - 1));
  let bytes = [...kept, last].reduce((sum, { content }) => sum + bytesOf(content), 0);
  while (bytes > historyBytes) {
    const oldest = kept.shift();
    if (!oldest) break;
    bytes -= bytesOf(oldest.content);
  }
  return [...kept, last];
}

/** As many whole characters as fit; four bytes are the most that one takes. */
function clipped(text: string, most: number): string {
  if (text.trim() === "") return "…";
  if (bytesOf(text) <= most && text.length <= most) return text;
  return `${text.slice(0, Math.floor(most / 4)).toWellFormed()}…`;
}

/** Where in this app a thing is that the service names by its whole address. */
export function pathOfUrl(url: string): string {
  return URL.parse(url)?.pathname ?? "/";
}
