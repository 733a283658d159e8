import { describe, expect, it } from "vitest";
import type { OperationDeclaration } from "../core/operation.ts";
import { tags } from "../core/tags.ts";
import { operations } from "./operations.ts";

const all: OperationDeclaration[] = Object.values(operations);
const api = all.filter((operation) => operation.surface !== "app");
const app = all.filter((operation) => operation.surface === "app");

const perTag = {
  Clients: 15,
  Environments: 12,
  Plugins: 2,
  Skills: 2,
  "Sandbox images": 11,
  "Server diagnostics": 3,
  Primitives: 5,
  Export: 1,
  Execution: 2,
  "Eval runs": 42,
  "Conformance runs": 15,
  "Server connections": 5,
  OAuth: 1,
  Scenarios: 2,
  Catalog: 24,
  Tunnels: 2,
  Agent: 2,
  Swarms: 17,
  "Swarm runs": 9,
  "Swarm insights": 13,
  "User testing": 20,
  "Directory readiness": 7,
  Registry: 7,
  "Server history": 15,
  Notices: 12,
};

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe("the registry of operations", () => {
  it("holds the 200 operations of the API and those of our own (cancelling a run's insights, a case of a session, model spend, a server's history, notices, deleting runs), tag by tag, in the specification's order", () => {
    const counts = Object.fromEntries(
      tags.map(({ name }) => [name, api.filter(({ tag }) => tag === name).length]),
    );
    expect(counts).toEqual(perTag);
    expect(Object.keys(counts)).toEqual(Object.keys(perTag));
    expect(api).toHaveLength(246);
  });

  it("keys each operation by its own id", () => {
    expect(Object.entries(operations).filter(([key, { id }]) => key !== id)).toEqual([]);
  });

  it("says no method and path twice, whatever the parameters are called", () => {
    const routes = all.map(
      ({ surface, method, path }) => `${surface ?? "api"} ${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`,
    );
    expect(repeated(routes)).toEqual([]);
  });

  it("lets guests reach the three registry directory reads and nothing else", () => {
    expect(api.filter(({ access }) => access.kind === "guest").map(({ id }) => id)).toEqual([
      "searchRegistryDirectory",
      "getRegistryDirectoryServer",
      "listRegistryDirectorySources",
    ]);
  });

  it("opens no API operation to nobody", () => {
    expect(api.filter(({ access }) => access.kind === "public")).toEqual([]);
  });

  it("names the project or organization where its access says it is", () => {
    const lost = all.filter(({ access, path, query }) => {
      if (access.kind === "organization") return !path.includes("{organizationId}");
      if (access.kind !== "project") return false;
      return access.from === "path" ? !path.includes("{projectId}") : query === undefined;
    });
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  it("asks for a project role wherever the path names a project", () => {
    const open = all.filter(({ access, path }) => path.includes("{projectId}") && access.kind !== "project");
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it("gives every built operation an output, unless it writes its own response", () => {
    expect(all.filter(({ built, raw, output }) => built && !raw && !output).map(({ id }) => id)).toEqual([]);
  });

  it("has every operation of our own pages built", () => {
    expect(app.filter(({ built }) => !built).map(({ id }) => id)).toEqual([]);
  });

  it("points each deprecated operation at one that exists", () => {
    const deprecated = all.filter((operation) => operation.deprecated);
    expect(deprecated).toHaveLength(7);
    expect(deprecated.every(({ deprecated }) => deprecated!.successor in operations)).toBe(true);
  });

  it("marks exactly the calls that spend, and those that spend when asked to", () => {
    expect(
      api
        .filter(({ spends }) => spends === true)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      "createCalibration",
      "createEvalRun",
      "createEvalRunGroup",
      "generateEvalCases",
      "generateJourneys",
      "generatePersonas",
      "launchJourneyRun",
      "requestEvalRunInsights",
      "requestEvalRunJudge",
      "requestUserTestingInsights",
      "requestWaveInsights",
      "runAgentTurn",
      "sendChatMessage",
    ]);
    expect(
      api
        .filter(({ spends }) => spends === "opt_in")
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      "startDirectoryAReadinessRun",
      "startDirectoryBReadinessRun",
      "updateEvalSuite",
      "updateEvalSuiteSchedule",
    ]);
  });

  it("marks exactly the API calls that narrow access", () => {
    expect(api.filter(({ narrows }) => narrows).map(({ id }) => id)).toEqual([
      "unpublishScenario",
      "updateUserTestingScenario",
      "rotateScenarioLink",
      "removeScenarioMember",
    ]);
  });
});
