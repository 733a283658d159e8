/** @module What only the pages ask about swarms: all journeys of one at a glance. */
import { access, operation } from "../../../core/operation.ts";
import { SwarmMatrix } from "../../swarms/matrix.ts";

export const getSwarmMatrix = operation({
  id: "getSwarmMatrix",
  tag: "App swarms",
  surface: "app",
  method: "GET",
  path: "/projects/{projectId}/swarms/{swarmId}/matrix",
  access: access.project.read,
  summary: "Read what became of every session of the latest run of each journey",
  built: true,
  output: SwarmMatrix,
});
