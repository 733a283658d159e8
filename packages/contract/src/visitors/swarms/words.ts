/** @module The words of swarms. Free of zod, for pages. */

/** Who wrote a persona: a person, a generator, or what real visitors had in common. */
export const personaSources = ["manual", "generated", "cluster"] as const;

/** One synthetic visitor's session, from its place in the queue to its end. */
export const attemptStates = ["pending", "running", "succeeded", "failed", "rate_limited"] as const;
export type AttemptState = (typeof attemptStates)[number];

export const journeyRunStatuses = ["running", "completed", "partial", "rate_limited", "failed"] as const;
export type JourneyRunStatus = (typeof journeyRunStatuses)[number];

/** As people are shown it: a cancelled run is stored as a failed one, and is none. */
export const journeyRunDisplays = [...journeyRunStatuses, "canceled"] as const;

/** What spoke in the visitor's place. */
export const personaDrivers = ["rules", "model"] as const;
export type PersonaDriver = (typeof personaDrivers)[number];

/** How a session came to its end: the visitor had enough, its turns were over, or something else stopped it. */
export const journeyEnds = ["persona", "turns", "stopped"] as const;

export const gradingStates = ["pending", "completed", "failed"] as const;

export const calibrationStates = ["running", "completed", "failed", "canceled"] as const;

/** Sets of recorded sessions that come with the service. */
export const calibrationSets = ["bookshop"] as const;
export type CalibrationSet = (typeof calibrationSets)[number];

/** What is compared of real and simulated sessions. */
export const calibrationMeasures = [
  "turns",
  "toolMix",
  "errorRate",
  "goalCompletion",
  "abandonment",
] as const;
export type CalibrationMeasure = (typeof calibrationMeasures)[number];
