/** @module Operations of the Swarms tag: personas, journeys, and the swarms that hold them. */

import { idOf } from "../../core/id-of.ts";
import { access, operation, serverErrors } from "../../core/operation.ts";
import { page, pageQuery } from "../../core/page.ts";
import { AsLastRead } from "../../core/timestamp.ts";
import { GenerationDrafts, JourneyGenerateRequest, PersonaGenerateRequest } from "../swarms/drafts.ts";
import { Journey, JourneyArchived, JourneyCreateRequest, JourneyUpdateRequest } from "../swarms/journey.ts";
import { swarmLimits } from "../swarms/limits.ts";
import { Persona, PersonaCreateRequest, PersonaDeleted, PersonaUpdateRequest } from "../swarms/persona.ts";
import { Swarm, SwarmArchived, SwarmCreateRequest, SwarmUpdateRequest } from "../swarms/swarm.ts";

const tag = "Swarms";

/** Of asking servers for their tools, and perhaps a model what to make of them. */
const draftErrors = ["OAUTH_REQUIRED", "VALIDATION_ERROR", ...serverErrors] as const;
const listed = pageQuery(swarmLimits.listed);

export const listPersonas = operation({
  id: "listPersonas",
  tag,
  method: "GET",
  path: "/projects/{projectId}/personas",
  access: access.project.read,
  summary: "List a project's personas",
  description: "Lists the personas of a project.",
  cli: "fettle cloud personas list",
  query: listed,
  output: page(Persona),
  built: true,
});

export const createPersona = operation({
  id: "createPersona",
  tag,
  method: "POST",
  path: "/projects/{projectId}/personas",
  access: access.project.read,
  summary: "Create a persona",
  description: "Creates a persona: who a simulated visitor is and how they ask.",
  effect: "write",
  touches: {},
  names: "persona",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud personas create",
  body: PersonaCreateRequest,
  output: Persona,
  built: true,
});

export const getPersona = operation({
  id: "getPersona",
  tag,
  method: "GET",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Read one persona",
  description: "Reads one persona: who it is, what it knows and wants.",
  cli: "fettle cloud personas get",
  output: Persona,
  built: true,
});

export const updatePersona = operation({
  id: "updatePersona",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Change a persona",
  description: "Changes a persona. Send `expectedUpdatedAt` to be told of other changes with a 409.",
  effect: "write",
  touches: { persona: "path.personaId" },
  names: "persona",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud personas update",
  body: PersonaUpdateRequest,
  output: Persona,
  built: true,
});

export const deletePersona = operation({
  id: "deletePersona",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Delete a persona that no journey uses",
  description: "Deletes a persona. One that a journey uses is refused with 409.",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud personas delete",
  output: PersonaDeleted,
  built: true,
  query: AsLastRead,
});

export const generatePersonas = operation({
  id: "generatePersonas",
  tag,
  method: "POST",
  path: "/projects/{projectId}/personas/generate",
  access: access.project.read,
  summary: "Draft personas with journeys from servers' tools, and keep nothing",
  description: "Drafts personas with journeys from what the servers' tools can do. Nothing is saved.",
  cli: "fettle cloud personas generate",
  spends: true,
  idempotent: "claimed",
  errors: draftErrors,
  body: PersonaGenerateRequest,
  output: GenerationDrafts,
  built: true,
});

export const generateJourneys = operation({
  id: "generateJourneys",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys/generate",
  access: access.project.read,
  summary: "Draft journeys for a persona from servers' tools, and keep nothing",
  description: "Drafts journeys for a persona from what the servers' tools can do. Nothing is saved.",
  cli: "fettle cloud journeys generate",
  spends: true,
  idempotent: "claimed",
  errors: draftErrors,
  body: JourneyGenerateRequest,
  output: GenerationDrafts,
  built: true,
});

export const getJourney = operation({
  id: "getJourney",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Read one journey",
  description: "Reads one journey with its rubric and judge.",
  cli: "fettle cloud journeys get",
  output: Journey,
  built: true,
});

export const updateJourney = operation({
  id: "updateJourney",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Change a journey; started runs are untouched",
  description:
    "Changes a journey. Runs that have started keep what they started with. Send `expectedUpdatedAt` to be told of other changes with a 409.",
  effect: "write",
  touches: { journey: "path.journeyId" },
  names: "journey",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud journeys update",
  body: JourneyUpdateRequest,
  output: Journey,
  built: true,
});

export const archiveJourney = operation({
  id: "archiveJourney",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Archive a journey, keeping its history",
  description: "Takes a journey out of the lists. Its runs can still be read.",
  cli: "fettle cloud journeys archive",
  output: JourneyArchived,
  built: true,
  query: AsLastRead,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const listSwarms = operation({
  id: "listSwarms",
  tag,
  method: "GET",
  path: "/projects/{projectId}/swarms",
  access: access.project.read,
  summary: "List a project's swarms",
  description: "Lists the swarms of a project.",
  cli: "fettle cloud swarms list",
  query: listed,
  output: page(Swarm),
  built: true,
});

export const createSwarm = operation({
  id: "createSwarm",
  tag,
  method: "POST",
  path: "/projects/{projectId}/swarms",
  access: access.project.read,
  summary: "Create a swarm",
  description: "Creates a swarm: a set of journeys with shared environments and budgets.",
  effect: "write",
  touches: {},
  names: "swarm",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud swarms create",
  body: SwarmCreateRequest,
  output: Swarm,
  built: true,
});

export const getSwarm = operation({
  id: "getSwarm",
  tag,
  method: "GET",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Read one swarm",
  description: "Reads one swarm with its environments and budgets.",
  cli: "fettle cloud swarms get",
  output: Swarm,
  built: true,
});

export const updateSwarm = operation({
  id: "updateSwarm",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Change a swarm",
  description: "Changes a swarm. Send `expectedUpdatedAt` to be told of other changes with a 409.",
  effect: "write",
  touches: { swarm: "path.swarmId" },
  names: "swarm",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud swarms update",
  body: SwarmUpdateRequest,
  output: Swarm,
  built: true,
});

export const archiveSwarm = operation({
  id: "archiveSwarm",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Archive a swarm, keeping its history",
  description: "Takes a swarm out of the lists. Runs of its journeys can still be read.",
  cli: "fettle cloud swarms archive",
  output: SwarmArchived,
  built: true,
  query: AsLastRead,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const listJourneys = operation({
  id: "listJourneys",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys",
  access: access.project.read,
  summary: "List a project's journeys",
  description: "Lists the journeys of a project: what a persona tries to get done.",
  cli: "fettle cloud journeys list",
  query: listed.extend({ swarmId: idOf<"swarm">().optional().describe("Only those of this swarm") }),
  output: page(Journey),
  built: true,
});

export const createJourney = operation({
  id: "createJourney",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys",
  access: access.project.read,
  summary: "Create a journey",
  description:
    "Creates a journey: a goal, the persona who has it, where it is tried, how often, and the checks of each session.",
  effect: "write",
  touches: { swarm: "body.swarmId" },
  names: "journey",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud journeys create",
  body: JourneyCreateRequest,
  output: Journey,
  built: true,
});
