import type { EvalSuiteCheck, EvalSuiteEdition, EvalSuiteFinding } from "@fettle/contract/evals";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askCase, type CaseWanted, saveSuite } from "../../testing/eval-suite.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type World } from "../../testing/world.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const inApp = (method: string, suiteId: string, path: string, body?: object) =>
  service.call(`/app/projects/${world.projectId}/eval-suites/${suiteId}/document${path}`, {
    method,
    headers: { cookie: world.people.member.cookie, "x-fettle-app": "1" },
    ...(body && { body }),
  });
const read = async (suiteId: string): Promise<EvalSuiteEdition> => (await inApp("GET", suiteId, "")).body;
const check = async (suiteId: string, body: object): Promise<EvalSuiteCheck> =>
  (await inApp("POST", suiteId, "/check", body)).body;
const save = (suiteId: string, { revision }: { revision: string }, document: object) =>
  inApp("PUT", suiteId, "", { revision, document });
const casesOf = async (suiteId: string) =>
  (
    await service.call(`/api/v1/projects/${world.projectId}/eval-suites/${suiteId}/cases`, {
      key: world.people.member.key,
    })
  ).body.items;

const one = askCase("c_one", "Find a book", "search_books");
const two = askCase("c_two", "Say thanks", "search_books", {
  iterations: 3,
  disabled: true,
  models: [{ model: "fettle/rules-1" }],
  checks: { mode: "extend", list: [{ type: "noToolErrors", role: "advisory" }] },
  advancedConfig: { toolChoice: "auto" },
});
const suiteOf = (cases: CaseWanted[] = [one, two], more: object = {}) =>
  saveSuite(world, service.app, { cases, ...more });
const told = ({ code, pointer, line, column }: EvalSuiteFinding) => [code, pointer, line, column];

it("a suite is read as a value and as YAML that says the same, with the lines of each part", async () => {
  const suiteId = await suiteOf();
  const edition = await read(suiteId);
  expect(edition.document).toEqual({
    name: "Bookshop",
    model: "fettle/rules-1",
    cases: [
      { id: "c_one", title: "c_one", steps: one.steps },
      {
        id: "c_two",
        title: "c_two",
        disabled: true,
        iterations: 3,
        models: two.models,
        steps: two.steps,
        checks: two.checks,
        advancedConfig: two.advancedConfig,
      },
    ],
  });
  const checked = await check(suiteId, { text: edition.text });
  expect(checked).toEqual({
    document: edition.document,
    text: edition.text,
    places: edition.places,
    findings: [],
  });
  const lines = edition.text.split("\n");
  const linesOf = (...path: (string | number)[]) => {
    const place = edition.places.find((each) => each.path.join(".") === path.join("."))!;
    return lines.slice(place.line - 1, place.endLine);
  };
  expect(linesOf("cases", 0, "steps", 0)).toEqual([
    "      - id: ask",
    "        kind: prompt",
    "        prompt: Find a book",
  ]);
  expect(linesOf("cases", 1, "advancedConfig")).toEqual(["    advancedConfig:", "      toolChoice: auto"]);
  expect(linesOf("cases", 1)[0]).toBe("  - id: c_two");
});

const text = (...lines: string[]) => ["name: Shop", "cases:", ...lines].join("\n");
const asking = ["    steps:", "      - { id: ask, kind: prompt, prompt: Hello }"];

it.each<[string, string, (string | number | null)[][], RegExp]>([
  [
    "YAML that is none",
    text("  - id: a", "    title: [open"),
    [["SUITE_FILE_YAML_INVALID", "", 4, 17]],
    /indentation/,
  ],
  ["nothing", "", [["SUITE_FILE_EMPTY", "", null, null]], /name and a list of cases/],
  ["no name", "cases: []", [["SUITE_FILE_INVALID", "name", 1, 1]], /value of this kind/],
  [
    "a word of a suite file",
    text("  - id: a", "    title: A", "    repetitions: 3", ...asking),
    [["SUITE_FILE_INVALID", "cases[0].repetitions", 5, 5]],
    /iterations/,
  ],
  [
    "two cases with one id",
    text("  - id: a", "    title: A", ...asking, "  - id: a", "    title: B", ...asking),
    [["DUPLICATE_CASE_ID", "cases[1].id", 7, 5]],
    /another id/,
  ],
  [
    "several things, each at its place",
    text(
      "  - id: a",
      "    title: ''",
      "    iterations: 11",
      "    steps:",
      "      - { id: s, kind: assert, assertion: { type: toolCalledOnce } }",
      "    checks:",
      "      mode: extend",
      "      list:",
      "        - { type: toolNeverCalled }",
    ),
    [
      ["SUITE_FILE_INVALID", "cases[0].title", 4, 5],
      ["SUITE_FILE_INVALID", "cases[0].iterations", 5, 5],
      ["SUITE_FILE_INVALID", "cases[0].steps[0].assertion.type", 7, 45],
      ["SUITE_FILE_INVALID", "cases[0].checks.list[0].toolName", 11, 11],
    ],
    /./,
  ],
  [
    "a negative case that expects a call",
    text(
      "  - id: a",
      "    title: A",
      "    isNegative: true",
      "    steps:",
      "      - { id: s, kind: assert, assertion: { type: toolCalledWith, toolName: x, args: { args: {} } } }",
    ),
    [["NEGATIVE_CASE_HAS_EXPECTATIONS", "cases[0].steps[0]", 7, 9]],
    /isNegative/,
  ],
])("%s is told with line, column and what to do", async (_, yaml, findings, hint) => {
  const checked = await check(await suiteOf(), { text: yaml });
  expect(checked.document).toBeNull();
  expect(checked.text).toBe(yaml);
  expect(checked.findings.map(told)).toEqual(findings);
  expect(checked.findings[0]?.hint).toMatch(hint);
});

