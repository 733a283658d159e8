/** @module The words of swarms. Free of zod, for pages. */

/** Who wrote a persona: a person, a generator, or what real visitors had in common. */
export const personaSources = ["manual", "generated", "cluster"] as const;
