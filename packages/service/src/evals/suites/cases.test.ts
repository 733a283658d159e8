import { limits, type ProjectId } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let database: TestDatabase;
let service: TestService;
let member: string;
let another: string;
let projectId: ProjectId;
let serverId: string;
beforeAll(async () => {
  database = await testDatabase();
  service = await testService({ database, env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  member = await makeKey(db, organization, await makeMember(db, organization, "member"));
  another = await makeKey(db, organization, await makeMember(db, organization, "member"));
  projectId = await makeProject(db, organization);
  const server = { name: "Orders", transportType: "http", url: "https://mcp.example/mcp" };
  serverId = (await call("POST", "/servers", server)).body.id;
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const call = (method: string, path: string, body?: object, key = member, headers = {}) =>
  service.call(`/api/v1/projects/${projectId}${path}`, { method, key, headers, ...(body && { body }) });

const asked = (text: string, more: object = {}) => ({
  title: text,
  steps: [{ id: "ask", kind: "prompt", prompt: text }],
  ...more,
});
const withAssertion = (assertion: object, more: object = {}) => ({
  title: "Asserts",
  steps: [
    { id: "ask", kind: "prompt", prompt: "Go" },
    { id: "check", kind: "assert", assertion },
  ],
  ...more,
});
const pinned = { id: "call", kind: "toolCall", serverName: "Orders", toolName: "show", arguments: {} };
const codeOf = ({ status, body }: { status: number; body: { details?: { code?: string } } }) => [
  status,
  body.details?.code,
];

async function makeSuite(): Promise<string> {
  const tests = [asked("First", { id: "first" })];
  const request = { name: "Suite", serverIds: [serverId], model: "fettle/rules-1", tests };
  return (await call("POST", "/eval-suites", request)).body.suiteId;
}
const cases = (suiteId: string) => `/eval-suites/${suiteId}/cases`;
const add = (suiteId: string, body: object) => call("POST", cases(suiteId), body);
const titles = async (suiteId: string): Promise<string[]> =>
  (await call("GET", cases(suiteId))).body.items.map(({ title }: { title: string }) => title);

describe("a case", () => {
  it("is kept and read back as it was written", async () => {
    const suiteId = await makeSuite();
    const odd = { "\u0000zero": "\ud83d\ude00", deep: { z: 1, a: [null, 1.5, "ünï"] } };
    const wanted = {
      title: "Everything",
      id: "everything",
      intent: "Shows all there is",
      steps: [
        { id: "ask", kind: "prompt", prompt: "Buy it", expectToolError: { contains: "sold out" } },
        { ...pinned, arguments: odd, renderTimeoutMs: 1000 },
        {
          id: "click",
          kind: "interact",
          toolName: "show",
          action: { kind: "click", target: { text: "Buy" } },
        },
        { id: "sees", kind: "assert", assertion: { kind: "textVisible", toolName: "show", text: "Bought" } },
        { id: "said", kind: "assert", assertion: { type: "responseContains", needle: "bought" } },
      ],
      expectedOutput: "It is bought",
      iterations: 3,
      isNegative: false,
      expectToolError: { tool: "show" },
      scenario: "A shop",
      models: [{ model: "claude-haiku-4.5", provider: "anthropic" }],
      matchOptions: { toolCallOrder: "exact", extraToolCalls: 0 },
      checks: { mode: "replace", list: [] },
      continueOnFail: true,
      advancedConfig: { system: "Be brief.", temperature: 0, toolChoice: "auto" },
      disabled: true,
      import: { status: "exact", note: "By hand", sourceCaseKey: "k" },
    };
    const { status, body } = await add(suiteId, wanted);
    expect([status, body.message]).toEqual([201, undefined]);
    const { id, ...said } = wanted;
    expect(body).toMatchObject({ declaredId: id, ...said });
    expect(body.steps[1].arguments).toEqual(odd);
    expect((await call("GET", `${cases(suiteId)}/${body.id}`)).body).toEqual(body);
  });

  it("changes in what is sent: steps as a whole, and null clears", async () => {
    const suiteId = await makeSuite();
    const wanted = {
      expectedOutput: "Yes",
      expectToolError: true,
      scenario: "A shop",
      matchOptions: { arguments: "exact" },
      checks: { mode: "extend", list: [{ type: "noToolErrors" }] },
    };
    const { body: before } = await add(suiteId, asked("Changes", wanted));
    const change = (body: object) => call("PATCH", `${cases(suiteId)}/${before.id}`, body);
    const { body } = await change({
      title: "Changed",
      steps: [{ id: "a", kind: "prompt", prompt: "Else" }],
      iterations: 2,
    });
    expect(body).toMatchObject({
      ...wanted,
      declaredId: before.declaredId,
      title: "Changed",
      steps: [{ id: "a", kind: "prompt", prompt: "Else" }],
      iterations: 2,
    });
    const cleared = await change({
      expectedOutput: null,
      expectToolError: null,
      scenario: null,
      matchOptions: null,
      checks: null,
    });
    for (const field of Object.keys(wanted)) expect(cleared.body).not.toHaveProperty(field);
    expect(codeOf(await change({}))).toEqual([400, undefined]);
    expect((await change({ declaredId: "x" })).status).toBe(400);
  });

  it("that shows one call does not become one that asks, nor the other way round", async () => {
    const suiteId = await makeSuite();
    const { body: shown } = await add(suiteId, { title: "Shows", steps: [pinned] });
    const { body: spoken } = await add(suiteId, asked("Asks"));
    const change = (id: string, steps: object[]) => call("PATCH", `${cases(suiteId)}/${id}`, { steps });
    expect(codeOf(await change(shown.id, asked("Asks").steps))).toEqual([400, "CASE_KIND_FIXED"]);
    expect(codeOf(await change(spoken.id, [pinned]))).toEqual([400, "CASE_KIND_FIXED"]);
    expect((await change(shown.id, [{ ...pinned, toolName: "other" }])).status).toBe(200);
  });

  it("is deleted, and the others stay in their order", async () => {
    const suiteId = await makeSuite();
    const { body } = await add(suiteId, asked("Second"));
    await add(suiteId, asked("Third"));
    const path = `${cases(suiteId)}/${body.id}`;
    expect((await call("DELETE", path)).body).toMatchObject({ id: body.id, deleted: true });
    expect((await call("DELETE", path)).status).toBe(404);
    expect(await titles(suiteId)).toEqual(["First", "Third"]);
  });

  it.each([
    ["no steps", { title: "x", steps: [] }, undefined],
    ["a step of an unknown kind", { title: "x", steps: [{ id: "a", kind: "dance" }] }, undefined],
    ["two steps with one id", { title: "x", steps: [...asked("x").steps, ...asked("x").steps] }, undefined],
    ["an assertion that asks nothing known", withAssertion({ type: "unheardOf" }), "INVALID_CASE"],
    [
      "an assertion that is two",
      withAssertion({ type: "noToolErrors", kind: "textVisible" }),
      "INVALID_CASE",
    ],
    ["a pattern that is none", withAssertion({ type: "responseMatches", pattern: "(" }), "INVALID_CASE"],
    [
      "a check that is none",
      asked("x", { checks: { mode: "replace", list: [{ type: "x" }] } }),
      "INVALID_CASE",
    ],
    [
      "an expectation of a negative case",
      withAssertion({ type: "toolCalledWith", toolName: "t", args: { args: {} } }, { isNegative: true }),
      "NEGATIVE_CASE_HAS_EXPECTATIONS",
    ],
    [
      "an expected error of a negative case",
      asked("x", { isNegative: true, expectToolError: true }),
      "NEGATIVE_CASE_HAS_EXPECTATIONS",
    ],
    ["an expected error that names nothing", asked("x", { expectToolError: {} }), undefined],
    ["more repetitions than there may be", asked("x", { iterations: 11 }), "REPETITIONS_CAP"],
    ["a claim without a note", asked("x", { import: { status: "exact" } }), undefined],
    ["a title with a zero character", asked("a\0b"), "UNSTORABLE_ITEM"],
    ["an id that is none", asked("x", { id: "not an id" }), undefined],
    ["an unknown field", asked("x", { runs: 2 }), undefined],
    [
      "more than a case may weigh",
      asked("x", { expectedOutput: "x".repeat(limits.evals.caseBytes) }),
      "ITEM_TOO_LARGE",
    ],
  ])("is refused with %s", async (_, wrong, code) => {
    const suiteId = await makeSuite();
    expect(codeOf(await add(suiteId, wrong))).toEqual([400, code]);
    expect(await titles(suiteId)).toEqual(["First"]);
  });

  it.each([
    ["the id of another", asked("Other", { id: "first" }), "DUPLICATE_CASE_ID"],
    [
      "the content of another, under another name",
      { ...asked("First"), title: "Renamed" },
      "DUPLICATE_CONTENT",
    ],
  ])("is refused with %s", async (_, wrong, code) => {
    const refused = await add(await makeSuite(), wrong);
    expect(codeOf(refused)).toEqual([409, code]);
    expect(refused.body.details.reason).toBe(code);
  });
});

describe("a batch of cases", () => {
  const batch = (suiteId: string, list: unknown[], more: object = {}, key?: string, as = member) =>
    call(
      "POST",
      `${cases(suiteId)}/batch`,
      { cases: list, ...more },
      as,
      key ? { "idempotency-key": key } : {},
    );

  it("saves the good ones and tells what is wrong with each of the others", async () => {
    const suiteId = await makeSuite();
    const { status, body } = await batch(suiteId, [
      asked("Good", { id: "good" }),
      "nothing",
      { title: "No steps" },
      asked("Bad id", { id: "not an id" }),
      asked("Again", { id: "good" }),
      asked("First"),
      asked("a\0b"),
      asked("Heavy", { expectedOutput: "x".repeat(limits.evals.caseBytes) }),
      asked("Also good"),
    ]);
    expect(status).toBe(201);
    expect(body.created).toMatchObject([
      { index: 0, declaredId: "good", title: "Good", action: "created", replayed: false },
      { index: 8, title: "Also good" },
    ]);
    expect(body.failed).toMatchObject([
      { index: 1, code: "INVALID_ITEM" },
      { index: 2, title: "No steps", code: "INVALID_CASE" },
      { index: 3, declaredId: "not an id", code: "INVALID_CASE_ID" },
      { index: 4, code: "DUPLICATE_CASE_ID" },
      { index: 5, title: "First", code: "DUPLICATE_CONTENT" },
      { index: 6, code: "UNSTORABLE_ITEM" },
      { index: 7, code: "ITEM_TOO_LARGE" },
    ]);
    expect(body.duplicatePolicy).toEqual({ effectivePolicy: "block", coerced: false });
    expect(await titles(suiteId)).toEqual(["First", "Good", "Also good"]);
  });

  it.each([
    ["block", {}, "DUPLICATE_CONTENT", { effectivePolicy: "block", coerced: false }],
    ["warn", {}, "OVERRIDE_REASON_REQUIRED", { effectivePolicy: "warn", coerced: false }],
    ["warn", { overrideReason: "Both" }, "warned", { effectivePolicy: "warn", coerced: false }],
    ["create_anyway", {}, "OVERRIDE_REASON_REQUIRED", { effectivePolicy: "create_anyway", coerced: false }],
    [
      "create_anyway",
      { overrideReason: "Both" },
      "created",
      { effectivePolicy: "create_anyway", coerced: false },
    ],
    [
      "whatever",
      { overrideReason: "Both" },
      "DUPLICATE_CONTENT",
      { effectivePolicy: "block", coerced: true },
    ],
  ])("deals with a duplicate by the policy %s and %j", async (duplicatePolicy, more, outcome, told) => {
    const { body } = await batch(await makeSuite(), [asked("First")], { duplicatePolicy, ...more });
    const [created] = body.created;
    const seen = created ? (created.warnings ? "warned" : "created") : body.failed[0].code;
    expect(seen).toBe(outcome);
    expect(body.duplicatePolicy).toEqual({ requestedPolicy: duplicatePolicy, ...told });
  });

  it("under one key makes each case once, also after it was cut off or edited", async () => {
    const suiteId = await makeSuite();
    const list = [asked("One"), asked("Two")];
    const first = await batch(suiteId, list, {}, "k");
    const second = await batch(suiteId, list, {}, "k");
    const ids = (answer: typeof first) => answer.body.created.map(({ id }: { id: string }) => id);
    expect(ids(second)).toEqual(ids(first));
    expect(second.body.created).toMatchObject([{ replayed: true }, { replayed: true }]);
    const changed = await batch(suiteId, [asked("One"), asked("Else")], {}, "k");
    expect(changed.body).toMatchObject({
      created: [{ index: 0, replayed: true }],
      failed: [{ index: 1, code: "IDEMPOTENCY_CONFLICT" }],
    });
    // The key of one person means nothing to another's.
    expect((await batch(suiteId, [asked("Three")], {}, "k", another)).body.created).toMatchObject([
      { replayed: false },
    ]);
    expect(await titles(suiteId)).toEqual(["First", "One", "Two", "Three"]);
  });

  it("sent several times at once makes each case once", async () => {
    const suiteId = await makeSuite();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => batch(suiteId, [asked("One", { id: "one" })])),
    );
    expect(answers.filter(({ body }) => body.created.length === 1)).toHaveLength(1);
    expect(await titles(suiteId)).toEqual(["First", "One"]);
  });

  it.each([
    ["none", 0, 400],
    ["as many as may be", limits.evals.casesPerBatch, 201],
    ["more than may be", limits.evals.casesPerBatch + 1, 400],
  ])("of %s", async (_, count, status) => {
    const list = Array.from({ length: count }, (_unused, index) => asked(`Case ${index}`));
    expect((await batch(await makeSuite(), list)).status).toBe(status);
  });

  it("changes no case of a suite that is not a file's", async () => {
    const refused = await batch(await makeSuite(), [asked("First", { id: "first" })], { upsert: true });
    expect(codeOf(refused)).toEqual([400, "NOT_FILE_OWNED"]);
  });

  it("does not fill a suite beyond what it may hold", async () => {
    const suiteId = await makeSuite();
    const most = limits.evals.casesPerSuite;
    const list = (from: number, count: number) =>
      Array.from({ length: count }, (_unused, index) => asked(`Case ${from + index}`));
    for (let from = 0; from < most - 100; from += 100) await batch(suiteId, list(from, 100));
    expect(codeOf(await batch(suiteId, list(most, 100)))).toEqual([400, "CASE_LIMIT"]);
    expect((await batch(suiteId, list(most, 99))).status).toBe(201);
    expect(codeOf(await add(suiteId, asked("Last")))).toEqual([400, "CASE_LIMIT"]);
  });
});
