/** @module What the commands of `cloud agent` take. */
import { limits } from "@fettle/contract/core";
import { flags } from "../../program/flag.ts";
import { platformFlags } from "../../program/shared-flags.ts";

export const agentRunFlags = flags({
  message: { kind: "text", value: "text", help: "What to say" },
  file: {
    kind: "text",
    value: "history.json",
    help: "What was said before, as JSON [{role, content}] or {messages}, or - for stdin",
  },
  conversation: {
    kind: "text",
    value: "id",
    maxLength: limits.agent.conversationIdLength,
    help: "Let it propose actions that need approval in the web app",
  },
  "idempotency-key": {
    kind: "text",
    value: "key",
    maxLength: limits.chat.keyLength,
    help: "The same for every try of this message: a finished turn is answered again, and not paid again",
  },
  ...platformFlags,
});
