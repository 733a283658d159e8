/** @module A turn as a command: what was typed in the page, to be pasted into a terminal. */
import { shellWord } from "@fettle/contract/formats";
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import type { ShownTurn } from "../../kit/chat/turns.ts";

type Settled = Pick<
  ChatSessionDetail,
  | "projectId"
  | "sessionId"
  | "modelId"
  | "environmentId"
  | "servers"
  | "clientId"
  | "systemPrompt"
  | "temperature"
  | "toolMode"
>;

/**
 * The first turn begins another conversation like this one; a later one goes on with it. The key is made of the turn's id, so that
 * the command pasted twice is paid once.
 */
export function sendCommand(
  session: Settled,
  { turnId, message, promptIndex }: Pick<ShownTurn, "turnId" | "message" | "promptIndex">,
): string {
  const flags: (readonly [string, string])[] = [];
  if (promptIndex === 0) {
    flags.push(["project", session.projectId], ["model", session.modelId]);
    if (session.environmentId) flags.push(["environment", session.environmentId]);
    else for (const { id } of session.servers) flags.push(["server", id]);
    if (session.clientId) flags.push(["client", session.clientId]);
    if (session.systemPrompt) flags.push(["system-prompt", session.systemPrompt]);
    if (session.temperature !== null) flags.push(["temperature", String(session.temperature)]);
    flags.push(["tool-mode", session.toolMode]);
  } else flags.push(["session", session.sessionId]);
  flags.push(["message", message ?? ""], ["idempotency-key", `again-${turnId}`]);
  return [
    "fettle cloud sessions send",
    ...flags.map(([name, value]) => `--${name} ${shellWord(value)}`),
  ].join(" ");
}
