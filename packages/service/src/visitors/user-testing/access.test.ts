import { ErrorResponse } from "@fettle/contract/core";
import { InsightsEnvelope } from "@fettle/contract/insights";
import { UserTestingScenarioDetail } from "@fettle/contract/visitors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";

let visited: VisitedBench;
beforeAll(async () => {
  // About as in production: a dozen calls in a burst for each key.
  visited = await visitedBench({ env: { FETTLE_LIMIT_KEY_BURST: "12" } });
});
afterAll(() => visited[Symbol.asyncDispose]());

/** The specification's table of a scenario, retyped. */
const scenarioFields = ["description", "environmentId", "id", "mode", "name", "projectId"];
const envelopeFields = [
  "coverage",
  "error",
  "findings",
  "generatedAt",
  "reasonCode",
  "retryable",
  "schemaVersion",
  "scope",
  "status",
  "summary",
  "truncation",
  "updatedAt",
];

type Credentials = VisitedBench["bench"]["world"];

const readers: [who: string, credential: (world: Credentials) => string | undefined, status: number][] = [
  ["a workspace member", ({ people }) => people.member.key, 200],
  ["a member of the project alone", ({ people }) => people.editor.key, 200],
  ["somebody of another organization", ({ people }) => people.stranger.key, 404],
  ["a guest of the organization without a grant", ({ people }) => people.guest.key, 404],
  ["a guest", ({ guestToken }) => guestToken, 401],
  ["a revoked key", ({ revokedKey }) => revokedKey, 401],
  ["nobody", () => undefined, 401],
];

describe("reading a scenario", () => {
  it.each(readers)("by %s", async (who, credential, expected) => {
    const { world, service } = visited.bench;
    const scenario = await visited.publish({ name: "Find a book", description: "Any you like" });
    const key = credential(world);
    const path = `/api/v1/projects/${world.projectId}${scenario.at}`;
    const { status, body } = await service.call(path, { ...(key !== undefined && { key }) });
    expect(status).toBe(expected);
    if (status !== 200) {
      const codes: Record<number, string> = { 401: "UNAUTHORIZED", 404: "NOT_FOUND" };
      expect(ErrorResponse.parse(body).code).toBe(codes[expected]);
      return;
    }
    expect(UserTestingScenarioDetail.parse(body)).toEqual(body);
    const { insights, ...rest } = body;
    expect(Object.keys(rest).sort()).toEqual(scenarioFields);
    expect(rest).toEqual({
      id: scenario.id,
      projectId: world.projectId,
      name: "Find a book",
      description: "Any you like",
      mode: "anyone_with_link",
      environmentId: scenario.environmentId,
    });
    if (who !== "a workspace member") {
      expect(body).not.toHaveProperty("insights");
      return;
    }
    expect(InsightsEnvelope.parse(insights)).toEqual(insights);
    expect(Object.keys(insights).sort()).toEqual(envelopeFields);
    expect(insights).toMatchObject({
      schemaVersion: 1,
      status: "not_requested",
      scope: { kind: "user_testing_window", scenarioId: scenario.id },
      findings: [],
      coverage: { unit: "sessions", analyzed: 0, truncated: false },
    });
  });

  it("over the limit is 429 with the time to wait", async () => {
    const { world, service } = visited.bench;
    const { at } = await visited.publish();
    const path = `/api/v1/projects/${world.projectId}${at}`;
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => service.call(path, { key: world.people.admin.key })),
    );
    const over = answers.filter(({ status }) => status === 429);
    expect(over.length).toBeGreaterThan(0);
    for (const { body, headers } of over) {
      expect(ErrorResponse.parse(body).code).toBe("RATE_LIMITED");
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
    }
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  it("through another project, or once it is taken down, is 404", async () => {
    const { environmentId, at, id } = await visited.publish();
    const { world, service } = visited.bench;
    const { body: other } = await service.call("/api/v1/projects", {
      method: "POST",
      key: world.people.owner.key,
      body: { name: "Other", organizationId: world.organizationId },
    });
    const { key } = world.people.member;
    const elsewhere = `/api/v1/projects/${other.id}/user-testing/scenarios/${id}`;
    expect(await service.call(elsewhere, { key })).toMatchObject({ status: 404 });
    const gone = `/environments/${environmentId}/scenario`;
    const takeDown = async () => (await visited.call("DELETE", gone, undefined, "projectAdmin")).body;
    expect(await takeDown()).toEqual({ environmentId, deleted: true, id });
    expect(await takeDown()).toEqual({ environmentId, deleted: false });
    expect(await visited.call("GET", at, undefined, "projectAdmin")).toMatchObject({ status: 404 });
  });
});
