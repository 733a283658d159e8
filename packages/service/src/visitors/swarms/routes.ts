/** @module Binds the operations on personas, journeys and swarms. */
import type { JourneyId, PersonaId, SwarmId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import * as drafts from "./drafts.ts";
import * as journeys from "./journeys.ts";
import * as personas from "./personas.ts";
import { journeyShelf, ofSwarm, personaShelf, swarmShelf } from "./shared-sql.ts";
import * as swarms from "./swarms.ts";

const thePersona = ({ app, project, params }: InProject<{ personaId: PersonaId }>) =>
  personaShelf.find(app.db, project.id, params.personaId);
export const theSwarm = ({ app, project, params }: InProject<{ swarmId: SwarmId }>) =>
  swarmShelf.find(app.db, project.id, params.swarmId);
export const theJourney = ({ app, project, params }: InProject<{ journeyId: JourneyId }>) =>
  journeyShelf.find(app.db, project.id, params.journeyId);

export const swarmBindings = {
  listPersonas: ({ app, project, query }) => personaShelf.page(app.db, project.id, query, personas.toPersona),
  createPersona: ({ app, db, project, caller, body }) =>
    personas.createPersona(app, db, { projectId: project.id, userId: caller.userId }, body),
  getPersona: bindResource(thePersona, (_, row) => personas.toPersona(row)),
  updatePersona: bindResource(thePersona, ({ app, db, body }, row) =>
    personas.updatePersona(app, db, row, body),
  ),
  deletePersona: bindResource(thePersona, ({ app, db, query }, row) =>
    personas.deletePersona(app, db, row, query.expectedUpdatedAt),
  ),
  generatePersonas: (call) => drafts.generatePersonas(call, call.body),

  listSwarms: ({ app, project, query }) => swarmShelf.page(app.db, project.id, query, swarms.toSwarm),
  createSwarm: ({ app, db, project, caller, body }) =>
    swarms.createSwarm(app, db, { projectId: project.id, userId: caller.userId }, body),
  getSwarm: bindResource(theSwarm, (_, row) => swarms.toSwarm(row)),
  updateSwarm: bindResource(theSwarm, ({ app, db, body }, row) => swarms.updateSwarm(app, db, row, body)),
  archiveSwarm: bindResource(theSwarm, ({ app, db, query }, row) =>
    swarms.archiveSwarm(app, db, row, query.expectedUpdatedAt),
  ),

  listJourneys: ({ app, project, query: { swarmId, ...query } }) =>
    journeyShelf.page(app.db, project.id, query, journeys.toJourney, swarmId && ofSwarm(swarmId)),
  createJourney: ({ app, db, project, caller, body }) =>
    journeys.createJourney(app, db, { projectId: project.id, userId: caller.userId }, body),
  getJourney: bindResource(theJourney, (_, row) => journeys.toJourney(row)),
  updateJourney: bindResource(theJourney, ({ app, db, body }, row) =>
    journeys.updateJourney(app, db, row, body),
  ),
  generateJourneys: (call) => drafts.generateJourneys(call, call.body),
  archiveJourney: bindResource(theJourney, ({ app, db, query }, row) =>
    journeys.archiveJourney(app, db, row, query.expectedUpdatedAt),
  ),
} satisfies Partial<Bindings>;
