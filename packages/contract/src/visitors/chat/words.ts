/** @module The words of conversations that travel: where they come from, who sees them, why a turn is refused. */

/** Where a conversation was held. Only `direct` ones are continued by whoever reads them. */
export const sessionSources = ["direct", "scenario", "eval", "swarm"] as const;
export type SessionSource = (typeof sessionSources)[number];

export const sessionStatuses = ["active", "archived"] as const;
export const sessionVisibilities = ["private", "project"] as const;

/** By which door a conversation was begun. */
export const sessionOrigins = ["api", "playground", "scenario"] as const;
export type SessionOrigin = (typeof sessionOrigins)[number];

/** Of a turn that has not ended: it works, waits for a person's yes, or the process that played it is gone. */
export const turnStates = ["running", "waiting", "interrupted"] as const;
export type TurnState = (typeof turnStates)[number];

export const searchScopes = ["titles", "transcripts"] as const;

/** What became of the record of a turn. */
export const persistOutcomes = ["saved", "duplicate", "conflict", "failed", "skipped"] as const;

/** Why a turn is refused or ends without an answer, as `details.code`. */
export const turnRefusals = {
  CONFIG_ON_CONTINUATION: "What was settled with the first message cannot be changed in a later one",
  MODEL_AMBIGUOUS: "A model's name begins with its provider",
  TARGET_REQUIRED: "A first message needs an environment or servers",
  PROJECT_REQUIRED: "A first message needs a project",
  MODEL_REQUIRED: "A first message needs a model",
  CONTINUATION_NOT_ALLOWED: "This conversation is not continued from here",
  TURN_IN_PROGRESS: "A turn of this conversation is under way",
  TURN_LOST: "The turn was cut off, and nobody knows how far it came",
  TURN_TIMEOUT: "The turn took too long",
  TOO_MANY_TURNS: "The organization has as many turns under way as it may",
  SESSION_VERSION_CONFLICT: "The conversation went on meanwhile",
  TRANSCRIPT_UNAVAILABLE: "What was said before cannot be read",
  TRANSCRIPT_FULL: "The conversation has become too long to go on",
  TOOLS_UNAVAILABLE: "The servers' tools could not be listed",
  APPROVAL_UNSUPPORTED: "The client asks a person before every call, and nobody is there",
  IDEMPOTENCY_KEY_REUSED: "This key was used with another message",
} as const;
export type TurnRefusal = keyof typeof turnRefusals;

/** What a case made of a conversation cannot keep of it, so that a run of it may go otherwise. */
export const promotionWarningCodes = [
  "SERVERS_DIFFER",
  "TARGET_DIFFERS",
  "MODEL_DIFFERS",
  "TEMPERATURE_DIFFERS",
  "TURNS_NARROWED",
  "CALLS_WERE_ASKED_ABOUT",
  "CASE_CUT_SHORT",
] as const;
