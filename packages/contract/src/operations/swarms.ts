/** @module Operations of the Swarms tag: personas, journeys, and the swarms that hold them. */
import { access, operation } from "../operation.ts";

const tag = "Swarms";

export const listPersonas = operation({
  id: "listPersonas",
  tag,
  method: "GET",
  path: "/projects/{projectId}/personas",
  access: access.project.read,
  summary: "List a project's personas",
});

export const createPersona = operation({
  id: "createPersona",
  tag,
  method: "POST",
  path: "/projects/{projectId}/personas",
  access: access.project.read,
  summary: "Create a persona",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getPersona = operation({
  id: "getPersona",
  tag,
  method: "GET",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Read one persona",
});

export const updatePersona = operation({
  id: "updatePersona",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Change a persona",
  errors: ["VALIDATION_ERROR"],
});

export const deletePersona = operation({
  id: "deletePersona",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/personas/{personaId}",
  access: access.project.read,
  summary: "Delete a persona that no journey uses",
  errors: ["CONFLICT"],
});

export const generatePersonas = operation({
  id: "generatePersonas",
  tag,
  method: "POST",
  path: "/projects/{projectId}/personas/generate",
  access: access.project.read,
  summary: "Have a model draft personas with journeys",
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
});

export const generateJourneys = operation({
  id: "generateJourneys",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys/generate",
  access: access.project.read,
  summary: "Have a model draft journeys for a persona",
  spends: true,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
});

export const getJourney = operation({
  id: "getJourney",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Read one journey",
});

export const updateJourney = operation({
  id: "updateJourney",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Change a journey; started runs are untouched",
  errors: ["VALIDATION_ERROR"],
});

export const archiveJourney = operation({
  id: "archiveJourney",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/journeys/{journeyId}",
  access: access.project.read,
  summary: "Archive a journey, keeping its history",
});

export const listSwarms = operation({
  id: "listSwarms",
  tag,
  method: "GET",
  path: "/projects/{projectId}/swarms",
  access: access.project.read,
  summary: "List a project's swarms",
});

export const createSwarm = operation({
  id: "createSwarm",
  tag,
  method: "POST",
  path: "/projects/{projectId}/swarms",
  access: access.project.read,
  summary: "Create a swarm",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getSwarm = operation({
  id: "getSwarm",
  tag,
  method: "GET",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Read one swarm",
});

export const updateSwarm = operation({
  id: "updateSwarm",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Change a swarm",
  errors: ["VALIDATION_ERROR"],
});

export const archiveSwarm = operation({
  id: "archiveSwarm",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/swarms/{swarmId}",
  access: access.project.read,
  summary: "Archive a swarm, keeping its history",
});

export const listJourneys = operation({
  id: "listJourneys",
  tag,
  method: "GET",
  path: "/projects/{projectId}/journeys",
  access: access.project.read,
  summary: "List a project's journeys",
});

export const createJourney = operation({
  id: "createJourney",
  tag,
  method: "POST",
  path: "/projects/{projectId}/journeys",
  access: access.project.read,
  summary: "Create a journey",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});
