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
  /** Journeys drafted for one persona, and how many where nobody says. */
  draftedJourneys: { max: 5, fallback: 3 },
  /** What a model that drafts is told of tools, what it may write, and how long it may take. */
  draftInputLength: 60_000,
  draftTokens: 6_000,
  draftMs: 120_000,
  waveIdLength: 64,
  /** Sessions of one launch, over all its targets. */
  sessionsPerLaunch: 100,
  /** Places of one run that are visited at the same time; within one, visitors come one after the other. */
  targetsAtOnce: 3,
  /** How often whoever plays a run says that it lives, and how many times it may fail to before it is taken for dead. */
  beatMs: 30_000,
  silentBeats: 3,
  /** How many processes may die under one session, with nothing new learned between them, before it is given up. */
  lossesPerSession: 5,
  /** What a model or a tool that is busy for a session may still take when its process stops. */
  handOverMs: 4_000,
  /** What a persona that is played by a model may take for its next words, and how many tokens those may be. */
  personaMs: 120_000,
  personaTokens: 600,
  /** What an assistant may write at once: what a run may cost depends on it. */
  answerTokens: 4_000,
  launchesPerMinute: 20,
  /** What somebody who comes late to a live stream is told of what was before. */
  liveEvents: 200,
  liveTextLength: 2_000,
  /** Runs that an overview looks at, and days that it shows. */
  overviewRuns: 50,
  trendDays: 30,
  /** Ended runs that the watchdog counts at a time, the newest first. */
  countedAtOnce: 200,
  /** Runs of one wave that insights look at, and the ways through them that are told. */
  waveRuns: 200,
  wavePaths: 20,
  /** Sessions of one calibration, the newest ones; turns that one may take; and of how many it is a measure at all. */
  calibrationSessions: { min: 3, max: 50 },
  calibrationTurns: 8,
  calibrationMs: 60 * 60_000,
} as const;
