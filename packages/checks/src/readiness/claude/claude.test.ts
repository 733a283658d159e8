import { type RunningSample, startCafe } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claudeSpoilings } from "../testing/claude-spoilings.ts";
import { openStage, type Stage, unspoiled, withoutReason } from "../testing/spoiling.ts";
import { claudeDirectory } from "./directory.ts";

let cafe: RunningSample;
let stage: Stage;
beforeAll(async () => {
  cafe = await startCafe();
  stage = openStage("claude", cafe.url);
});
afterAll(() => cafe.close());

test.each([
  ["open to everyone", {}],
  ["behind a sign-in", { server: { guard: unspoiled } }],
])("a server %s with everything right and a full profile is ready", async (_, spoiling) => {
  const { overallStatus, stages, findings } = await stage.report(spoiling);
  expect(findings.filter(({ status }) => status === "violated").map(({ id }) => id)).toEqual(
    "server" in spoiling ? ["claude.apps.ui-domain-recommended-for-app-oauth"] : [],
  );
  expect(overallStatus).toBe("ready");
  expect(stages.map(({ stage: name, status }) => [name, status])).toEqual([
    ["technical-preflight", "ready"],
    ["submission-ready", "ready"],
  ]);
});

describe.concurrent("a submission with one thing wrong changes exactly the findings it should", () => {
  test.each(claudeSpoilings.map((spoiling) => [spoiling.name, spoiling] as const))(
    "%s",
    async (_, spoiling) => {
      const { changes, report } = await stage.changesOf(spoiling);
      expect(changes).toEqual(spoiling.changes);
      expect(withoutReason(report)).toEqual([]);
      if (spoiling.grade) expect(report.overallStatus).toBe(spoiling.grade);
    },
  );
});

test("a server that turns everyone away for the name it was asked at is not accused of its sign-in", async () => {
  const said = "Access is only allowed at localhost:8931";
  const answer = ({ path }: { path: string }) => (path === "/mcp" ? { status: 403, body: said } : undefined);
  const { overallStatus, findings } = await stage.report({ server: { fault: { answer } } });
  expect(findings.filter(({ status }) => status === "violated")).toEqual([]);
  expect(overallStatus).toBe("incomplete");
  const challenge = findings.find(({ id }) => id === "claude.auth.unauthenticated-challenge");
  expect(challenge).toMatchObject({
    status: "not-evaluated",
    missingInput: "serverAnswer",
    notEvaluatedReason: `It turns everyone away with 403: ${said}`,
  });
});

test("every rule that decides is violated by some spoiling, or says why it cannot be", () => {
  const violated = new Set(
    claudeSpoilings.flatMap(({ changes }) =>
      Object.entries(changes).flatMap(([id, status]) => (status === "violated" ? [id] : [])),
    ),
  );
  const unproven = claudeDirectory.rules
    .filter(({ class: of }) => of === "required" || of === "runtime-blocker")
    .map(({ id }) => id)
    .filter((id) => !violated.has(id));
  // Where clients do not register by themselves one is agreed on: that is classified, never held against the server.
  expect(unproven).toEqual(["claude.auth.client-acquisition-path"]);
  expect(claudeSpoilings.length).toBeGreaterThanOrEqual(40);
});
