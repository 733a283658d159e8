/** @module Operations of the Scenarios tag: what a project has published; read-only. */
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { ProjectScenario, ScenarioDetail } from "../user-testing/scenario.ts";

const tag = "Scenarios";

export const listScenarios = operation({
  id: "listScenarios",
  tag,
  method: "GET",
  path: "/projects/{projectId}/scenarios",
  access: access.project.read,
  summary: "List the scenarios published from a project",
  description: "Lists the scenarios that are published from a project.",
  effect: "person",
  cli: "fettle cloud scenarios list",
  built: true,
  output: page(ProjectScenario).meta({ id: "ScenarioPage" }),
});

export const getScenario = operation({
  id: "getScenario",
  tag,
  method: "GET",
  path: "/projects/{projectId}/scenarios/{scenarioId}",
  access: access.project.read,
  summary: "Read one published scenario with its servers and link",
  description: "Reads one scenario with its share link.",
  effect: "person",
  cli: "fettle cloud scenarios get",
  built: true,
  output: ScenarioDetail,
});
