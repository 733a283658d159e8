/** @module What a test sends to the operations on personas, journeys and swarms. */
import { idOf } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { createJourney } from "../../visitors/swarms/journeys.ts";
import { createPersona } from "../../visitors/swarms/personas.ts";
import { createSwarm } from "../../visitors/swarms/swarms.ts";
import type { World } from "../world.ts";

const budget = { sessionsPerTarget: 1, maxTurns: 3 };
const by = ({ projectId, people }: World) => ({ projectId, userId: people.owner.userId });

const persona = async (world: World, app: App) => {
  const { id } = await createPersona(app, app.db, by(world), { name: "Ann", role: "Buyer" });
  return { personaId: id };
};
const swarm = async (world: World, app: App) => {
  const { id } = await createSwarm(app, app.db, by(world), { name: "Spring", ...budget });
  return { swarmId: id };
};
const journey = async (world: World, app: App) => {
  const personaId = idOf<"persona">().parse((await persona(world, app)).personaId);
  const { id } = await createJourney(app, app.db, by(world), { goal: "Find a book.", personaId, ...budget });
  return { journeyId: id };
};

/** What becomes of runs is looked at elsewhere; here it is asked who may ask. */
const noRun = { params: () => ({ runId: "jrn_missing", sessionKey: "synth_missing" }), passes: 404 };
const noWave = { params: () => ({ waveId: "missing" }), passes: 404 };
/** A journey that says no place to be made in. */
const nowhere = { params: journey, passes: 400 };

export const swarmInputs = {
  listPersonas: {},
  createPersona: { body: () => ({ name: "Ann", role: "Buyer" }) },
  getPersona: { params: persona },
  updatePersona: { params: persona, body: () => ({ notes: "In a hurry" }) },
  deletePersona: { params: persona },
  // Whom a stranger names is refused before a server is asked.
  generatePersonas: { body: () => ({ environmentId: "env_missing" }), passes: 404 },
  generateJourneys: {
    body: () => ({ environmentId: "env_missing", persona: { name: "Ann", role: "Buyer" } }),
    passes: 404,
  },
  listSwarms: {},
  createSwarm: { body: () => ({ name: "Spring", ...budget }) },
  getSwarm: { params: swarm },
  getSwarmMatrix: { params: swarm },
  updateSwarm: { params: swarm, body: () => ({ description: "New" }) },
  archiveSwarm: { params: swarm },
  listJourneys: {},
  createJourney: {
    params: persona,
    body: (_: World, { personaId }: Record<string, string>) => ({
      goal: "Find a book.",
      personaId,
      ...budget,
    }),
  },
  getJourney: { params: journey },
  updateJourney: { params: journey, body: () => ({ goal: "Find two." }) },
  archiveJourney: { params: journey },
  listJourneyRuns: { params: journey },
  estimateJourneyRun: nowhere,
  launchJourneyRun: { ...nowhere, body: () => ({}) },
  getJourneyRun: noRun,
  listJourneyRunSessions: noRun,
  getJourneyRunSession: noRun,
  streamJourneyRun: noRun,
  cancelJourneyRun: noRun,
  deleteJourneyRun: noRun,
  getJourneyRunScorecard: noRun,
  getSwarmOverview: {},
  // No environment is named, and there is none.
  createCalibration: { body: () => ({}), passes: 400 },
  estimateCalibration: { passes: 400 },
  cancelCalibration: { params: () => ({ calibrationId: "cal_missing" }), passes: 404 },
  listCalibrations: {},
  getCalibration: { params: () => ({ calibrationId: "cal_missing" }), passes: 404 },
  getWaveInsights: noWave,
  requestWaveInsights: { ...noWave, body: () => ({}) },
  cancelWaveInsights: noWave,
  listSwarmFindings: {},
  dismissSwarmFinding: { params: () => ({ findingId: "rf_0000000000000000" }), passes: 404 },
  undismissSwarmFinding: { params: () => ({ findingId: "rf_0000000000000000" }), passes: 404 },
};