it("what a form holds is written as YAML also while it is no suite, and its findings have lines in that text", async () => {
  const { document } = await read(await suiteOf([one]));
  const edited = { ...document, cases: [{ ...document.cases[0]!, title: "" }] };
  const { text: written, findings } = await check(await suiteOf(), { document: edited });
  expect(written).toContain('    title: ""');
  expect(findings.map(told)).toEqual([["SUITE_FILE_INVALID", "cases[0].title", 5, 5]]);
});

it("a save changes, adds, reorders and deletes cases at once, and those that stay keep their ids", async () => {
  const suiteId = await suiteOf([one, two, askCase("c_three", "Third", "search_books")]);
  const edition = await read(suiteId);
  const before = await casesOf(suiteId);
  const [first, second] = edition.document.cases;
  const steps = [{ id: "ask", kind: "prompt", prompt: "New" }];
  const saved = await save(suiteId, edition, {
    ...edition.document,
    name: "Renamed",
    systemPrompt: "Be brief.",
    settings: { minimumAccuracy: 80, judge: { enabled: true, autoRun: true } },
    cases: [{ ...second, title: "Second" }, { title: "Brand new", steps }, first],
  });
  expect(saved.status).toBe(200);
  const now = await casesOf(suiteId);
  expect(now.map(({ title }: { title: string }) => title)).toEqual(["Second", "Brand new", "c_one"]);
  expect([now[0].id, now[2].id]).toEqual([before[1].id, before[0].id]);
  expect(now[1].declaredId).toMatch(/^c_/);
  expect(saved.body).toEqual(await read(suiteId));
  expect(saved.body.document).toMatchObject({
    name: "Renamed",
    systemPrompt: "Be brief.",
    settings: { minimumAccuracy: 80, judge: { enabled: true, autoRun: true, threshold: 0.7 } },
  });
});

it("a save that began with something else is refused, and nothing of it is written", async () => {
  const suiteId = await suiteOf();
  const edition = await read(suiteId);
  const theirs = await save(suiteId, edition, { ...edition.document, name: "Theirs" });
  expect(theirs.status).toBe(200);
  const mine = await save(suiteId, edition, { ...edition.document, name: "Mine", cases: [] });
  expect([mine.status, mine.body.details.code]).toEqual([409, "STALE_SUITE"]);
  expect(await read(suiteId)).toEqual(theirs.body);
});

it("what is no suite is refused with every finding, and nothing is written", async () => {
  const suiteId = await suiteOf();
  const edition = await read(suiteId);
  const { status, body } = await save(suiteId, edition, { name: " ", cases: [{ title: "x", steps: [] }] });
  expect([status, body.details.code]).toEqual([400, "SUITE_DOCUMENT_INVALID"]);
  expect(body.details.findings).toHaveLength(2);
  expect(await read(suiteId)).toEqual(edition);
});

it("a suite that a file owns is shown and not saved", async () => {
  const suiteId = await suiteOf([one], { origin: "file", declaredId: "shop" });
  const edition = await read(suiteId);
  const { status, body } = await save(suiteId, edition, { ...edition.document, name: "Other" });
  expect([status, body.details.code]).toEqual([409, "FILE_OWNED_SUITE"]);
});

it("a case that shows what one call renders does not become another, and the save says which it is", async () => {
  const call = { id: "call", kind: "toolCall", serverName: "s", toolName: "t", arguments: {} } as const;
  const suiteId = await suiteOf([one, { id: "c_call", steps: [call] }]);
  const edition = await read(suiteId);
  const [first, second] = edition.document.cases;
  const { status, body } = await save(suiteId, edition, {
    ...edition.document,
    cases: [
      { ...first, title: "Changed" },
      { ...second, steps: one.steps },
    ],
  });
  expect([status, body.details.code, body.details.path]).toEqual([
    400,
    "CASE_KIND_FIXED",
    "body.document.cases.1.steps",
  ]);
  expect(await read(suiteId)).toEqual(edition);
});

it("texts that YAML reads as something else come back as they were", async () => {
  const odd = [
    "yes",
    "1.0",
    "null",
    "- a",
    "a: b # c",
    " lead",
    "line\nline\n",
    "2026-01-01",
    "'",
    '"',
    "é\u0085\u2028",
  ];
  const suiteId = await suiteOf(
    odd.map((prompt, at) => askCase(`c_${at}`, prompt, "search_books", { title: prompt.trim() })),
  );
  const edition = await read(suiteId);
  const { document, findings } = await check(suiteId, { text: edition.text });
  expect(findings).toEqual([]);
  expect(document).toEqual(edition.document);
  const saved = await save(suiteId, edition, document!);
  expect([saved.status, saved.body.document]).toEqual([200, edition.document]);
});
