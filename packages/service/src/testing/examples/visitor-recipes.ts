/** @module What the examples of chats, swarms and user testing send. */
import { budget, made } from "./made.ts";
import type { Recipes } from "./step.ts";

const onNewEnvironment = {
  first: [made.environment],
  path: { environmentId: "$NEW_ENVIRONMENT_ID" },
} as const;
const onNewScenario = {
  first: [made.environment, made.scenario],
  path: { scenarioId: "$NEW_SCENARIO_ID" },
} as const;
const onNewJourney = { first: [made.journey], path: { journeyId: "$NEW_JOURNEY_ID" } } as const;
const onNewJourneyRun = {
  first: [made.journey, made.journeyRun],
  path: { runId: "$NEW_JOURNEY_RUN_ID" },
} as const;

export const visitorRecipes = {
  sendChatMessage: { body: made.chat.body },
  runAgentTurn: { body: { messages: [{ role: "user", content: "list suites" }] } },

  createPersona: { body: { name: "Mara", role: "Buys for a school", notes: "Asks for prices first." } },
  updatePersona: {
    first: [made.persona],
    path: { personaId: "$NEW_PERSONA_ID" },
    body: { notes: "Is in a hurry." },
  },
  deletePersona: { first: [made.persona], path: { personaId: "$NEW_PERSONA_ID" } },
  generatePersonas: { body: { environmentId: "$ENVIRONMENT_ID", personaCount: 1, journeyCount: 1 } },
  generateJourneys: {
    body: {
      environmentId: "$ENVIRONMENT_ID",
      journeyCount: 1,
      persona: { name: "Mara", role: "Buys for a school" },
    },
  },
  createSwarm: { body: { name: "Autumn visitors", environmentIds: ["$ENVIRONMENT_ID"], ...budget } },
  updateSwarm: {
    first: [made.swarm],
    path: { swarmId: "$NEW_SWARM_ID" },
    body: { description: "Before the autumn catalogue" },
  },
  archiveSwarm: { first: [made.swarm], path: { swarmId: "$NEW_SWARM_ID" } },
  createJourney: {
    body: {
      name: "Find a present",
      goal: 'Search books about "harbour"',
      personaId: "$PERSONA_ID",
      environmentIds: ["$ENVIRONMENT_ID"],
      ...budget,
      rubric: [
        {
          id: "searched",
          label: "The catalogue is searched",
          predicate: { type: "toolCalledAtLeastOnce", toolName: "search_books" },
        },
      ],
    },
  },
  updateJourney: { ...onNewJourney, body: { sessionsPerTarget: 2, maxTurns: 5 } },
  archiveJourney: onNewJourney,
  launchJourneyRun: { ...onNewJourney, body: { waveId: "autumn-1" } },
  cancelJourneyRun: { ...onNewJourneyRun, races: true },
  deleteJourneyRun: {
    first: [made.journey, made.journeyRun, made.canceledJourneyRun],
    path: { runId: "$NEW_JOURNEY_RUN_ID" },
  },
  createCalibration: { body: made.calibration.body },
  estimateCalibration: { query: made.calibration.body },
  getCalibration: { first: [made.calibration], path: { calibrationId: "$NEW_CALIBRATION_ID" } },
  cancelCalibration: {
    first: [made.calibration],
    path: { calibrationId: "$NEW_CALIBRATION_ID" },
    races: true,
  },
  requestWaveInsights: { body: { force: true } },
  cancelWaveInsights: {
    first: [{ operation: "requestWaveInsights", body: { force: true } }],
    races: true,
  },

  publishScenario: { ...onNewEnvironment, body: made.scenario.body },
  unpublishScenario: {
    first: [made.environment, made.scenario],
    path: { environmentId: "$NEW_ENVIRONMENT_ID" },
  },
  updateUserTestingScenario: { ...onNewScenario, body: { feedback: "stars" } },
  setGuestExecution: {
    ...onNewScenario,
    body: {
      enabled: true,
      computerEnabled: false,
      sharedSkillsEnabled: true,
      dailyCreditCap: 0,
      dailyComputerStartCap: 0,
      maxConcurrentComputers: 0,
    },
  },
  requestUserTestingInsights: { body: { force: true } },
  cancelUserTestingInsights: {
    first: [
      {
        operation: "requestUserTestingInsights",
        body: { force: true },
        set: "NEW_WINDOW_ID",
        field: "windowId",
      },
    ],
    body: { windowId: "$NEW_WINDOW_ID" },
    races: true,
  },
  upsertScenarioMember: { ...onNewScenario, body: made.member.body },
  removeScenarioMember: {
    first: [made.environment, made.scenario, made.member],
    path: { scenarioId: "$NEW_SCENARIO_ID", memberIdOrEmail: "ana@example.com" },
  },
  rebindScenario: {
    first: [made.environment, made.scenario, { ...made.environment, set: "OTHER_ENVIRONMENT_ID" }],
    path: { scenarioId: "$NEW_SCENARIO_ID" },
    body: { environmentId: "$OTHER_ENVIRONMENT_ID" },
  },
  rotateScenarioLink: { ...onNewScenario, body: { evictRedeemed: true } },
} satisfies Recipes;
