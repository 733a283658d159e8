/** @module What only the pages of a scenario ask for: who is invited, and erasing what a visitor has said. */
import { z } from "zod";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { ScenarioMember } from "../../user-testing/scenario.ts";

const tag = "App user testing";
const surface = "app";

export const listScenarioMembers = operation({
  id: "listScenarioMembers",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/members",
  access: access.project.read,
  summary: "List the people invited to a scenario",
  built: true,
  output: page(ScenarioMember).meta({ id: "ScenarioMemberPage" }),
});

export const deleteUserTestingSession = operation({
  id: "deleteUserTestingSession",
  tag,
  surface,
  method: "DELETE",
  path: "/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions/{sessionId}",
  access: access.project.admin,
  summary: "Erase what was said in a session; counts stay",
  built: true,
  output: z.object({ id: z.string(), erased: z.literal(true) }),
});
