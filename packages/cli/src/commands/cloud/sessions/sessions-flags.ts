/** @module What the commands of `cloud sessions sessions` take. */
import { limits } from "@fettle/contract/core";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

const { chat } = limits;

export const session = { parameter: "sessionId", value: "id", help: "The conversation" } as const;

export const sessionListFlags = flags({
  ...platformFlags,
  "all-projects": { kind: "boolean", help: "Of every project" },
  status: { kind: "choice", value: "status", choices: ["active", "archived"], help: "Only those" },
  limit: { kind: "integer", value: "n", min: 1, max: chat.listed.max, help: "At most so many" },
  before: { kind: "text", value: "cursor", help: "Go on where the page before ended" },
});

export const sendFlags = flags({
  message: { kind: "text", value: "text", required: true, help: "What to say" },
  "idempotency-key": {
    kind: "text",
    value: "key",
    required: true,
    maxLength: chat.keyLength,
    help: "The same for every try of this message: a finished turn is answered again, and not paid again",
  },
  session: { kind: "text", value: "id", help: "Go on with this conversation; without it, one begins" },
  model: { kind: "text", value: "provider/model", help: "Such as fettle/rules-1, which needs no key" },
  environment: { kind: "text", value: "id-or-name", help: "Speak to this environment's servers" },
  server: {
    kind: "text",
    value: "id-or-name",
    repeats: true,
    variadic: true,
    help: "Speak to these saved servers",
  },
  client: { kind: "text", value: "id-or-name", help: "As this saved client" },
  "system-prompt": { kind: "text", value: "text", help: "What the model is told first" },
  temperature: { kind: "number", value: "n", min: 0, max: chat.temperature, help: "Of the model" },
  "tool-mode": {
    kind: "choice",
    value: "mode",
    choices: ["read_only", "auto"],
    help: "read_only (usual): only tools that say they change nothing, a policy and no guarantee",
  },
  "max-steps": { kind: "integer", value: "n", min: 1, max: chat.steps.max, help: "Calls of the model" },
  "max-tool-calls": {
    kind: "integer",
    value: "n",
    min: 0,
    max: chat.toolCalls,
    help: "Calls of tools; 0 offers none",
  },
  ...platformFlags,
});

export const promoteFlags = flags({
  session: { kind: "text", value: "id", required: true, help: "The conversation" },
  suite: { kind: "text", value: "id-or-name", required: true, help: "The suite that gets the case" },
  title: { kind: "text", value: "text", help: "Of the case; its first message unless said" },
  ...platformFlags,
});
