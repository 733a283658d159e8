/** @module What asking a server in front of a person is held to: longer than other calls, because they see how it goes and can cancel. */
import { hour, minute, second } from "./units.ts";

export const attendedLimits = {
  limitMs: { min: second, max: hour },
  totalMs: hour,
  /** Questions of a server to one person that wait at once. */
  waiting: 20,
  roots: 50,
  /** Resources of one server whose changes one page follows. */
  subscriptions: 50,
  /** Of one question for completions. */
  completions: 100,
  /** Of a model that answers a server, whatever the server wishes for. */
  sampling: { outputTokens: 4_096, ms: 2 * minute },
} as const;
