/** @module The words of a server's history: what was done with it, and how that came out. Free of zod, for pages. */

/** Calls that may be made again as they were. */
export const callKinds = ["tool", "prompt", "resource"] as const;
export type CallKind = (typeof callKinds)[number];

/** Checks whose latest outcome says how a server is. */
export const verdictKinds = ["health", "doctor", "conformance", "compat", "oauth"] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export const historyKinds = [...verdictKinds, ...callKinds] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** `partial`: some of it is well. `stopped`: whoever asked did not wait for the answer. */
export const historyOutcomes = ["ok", "partial", "failed", "stopped"] as const;
export type HistoryOutcome = (typeof historyOutcomes)[number];
