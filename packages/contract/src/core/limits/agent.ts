/** @module What a turn of the workspace agent is held to. How long it may take and how many go on at once is as for conversations. */
import { day, KiB } from "./units.ts";

export const agentLimits = {
  messages: 50,
  /** Of all messages together; each is held to what one of a conversation is. */
  historyBytes: 96 * KiB,
  steps: 16,
  toolCalls: 48,
  /** Operations of one step that run at the same time. */
  parallelCalls: 4,
  conversationIdLength: 64,
  /** Of what an operation answered, in front of the model. */
  shownLength: 16_000,
  /** A tool's schema that is larger is not written out: the operation's own refusals say what it takes. */
  schemaLength: 8_000,
  /** How long a person may take to decide about what was proposed. */
  proposalMs: day,
  /** Kept after that, for whoever looks back. */
  proposalsKeptMs: 30 * day,
  proposalsPerTurn: 8,
  listed: 50,
  argumentsBytes: 64 * KiB,
} as const;
