/** @module What an operation has made, with the page where a person sees it. Pure. */

import type { CreatedResource } from "@fettle/contract/agent";
import { isKeyOf, type ProjectId } from "@fettle/contract/core";
import { addressPart } from "@fettle/contract/formats";
import type { OperationId } from "@fettle/contract/operations";
import { isObject } from "@fettle/mcp";

interface Made {
  type: string;
  /** Where the answer has its id; `a.b` is a field of a field. */
  id: string;
  /** Below the project; `{id}` is the new thing's, other names are of the path. */
  page: string;
}

const evalRun = { type: "evalRun", id: "runId", page: "evals/runs/{id}" };
const readinessRun = { type: "readinessRun", id: "runId", page: "readiness/{id}" };
const caseOf = { type: "evalCase", id: "case.id", page: "evals/{suiteId}/edit" };

/** Every offered operation that answers with 201 or 202 is here; a test asks for it. */
export const madeBy: Partial<Record<OperationId, Made>> = {
  createEnvironment: { type: "environment", id: "id", page: "environments/{id}/settings" },
  createServerGroup: { type: "serverGroup", id: "id", page: "server-groups/{id}" },
  createEvalSuite: { type: "evalSuite", id: "suiteId", page: "evals/{id}/results" },
  createEvalCase: { type: "evalCase", id: "id", page: "evals/{suiteId}/edit" },
  createCaseFromHistory: caseOf,
  createCaseFromSavedCall: caseOf,
  createSavedCall: { type: "savedCall", id: "id", page: "servers/{serverId}/tools" },
  regradeEvalRun: { ...evalRun, type: "grading" },
  createPersona: { type: "persona", id: "id", page: "swarms/personas/{id}" },
  createJourney: { type: "journey", id: "id", page: "swarms/journeys/{id}/results" },
  createSwarm: { type: "swarm", id: "id", page: "swarms/{id}/matrix" },
  createEvalRun: evalRun,
  createEvalRunGroup: { type: "evalRunGroup", id: "runGroupId", page: "evals/groups/{id}" },
  requestEvalRunJudge: evalRun,
  requestEvalRunInsights: evalRun,
  generateEvalCases: { type: "evalSuite", id: "suiteId", page: "evals/{suiteId}/results" },
  launchJourneyRun: { type: "journeyRun", id: "id", page: "swarms/runs/{id}" },
  requestWaveInsights: { type: "wave", id: "waveId", page: "swarms/waves/{waveId}" },
  createCalibration: { type: "calibration", id: "id", page: "swarms/calibration" },
  requestUserTestingInsights: { type: "scenario", id: "scenarioId", page: "user-testing/{scenarioId}" },
  publishScenario: { type: "scenario", id: "id", page: "user-testing/{id}" },
  startConformanceRun: { type: "conformanceRun", id: "runId", page: "conformance/{id}" },
  startDirectoryAReadinessRun: readinessRun,
  startDirectoryBReadinessRun: readinessRun,
};

/** `origin`: the address people reach the web app by. */
export function madeResource(
  operation: string,
  params: Record<string, string>,
  answer: unknown,
  { origin, projectId }: { origin: string; projectId: ProjectId },
): CreatedResource | undefined {
  const made = isKeyOf(madeBy, operation) ? madeBy[operation] : undefined;
  if (!made || !isObject(answer)) return undefined;
  const id = textAt(answer, made.id) ?? params[made.id];
  if (id === undefined) return undefined;
  const named = { ...params, ...textsOf(answer), id };
  const page = made.page.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof named) =>
    addressPart(named[name] ?? ""),
  );
  const name = ["name", "title", "case.title"].map((field) => textAt(answer, field)).find(Boolean);
  return {
    type: made.type,
    id,
    ...(name && { name }),
    url: `${origin}/p/${projectId}/${page}`,
  };
}

function textAt(value: Record<string, unknown>, path: string): string | undefined {
  const [field = "", rest] = path.split(".");
  const found = value[field];
  if (rest !== undefined) return isObject(found) ? textAt(found, rest) : undefined;
  return typeof found === "string" ? found : undefined;
}

function textsOf(answer: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(answer).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
