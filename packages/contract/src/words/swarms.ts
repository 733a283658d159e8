/** @module The words of swarms. Free of zod, for pages. */

/** Who wrote a persona: a person, a generator, or what real visitors had in common. */
export const personaSources = ["manual", "generated", "cluster"] as const;

/** One synthetic visitor's session, from its place in the queue to its end. */
export const attemptStates = ["pending", "running", "succeeded", "failed", "rate_limited"] as const;
export type AttemptState = (typeof attemptStates)[number];

export const journeyRunStatuses = ["running", "completed", "partial", "rate_limited", "failed"] as const;
export type JourneyRunStatus = (typeof journeyRunStatuses)[number];
