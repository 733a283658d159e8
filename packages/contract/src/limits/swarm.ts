/** @module What personas, journeys and swarms are held to. */

export const swarmLimits = {
  environmentsPerJourney: 10,
  personaNameLength: 120,
  personaNotesLength: 2_000,
  journeyNameLength: 200,
  journeyGoalLength: 4_000,
  /** Of a journey that is called by its goal. */
  goalNameLength: 80,
  swarmNameLength: 200,
  swarmDescriptionLength: 2_000,
  sessionsPerTarget: 100,
  maxTurns: 200,
  criteria: 25,
  listed: { max: 200, fallback: 50 },
  personaCount: 12,
  avatarIndex: 5,
  waveIdLength: 64,
} as const;
