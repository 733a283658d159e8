/** @module How a recording served a run: what was found on it, and what was not. */

export interface CassetteFacts {
  mode: "record" | "replay" | "replay_or_record" | "verify";
  hits: number;
  /** Same request but for what the tools answered; the first such turn is `divergedAt`. */
  loose: number;
  misses: number;
  stale: number;
  divergedAt?: number;
  /** In words, of the first turn where the recording and this run differ. */
  divergence?: string;
  toolsReplayed?: true;
  /** Replayed although the surface had changed, because someone asked for it: no gate may use it. */
  staleAccepted?: true;
}
