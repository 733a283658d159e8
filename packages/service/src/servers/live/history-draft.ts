/** @module What is kept of a question to a saved server, as it is written down. */
import type { HistoryKind, HistoryOutcome } from "@fettle/contract/servers";

/** Plain texts, so that another thread can be told. */
export interface HistoryDraft extends KeptCall {
  kind: HistoryKind;
  outcome: HistoryOutcome;
  code: string | null;
  summary: string;
  at: number;
  durationMs: number;
  result: string | null;
  isResultCut: boolean;
  recording: string | null;
  messagesLeftOut: number;
}

/** What is to be kept, put together only when nobody waits for it any more. */
export interface PendingDraft extends Pick<HistoryDraft, "kind" | "at"> {
  complete(): HistoryDraft;
}

/** One that is complete already. */
export const completed = (draft: HistoryDraft): PendingDraft => ({ ...draft, complete: () => draft });

/** What was called and with what, as far as it may be kept. */
export interface KeptCall {
  subject: string | null;
  parameters: string | null;
  /** JSON pointers to what of the parameters is not kept. */
  withheld: string[];
  callDigest: string | null;
}

export const noCall: KeptCall = { subject: null, parameters: null, withheld: [], callDigest: null };

/** Of what was not said to the server, or is recorded elsewhere. */
export const noRecording = { recording: null, messagesLeftOut: 0 };
