/** @module The tasks suite on the sample with every task tool: nothing to fault as it is, and exactly the right checks fail for each fault brought in. */
import { type JsonObject, parseTarget, type Target } from "@fettle/mcp";
import { type RunningSample, sampleCommand, startBookshop, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { everythingOverStdio } from "../../../mcp/src/testing/everything-server.ts";
import { startFaultyProxy } from "../protocol/testing/faulty-proxy.ts";
import { disagreementsOf } from "../verdict/testing/evidence-agrees.ts";
import { runTasks, type TasksOptions, type TasksReport, tasksChecks } from "./run-tasks.ts";
import { extensionMutations } from "./testing/extension-mutations.ts";
import { legacyMutations } from "./testing/legacy-mutations.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

/** Long bounds: whatever answers is waited for, however busy the machine is. */
const patient = { pollTimeoutMs: 30_000, timeoutMs: 30_000 };
/** And a short task. */
const quick: TasksOptions = { toolName: "slow_compute", toolArgs: { seconds: 0.2 }, ...patient };
/** For a task that never comes to its end, so that the bound is waited out. */
const endlessTask = { pollTimeoutMs: 5_000 };

const idsOf = ({ checks }: TasksReport, holds: (check: TasksReport["checks"][number]) => boolean) =>
  checks.filter(holds).map(({ id }) => id);

const eras = [
  ["2026-07-28", "extension"],
  ["2025-11-25", "legacy"],
] as const;

describe.each<[string, () => Target]>([
  ["HTTP", () => parseTarget({ url: everything.url })],
  ["stdio", () => parseTarget(sampleCommand("everything"))],
])("a good server over %s", (transport, target) => {
  test.each(eras)("has nothing to fault and nothing to advise in %s", async (protocolVersion, wire) => {
    const report = await runTasks(target(), { protocolVersion, ...patient });
    expect(
      idsOf(report, ({ status, skipReason }) => status === "failed" || skipReason === "could-not-run"),
    ).toEqual([]);
    expect(report).toMatchObject({
      outcome: "passed",
      protocolVersion,
      wire,
      toolName: "slow_compute",
      score: { score: 100 },
      profile: { profileId: "mcp-tasks" },
    });
    if (transport === "HTTP" && wire === "extension")
      // One judges our own requests, one a sentence that this revision has no more.
      expect(report.score.passed).toBe(tasksChecks.length - 2);
  });
});

const mutations = [
  ...extensionMutations.map((mutation) => ["2026-07-28", mutation.name, mutation] as const),
  ...legacyMutations.map((mutation) => ["2025-11-25", mutation.name, mutation] as const),
];

/** As long as two of the bounds above, because a run may wait for each of them. */
const patience = { timeout: 120_000 };

describe.concurrent("a server with one fault", patience, () => {
  test.each(mutations)("%s: %s", async (protocolVersion, _name, mutation) => {
    const { fault, fails = [], advises = [], neverEnds } = mutation;
    const proxy = await startFaultyProxy(everything.url, fault());
    try {
      const report = await runTasks(parseTarget({ url: proxy.url }), {
        ...quick,
        ...(neverEnds && endlessTask),
        protocolVersion,
      });
      const failed = report.checks.filter(({ status }) => status === "failed");
      expect(failed.map(({ id }) => id).toSorted(), JSON.stringify(failed.map(({ error }) => error))).toEqual(
        [...fails].toSorted(),
      );
      expect(idsOf(report, ({ warnings }) => warnings !== undefined)).toEqual([...advises]);
      expect(report.outcome).toBe(fails.length > 0 ? "failed" : "passed");
      expect(disagreementsOf(report.checks)).toEqual([]);
    } finally {
      await proxy.close();
    }
  });
});

test("the public server's own task tool, named by the operator, passes; unnamed, nothing is called", async () => {
  const target = parseTarget(everythingOverStdio);
  const unnamed = await runTasks(target);
  // What needs no task is judged, and is too little to be called passed.
  expect(unnamed).toMatchObject({
    outcome: "not-applicable",
    wire: "legacy",
    toolName: null,
    score: { score: null },
    summary: expect.stringMatching(/^Nothing to test: .*--tool-name.*--call-read-only/),
  });
  // Whoever keeps the report counts by its stamp.
  const passing = idsOf(unnamed, ({ status }) => status === "passed");
  expect(passing).toContain("tasks-invalid-task-id-rejected");
  expect(unnamed.profile?.pendingCheckIds).toEqual(expect.arrayContaining(passing));
  // As in the protocol suite: what needs a call that nobody allows does not apply.
  expect(idsOf(unnamed, ({ skipReason }) => skipReason === "could-not-run")).toEqual([]);
  expect(idsOf(unnamed, ({ status }) => status === "failed")).toEqual([]);
  const named = await runTasks(target, { toolName: "simulate-research-query", toolArgs: { topic: "tea" } });
  expect(named).toMatchObject({ outcome: "passed", toolName: "simulate-research-query" });
});

test.each(eras)(
  "a tool that says it is read-only is called where that is allowed, in %s",
  async (protocolVersion) => {
    const proxy = await startFaultyProxy(everything.url, {
      // One tool that needs an argument and says that it changes nothing; without its siblings it is no fixture.
      message: (message, { body }) => {
        const { tools } = (message.result ?? {}) as { tools?: { name: string; inputSchema: JsonObject }[] };
        if (body?.method !== "tools/list" || !tools) return message;
        const own = tools.filter(({ name }) => name === "slow_compute");
        const readOnly = own.map((tool) => ({
          ...tool,
          annotations: { readOnlyHint: true },
          inputSchema: {
            type: "object",
            properties: { seconds: { type: "number", examples: [0.2] } },
            required: ["seconds"],
          },
        }));
        return { ...message, result: { ...(message.result as object), tools: readOnly } };
      },
    });
    onTestFinished(() => proxy.close());
    const target = parseTarget({ url: proxy.url });
    expect(await runTasks(target, { protocolVersion })).toMatchObject({
      toolName: null,
      outcome: "not-applicable",
    });
    const called = await runTasks(target, { protocolVersion, callReadOnly: true, ...patient });
    expect(called).toMatchObject({ toolName: "slow_compute", outcome: "passed" });
    expect(idsOf(called, ({ status }) => status === "passed")).toContain("tasks-durable-create");
  },
);

test("answers of the operator are given to a tool that asks, and their lack is no failure", async () => {
  const proxy = await startFaultyProxy(everything.url, {
    // Without its siblings, the tool is no fixture any more.
    message: (message, { body }) => {
      const { tools } = (message.result ?? {}) as { tools?: { name: string }[] };
      if (body?.method !== "tools/list" || !tools) return message;
      return {
        ...message,
        result: {
          ...(message.result as object),
          tools: tools.filter(({ name }) => name === "confirm_delete"),
        },
      };
    },
  });
  onTestFinished(() => proxy.close());
  const target = parseTarget({ url: proxy.url });
  const options = { protocolVersion: "2026-07-28", toolName: "confirm_delete" };
  const check = "tasks-input-required-update-completes";
  const unanswered = await runTasks(target, { ...options, checkIds: [check] });
  expect(unanswered.checks).toMatchObject([{ skipReason: "could-not-run" }]);
  const confirmation = { action: "accept", content: { confirm: true } };
  const answered = await runTasks(target, {
    ...options,
    checkIds: [check],
    inputResponses: { confirmation },
  });
  expect(answered.checks).toMatchObject([{ status: "passed" }]);
});

test("a server without tasks is left alone, and an unknown check is refused", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const target = parseTarget({ url: bookshop.url });
  expect(await runTasks(target)).toMatchObject({
    outcome: "not-applicable",
    wire: "none",
    score: { score: null },
  });
  await expect(runTasks(target, { checkIds: ["tasks-nothing"] })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
});

test("a server that is not there is an error", async () => {
  await expect(runTasks(parseTarget({ url: "http://127.0.0.1:9/mcp" }))).rejects.toMatchObject({
    code: "CONNECTION_REFUSED",
  });
});
