/**
 * Whoever reports a run may say more than is asked for. Every object of every body that reports something is given a field
 * that nobody knows: it is refused with its path, or read back. What is declared is read back, too.
 */
import type { OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";
import { isObject } from "@fettle/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { jsonSchemaOf } from "../../testing/fuzz/values.ts";

type Json = Record<string, unknown>;

let bench: EvalBench;
beforeAll(async () => {
  bench = await evalBench("http://127.0.0.1:9/mcp");
});
afterAll(() => bench.service.close());

const send = (path: string, body: object) => bench.call("POST", path, body);
const read = async (path: string): Promise<Json> => (await bench.call("GET", path)).body;

let names = 0;
const name = () => `name-${++names}`;

const calls = (of: string) => [{ toolName: `${of}-tool`, arguments: { q: `${of}-q` } }];
const result = () => ({
  caseTitle: "Finds a book",
  passed: true,
  caseId: "case-one",
  externalCaseId: "case-one",
  externalIterationId: name(),
  query: "Find the book",
  durationMs: 71_234,
  provider: "provider-said",
  model: "model-said",
  expectedToolCalls: calls("expected"),
  actualToolCalls: calls("actual"),
  tokens: { input: 81_111, output: 82_222, total: 163_333 },
  error: "error-said",
  errorDetails: { at: "error-details-said" },
  trace: { messages: [{ role: "user", content: "trace-said" }] },
  metadata: { shard: "metadata-said" },
  isNegativeTest: true,
  expectedOutput: "expected-output-said",
  advancedConfig: { top: "advanced-said" },
  widgetSnapshots: [{ uri: "ui://widget-said" }],
  matchOptions: { toolCallOrder: "any", extraToolCalls: 91_111, arguments: "exact" },
});
const origin = () => ({
  suiteName: "Suite said",
  suiteDescription: "suite-description-said",
  serverNames: ["server-said-1", "server-said-2"],
  serverReplayConfigs: [{ name: "replay-said" }],
  notes: "notes-said",
  passCriteria: { minimumPassRate: 41.25 },
  externalRunId: name(),
  framework: "framework-said",
  ci: {
    provider: "ci-provider-said",
    branch: "branch-said",
    commitSha: "commit-said",
    runUrl: "https://ci.example/said",
    pipelineId: "pipeline-said",
    jobId: "job-said",
    pullRequest: "pull-said",
  },
  expectedIterations: 61_111,
  tags: ["tag-said"],
  evaluationConfigHash: "evaluation-hash-said",
  hostConfig: { host: { model: "host-said" } },
  hostConfigHash: "host-hash-said",
});

const caseOf = () => ({
  id: "check-said",
  title: "title-said",
  category: "category-said",
  status: "failed",
  skipReason: "could-not-run",
  pending: true,
  rule: { word: "MUST", title: "rule-said", url: "https://spec.example/said", revision: "2031-01-02" },
  warnings: [{ word: "SHOULD", message: "warning-said" }],
  durationMs: 51_111,
  description: "description-said",
  error: { message: "case-error-said" },
  details: { wire: "details-said" },
});
const report = () => ({
  schemaVersion: 1,
  kind: "protocol-conformance",
  name: "report-name-said",
  passed: true,
  outcome: "failed",
  incompleteReason: "incomplete-said",
  score: { protocolVersion: "2031-03-04" },
  profile: {
    profileId: "profile-said",
    profileVersion: "2031-05-06",
    protocolVersion: "2031-07-08",
    pendingCheckIds: ["pending-said"],
  },
  durationMs: 52_222,
  groups: [
    {
      id: "group-said",
      title: "group-title-said",
      target: "group-target-said",
      passed: false,
      durationMs: 53_333,
      summary: "summary-said",
      cases: [caseOf()],
    },
  ],
  advisories: [{ id: "advisory-said", tier: "should", word: "SHOULD", message: "advisory-message-said" }],
});
const conformanceOrigin = () => ({
  target: {
    kind: "external",
    serverId: bench.server.id,
    serverRef: "server-ref-said",
    serverUrl: "https://mcp.example/said",
  },
  source: "github_action",
  requestedSuites: ["protocol"],
  protocolVersion: "2031-09-10",
  engineVersion: "engine-said",
  actorLabel: "actor-said",
  ci: { build: "ci-said" },
  externalRunId: name(),
});

const evalRun = async (runId: string) => {
  const run = await read(`/eval-runs/${runId}`);
  const suite = await read(`/eval-suites/${run.suiteId}`);
  const { items } = (await read(`/eval-runs/${runId}/iterations`)) as { items: { id: string }[] };
  const traces = items.map(({ id }) => read(`/eval-runs/${runId}/iterations/${id}/trace`));
  return [run, suite, items, await Promise.all(traces)];
};
const conformanceRun = async (runId: string) => {
  const run = await read(`/conformance-runs/${runId}`);
  const { content } = (await read(`/conformance-runs/${runId}/export`)) as { content?: string };
  return [run, content === undefined ? null : JSON.parse(content)];
};
const begunEval = async () => (await send("/eval-ingest/runs/start", origin())).body.runId as string;
const begunConformance = async () =>
  (await send("/conformance-ingest/runs/start", conformanceOrigin())).body.runId as string;

interface Reporting {
  body(): Promise<object> | object;
  readBack(runId: string): Promise<unknown>;
  /** What is not read back as it was said, each with the reason. */
  not?: Record<string, string>;
}

const counted = "declared as read and counted again";
const suiteNot = (at: string) => ({
  [`${at}.outcome`]: counted,
  [`${at}.score`]: counted,
  [`${at}.score.protocolVersion`]: counted,
});

const reporting: Record<string, Reporting> = {
  reportEvalRun: { body: () => ({ ...origin(), results: [result()] }), readBack: evalRun },
  startEvalIngestRun: { body: origin, readBack: evalRun },
  ingestEvalRunIterations: {
    body: async () => ({ runId: await begunEval(), results: [result()] }),
    readBack: evalRun,
  },
  finalizeEvalIngestRun: {
    body: async () => {
      const said = origin();
      const { runId } = (await send("/eval-ingest/runs/start", said)).body;
      return { runId, externalRunId: said.externalRunId };
    },
    readBack: evalRun,
  },
  reportConformanceRun: {
    body: () => ({
      schemaVersion: 1,
      ...conformanceOrigin(),
      reports: { protocol: report() },
      outcome: { said: "whole-outcome-said" },
      score: { said: "whole-score-said" },
      durationMs: 54_444,
    }),
    readBack: conformanceRun,
    not: {
      protocolVersion: "the revision that the reports name counts before it",
      "outcome.said": counted,
      "score.said": counted,
      ...suiteNot("reports.protocol"),
    },
  },
  startConformanceIngestRun: { body: conformanceOrigin, readBack: conformanceRun },
  upsertConformanceIngestReport: {
    body: async () => ({
      runId: await begunConformance(),
      suiteKind: "protocol",
      report: report(),
      durationMs: 55_555,
    }),
    readBack: conformanceRun,
    not: suiteNot("report"),
  },
  heartbeatConformanceIngestRun: {
    body: async () => ({ runId: await begunConformance() }),
    readBack: conformanceRun,
  },
  finalizeConformanceIngestRun: {
    body: async () => ({ runId: await begunConformance() }),
    readBack: conformanceRun,
  },
};

const declared = (Object.values(operations) as OperationDeclaration[]).filter(
  ({ path, body }) => path.includes("-ingest/") && body,
);

/** Calls `visit` with every object of a value and its path. */
function eachObject(value: unknown, at: string[], visit: (object: Json, at: string[]) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (isObject(value)) visit(value, at);
  for (const [field, inner] of Object.entries(value)) eachObject(inner, [...at, field], visit);
}

/** The paths of all fields that a schema names, without the places in lists. */
function fieldsOf(schema: unknown, root: Json, at: string): string[] {
  if (!isObject(schema)) return [];
  if (typeof schema.$ref === "string") {
    const named = isObject(root.$defs) ? root.$defs[schema.$ref.split("/").at(-1) ?? ""] : undefined;
    return fieldsOf(named, root, at);
  }
  const several = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const own = Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(
    ([field, inner]) => {
      const path = at === "" ? field : `${at}.${field}`;
      return [path, ...fieldsOf(inner, root, path)];
    },
  );
  return [...own, ...fieldsOf(schema.items, root, at), ...several.flatMap((one) => fieldsOf(one, root, at))];
}

const withoutPlaces = (path: string[]) => path.filter((part) => !/^\d+$/.test(part)).join(".");

it("every operation that reports something is tried", () => {
  expect(declared.map(({ id }) => id).toSorted()).toEqual(Object.keys(reporting).toSorted());
});

describe.each(declared)("$id", ({ id, path, body: schema }) => {
  const { body, readBack, not = {} } = reporting[id]!;
  const to = path.replace("/projects/{projectId}", "");
  const readText = async (runId: string) => JSON.stringify(await readBack(runId));

  it("is tried with every field that it declares", async () => {
    const said = new Set<string>();
    eachObject(await body(), [], (object, at) => {
      for (const field of Object.keys(object)) said.add(withoutPlaces([...at, field]));
    });
    // The older words for the same, which may not stand beside the others.
    const older = /matchOptions\.(maxExtraToolCalls|argumentMatching)$/;
    const whole = jsonSchemaOf(schema!);
    const fields = fieldsOf(whole, whole, "").filter((field) => !older.test(field));
    expect(fields.filter((field) => !said.has(field))).toEqual([]);
  });

  it("gives back all that it takes", async () => {
    const said = await body();
    const { status, body: answer } = await send(to, said);
    expect(status, JSON.stringify(answer)).toBe(200);
    const text = await readText(answer.runId ?? (said as { runId: string }).runId);
    const lost: string[] = [];
    eachObject(said, [], (object, at) => {
      for (const [field, value] of Object.entries(object)) {
        const place = withoutPlaces([...at, field]);
        const isTold = (one: unknown) => text.includes(JSON.stringify(one));
        const leaves = Array.isArray(value)
          ? value.filter((one) => !isObject(one))
          : isObject(value)
            ? []
            : [value];
        if (!(place in not) && !leaves.every(isTold)) lost.push(place);
      }
    });
    expect(lost).toEqual([]);
  });

  it("refuses a field that nobody knows, with its path, or gives it back", async () => {
    const paths: string[][] = [];
    eachObject(await body(), [], (_, at) => void paths.push(at));
    const lost: string[] = [];
    for (const wanted of paths) {
      const marker = `unknown-${name()}`;
      const said = await body();
      eachObject(said, [], (object, at) => {
        if (at.join() === wanted.join()) object.nobodyKnows = marker;
      });
      const { status, body: answer } = await send(to, said);
      const place = wanted.join(".");
      if (withoutPlaces(wanted) in not || withoutPlaces([...wanted, "said"]) in not) continue;
      if (status === 400) {
        expect(JSON.stringify(answer), place).toContain(["body", ...wanted].join("."));
        continue;
      }
      expect(status, JSON.stringify(answer)).toBe(200);
      const text = await readText(answer.runId ?? (said as { runId: string }).runId);
      if (!text.includes(marker)) lost.push(place);
    }
    expect(lost).toEqual([]);
  });
});
