/** @module The words of schedules, of whatever is launched by one. */

/** `paused`: started again by whoever mends the cause. `failing`: it goes on. */
export const scheduleStates = ["ok", "failing", "paused"] as const;
