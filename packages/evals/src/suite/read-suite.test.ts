import { limits } from "@fettle/contract/core";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readSuite } from "./read-suite.ts";

type Fields = Record<string, unknown>;

const encode = (text: string) => new TextEncoder().encode(text);
const base = () => ({
  schemaVersion: "1",
  mode: "agentWorkflow",
  reportingMode: "standard",
  suite: { id: "s_orders", name: "Orders smoke" } as Fields,
  target: { servers: [{ name: "orders" }] } as Fields,
  defaults: { model: "fettle/rules-1", repetitions: 3, passThreshold: 0.8, validity: {} } as Fields,
  cases: [
    {
      id: "c_lookup",
      title: "Finds an order",
      steps: [{ id: "p1", kind: "prompt", prompt: "What is the state of order 17?" }] as Fields[],
    } as Fields & { steps: Fields[] },
  ],
});
type Base = ReturnType<typeof base>;

function findingsOf(change: (file: Base & Fields) => void) {
  const file = base();
  change(file);
  const reading = readSuite(encode(stringify(file, { aliasDuplicateObjects: false })));
  return reading.ok ? [] : reading.findings;
}

/** Sets a field of the file by its path; undefined takes it out. */
const put = (path: string, value: unknown) => (file: Fields) => {
  const keys = path.split(".");
  const last = keys.pop()!;
  const within = keys.reduce<Fields>((fields, key) => fields[key] as Fields, file);
  within[last] = value;
};
const addStep = (step: Fields) => (file: Base) => {
  file.cases[0]!.steps.push(step);
};
const assertThat = (assertion: unknown) => addStep({ id: "a1", kind: "assert", assertion });
const interact = (action: unknown) => addStep({ id: "i1", kind: "interact", toolName: "t", action });
const onCase = (fields: Fields) => (file: Base) => {
  Object.assign(file.cases[0]!, fields);
};
const onDefaults = (fields: Fields) => (file: Base) => {
  Object.assign(file.defaults, fields);
};
const provenance = { sourceHash: "a", sourceFormat: "b", reportHash: "c" };
const call = { id: "t1", kind: "toolCall", serverName: "orders", toolName: "get_order", arguments: {} };

describe("a suite file that says what it may", () => {
  test.each<[string, (file: Base & Fields) => void]>([
    ["nothing beyond what is required", () => {}],
    ["a description", put("suite.description", "d")],
    ["an environment instead of servers", put("target", { environment: "staging" })],
    ["a host with an explicitly empty server set", put("target.hosts", [{ name: "h", servers: [] }])],
    ["whose model answers", onDefaults({ modelSource: "suite" })],
    ["an error that is expected", onCase({ expectToolError: { tool: "get_order", contains: "denied" } })],
    ["an error that a call of its own must end in", addStep({ ...call, expectToolError: true })],
    ["a prompt and a temperature", onDefaults({ systemPrompt: "Be brief.", temperature: 0 })],
    ["100 repetitions", onDefaults({ repetitions: 100 })],
    [
      "thresholds 0 and 1",
      (file) => {
        onDefaults({ passThreshold: 0 })(file);
        onCase({ passThreshold: 1 })(file);
      },
    ],
    ["a threshold of 66.7 percent", onDefaults({ passThreshold: 0.667 })],
    ["a threshold of 57 percent, which a double cannot hold", onDefaults({ passThreshold: 0.57 })],
    [
      "validity",
      onDefaults({ validity: { minEligibleTrials: 2, minCompletionRate: 0.5, maxEvaluatorErrorRate: 0 } }),
    ],
    ["a tool policy", onDefaults({ toolPolicy: { mode: "readOnly", allow: ["a"], deny: ["b"] } })],
    ["a capture level", onDefaults({ captureLevel: "full" })],
    ["a disabled case", onCase({ disabled: true, intent: "later" })],
    ["checks", onCase({ checks: [{ type: "noToolErrors", role: "advisory", severity: "warn" }] })],
    ["assertions, their other name", onCase({ assertions: [{ type: "noToolErrors" }] })],
    [
      "an import with provenance",
      (file) => {
        file.provenance = { ...provenance, importedAt: "2026-01-02T03:04:05Z" };
        onCase({ import: { status: "exact", note: "Same words.", sourceCaseKey: "k" } })(file);
      },
    ],
    [
      "every kind of step",
      (file) => {
        addStep(call)(file);
        interact({
          kind: "click",
          target: { role: { role: "button", name: "Buy" }, nth: 1 },
          clickType: "double",
        })(file);
        assertThat({ kind: "textVisible", toolName: "t", text: "x" })(file);
      },
    ],
    [
      "arguments with any key",
      addStep({ ...call, arguments: JSON.parse('{"__proto__": {"a": [1, null]}}') }),
    ],
    ["operators that can be asked", assertThat(called({ a: { $gte: 1, $lte: 1 }, b: { $oneOf: [null] } }))],
    [
      "dollar signs that are data: compared exactly, or below where nothing is read",
      (file) => {
        assertThat(called({ a: { $foo: 1 } }, { argumentMatching: "exact" }))(file);
        addStep({ id: "a2", kind: "assert", assertion: called({ where: { age: { $gt: 1 } } }) })(file);
      },
    ],
    ["a bare model beside its provider", onDefaults({ model: "gpt-5", provider: "openai" })],
    ["a model of an own endpoint", onDefaults({ model: "custom:vllm:qwen3" })],
    [
      "a call to a server of the environment",
      (file) => {
        file.target = { environment: "staging" };
        addStep({ ...call, serverName: "whatever" })(file);
      },
    ],
    [
      "a call to a server of a host",
      (file) => {
        put("target.hosts", [{ name: "h", servers: [{ name: "mail" }] }])(file);
        addStep({ ...call, serverName: "mail" })(file);
      },
    ],
    [
      "a schema with everything in it",
      assertThat(
        fits({
          $defs: { n: { type: ["number", "null"], minimum: 0 } },
          type: "object",
          properties: { n: { $ref: "#/$defs/n" }, type: true, list: { items: false, uniqueItems: true } },
          patternProperties: { "^x-": { const: 1 } },
          required: ["n"],
          additionalProperties: false,
          "x-mine": "kept",
        }),
      ),
    ],
    ["two cases of one title", (file) => void file.cases.push({ ...file.cases[0]!, id: "c_2" })],
  ])("%s is valid", (_, change) => {
    expect(findingsOf(change)).toEqual([]);
  });

  test("JSON is accepted, and a byte order mark before it", () => {
    expect(readSuite(encode(`\ufeff${JSON.stringify(base())}`)).ok).toBe(true);
  });

  test("a key named __proto__ reaches the call as it was written", () => {
    const file = base();
    file.cases[0]!.steps.push({ ...call, arguments: JSON.parse('{"__proto__": 1}') });
    const reading = readSuite(encode(JSON.stringify(file)));
    const step = reading.ok ? reading.suite.cases[0]!.steps[1] : undefined;
    expect(step?.kind === "toolCall" && JSON.stringify(step.arguments)).toBe('{"__proto__":1}');
  });

  test("nothing is filled in", () => {
    const reading = readSuite(encode(stringify(base())));
    expect(reading.ok && reading.suite).toEqual(base());
  });

  test("an anchor is followed", () => {
    const text = stringify(base()).replace("name: Orders smoke", "name: &n Orders smoke\n  description: *n");
    const reading = readSuite(encode(text));
    expect(reading.ok && reading.suite.suite.description).toBe("Orders smoke");
  });
});

const called = (args: Fields, more: Fields = {}) => ({
  type: "toolCalledWith",
  toolName: "t",
  args: { args, ...more },
});
const fits = (schema: Fields) => ({ type: "toolResultMatchesSchema", toolName: "t", schema });

/** Whatever can only ever fail, or cannot be asked at all. */
const operandFaults: [string, Fields, string, RegExp][] = [
  ["a $regex that does not compile", called({ a: { $regex: "(" } }), ".args.args.a.$regex", /expression/],
  ["a $regex that is no text", called({ a: { $regex: 3 } }), ".args.args.a.$regex", /must be a text/],
  ["a $regex that looks ahead", called({ a: { $regex: "(?=a)" } }), ".args.args.a.$regex", /ahead/],
  ["an unknown operator", called({ a: { $foo: 1 } }), ".args.args.a.$foo", /\$regex, \$oneOf/],
  ["one among fields", called({ a: { $gte: 1, b: 2 } }), ".args.args.a.b", /beside an operator/],
  ["a $oneOf that is no list", called({ a: { $oneOf: 3 } }), ".args.args.a.$oneOf", /must be a list/],
  ["a $oneOf of nothing", called({ a: { $oneOf: [] } }), ".args.args.a.$oneOf", /never/],
  ["a $contains of nothing", called({ a: { $contains: "" } }), ".args.args.a.$contains", /every text/],
  ["a $gte that is no number", called({ a: { $gte: "3" } }), ".args.args.a.$gte", /must be a number/],
  ["a $lte that is no number", called({ a: { $lte: null } }), ".args.args.a.$lte", /must be a number/],
  ["bounds with nothing between", called({ a: { $gte: 3, $lte: 2 } }), ".args.args.a.$lte", /nothing/],
  [
    "an operator below, where it is read",
    called({ a: { b: { $foo: 1 } } }, { deep: true }),
    ".args.args.a.b.$foo",
    /no operator/,
  ],
  ["a severity that decides", { type: "noToolErrors", severity: "warn" }, ".severity", /advisory/],
  ["a schema of no type", fits({ type: "objekt" }), ".schema.type", /must be/],
  ["a schema below", fits({ properties: { a: { type: 3 } } }), ".schema.properties.a.type", /must be/],
  ["a schema with names for a number", fits({ required: "a" }), ".schema.required", /list of texts/],
  ["a schema with a pattern", fits({ items: { pattern: "(" } }), ".schema.items.pattern", /expression/],
  ["a schema of others", fits({ anyOf: [{ enum: 1 }] }), ".schema.anyOf[0].enum", /list/],
  ["a schema with a word for a bound", fits({ minLength: "3" }), ".schema.minLength", /number/],
  ["a schema elsewhere", fits({ $ref: "https://example.com/s" }), ".schema.$ref", /in this schema/],
  ["a schema of nowhere", fits({ items: { $ref: "#/$defs/x" } }), ".schema.items.$ref", /nothing/],
  ["a secret's pattern", { type: "noSecretsInResponse", patterns: ["a", "["] }, ".patterns[1]", /expression/],
  ["a pattern that refers back", { type: "responseMatches", pattern: "(a)\\1" }, ".pattern", /refers back/],
];

describe("a suite file with a fault", () => {
  test.each<[string, (file: Base & Fields) => void, string, string | RegExp]>([
    ["no version", put("schemaVersion", undefined), "schemaVersion", /must be "1"/],
    ["a newer version", put("schemaVersion", "2"), "schemaVersion", /upgrade/],
    ["a version that is a number", put("schemaVersion", 1), "schemaVersion", /in quotes/],
    ["a reserved mode", put("mode", "serverContract"), "mode", /reserved/],
    ["an unknown mode", put("mode", "x"), "mode", 'must be "agentWorkflow".'],
    ["a reserved reporting mode", put("reportingMode", "restricted"), "reportingMode", /reserved/],
    ["another reserved reporting mode", put("reportingMode", "summary"), "reportingMode", /reserved/],
    ["an unknown key at the top", put("extra", 1), "extra", '"extra" is no field here.'],
    ["an unknown key within", put("suite.nam", "x"), "suite.nam", '"nam" is no field here.'],
    ["no suite id", put("suite.id", undefined), "suite.id", "is required."],
    ["an id that is none", put("suite.id", "a b"), "suite.id", /is no id/],
    ["an id of 129", put("suite.id", "a".repeat(129)), "suite.id", /is no id/],
    ["an empty name", put("suite.name", ""), "suite.name", "is blank."],
    ["a blank name", put("suite.name", " "), "suite.name", "is blank."],
    ["a name of 201", put("suite.name", "a".repeat(201)), "suite.name", /at most 200/],
    ["no target", put("target", {}), "target", /give servers or environment/],
    ["hosts alone", put("target", { hosts: [{ name: "h" }] }), "target", /give servers or/],
    ["no servers", put("target.servers", []), "target.servers", /at least 1 entry/],
    ["no hosts", put("target.hosts", []), "target.hosts", /at least 1 entry/],
    ["no model", put("defaults.model", undefined), "defaults.model", "is required."],
    ["no repetitions", put("defaults.repetitions", undefined), "defaults.repetitions", "is required."],
    ["0 repetitions", onDefaults({ repetitions: 0 }), "defaults.repetitions", "must be at least 1."],
    ["101 repetitions", onDefaults({ repetitions: 101 }), "defaults.repetitions", "must be at most 100."],
    [
      "half a repetition",
      onDefaults({ repetitions: 1.5 }),
      "defaults.repetitions",
      "must be a whole number.",
    ],
    ["repetitions as text", onDefaults({ repetitions: "3" }), "defaults.repetitions", "must be a number."],
    [
      "a threshold in percent",
      onDefaults({ passThreshold: 80 }),
      "defaults.passThreshold",
      "must be at most 1.",
    ],
    [
      "a source of models that is none",
      onDefaults({ modelSource: "client" }),
      "defaults.modelSource",
      'must be one of "target", "suite".',
    ],
    [
      "an expected error that is false",
      onCase({ expectToolError: false }),
      "cases[0].expectToolError",
      "must be true, or an object with tool, contains or both.",
    ],
    [
      "an expected error that names nothing",
      onCase({ expectToolError: {} }),
      "cases[0].expectToolError",
      /give tool, contains or both/,
    ],
    [
      "an expected error where no tool may be called",
      onCase({ expectToolError: true, isNegativeTest: true }),
      "cases[0].expectToolError",
      /keep one/,
    ],
    [
      "an expected error of a step where no tool may be called",
      (file) => {
        onCase({ isNegativeTest: true })(file);
        addStep({ id: "p2", kind: "prompt", prompt: "x", expectToolError: true })(file);
      },
      "cases[0].steps[1].expectToolError",
      /keep one/,
    ],
    ["no validity", put("defaults.validity", undefined), "defaults.validity", "is required."],
    [
      "validity of 0 trials",
      onDefaults({ validity: { minEligibleTrials: 0 } }),
      "defaults.validity.minEligibleTrials",
      /at least 1/,
    ],
    [
      "a policy without a mode",
      onDefaults({ toolPolicy: {} }),
      "defaults.toolPolicy.mode",
      /is required: one of "default", "readOnly"/,
    ],
    [
      "an empty name in a policy",
      onDefaults({ toolPolicy: { mode: "default", deny: [""] } }),
      "defaults.toolPolicy.deny[0]",
      /at least 1/,
    ],
    ["a reserved capture level", onDefaults({ captureLevel: "none" }), "defaults.captureLevel", /reserved/],
    [
      "a temperature that is no number",
      onDefaults({ temperature: Number.NaN }),
      "defaults.temperature",
      "must be a number.",
    ],
    [
      "provenance without its hashes",
      put("provenance", { sourceFormat: "x", sourceHash: "y" }),
      "provenance.reportHash",
      "is required.",
    ],
    [
      "an import date that is none",
      put("provenance", { ...provenance, importedAt: "yesterday" }),
      "provenance.importedAt",
      /ISO date/,
    ],
    ["no cases", put("cases", []), "cases", /at least 1 entry/],
    [
      "501 cases",
      put(
        "cases",
        Array.from({ length: 501 }, (_, i) => ({ ...base().cases[0]!, id: `c${i}` })),
      ),
      "cases",
      /at most 500/,
    ],
    ["a case id twice", (file) => void file.cases.push({ ...file.cases[0]! }), "cases[1].id", /earlier case/],
    ["no title", onCase({ title: undefined }), "cases[0].title", "is required."],
    ["no steps", onCase({ steps: [] }), "cases[0].steps", /at least 1 entry/],
    [
      "201 steps",
      onCase({
        steps: Array.from({ length: 201 }, (_, i) => ({ id: `s${i}`, kind: "prompt", prompt: "x" })),
      }),
      "cases[0].steps",
      /at most 200/,
    ],
    [
      "a step id twice",
      addStep({ id: "p1", kind: "prompt", prompt: "x" }),
      "cases[0].steps[1].id",
      /earlier step/,
    ],
    [
      "a step without an id",
      addStep({ id: "", kind: "prompt", prompt: "x" }),
      "cases[0].steps[1].id",
      /at least 1/,
    ],
    ["an unknown kind of step", addStep({ id: "x", kind: "think" }), "cases[0].steps[1].kind", /must be/],
    ["a step without a kind", addStep({ id: "x" }), "cases[0].steps[1].kind", /is required/],
    [
      "51 checks",
      onCase({ checks: Array(51).fill({ type: "noToolErrors" }) }),
      "cases[0].checks",
      /at most 50/,
    ],
    ["checks and assertions", onCase({ checks: [], assertions: [] }), "cases[0]", /two names/],
    [
      "an import without provenance",
      onCase({ import: { status: "approximated" } }),
      "cases[0].import",
      /provenance/,
    ],
    [
      "exact without a note",
      (file) => {
        file.provenance = provenance;
        onCase({ import: { status: "exact" } })(file);
      },
      "cases[0].import",
      /give a note/,
    ],
    [
      "a blank note",
      (file) => {
        file.provenance = provenance;
        onCase({ import: { status: "exact", note: " " } })(file);
      },
      "cases[0].import.note",
      "is blank.",
    ],
    [
      "a source key of 513",
      (file) => {
        file.provenance = provenance;
        onCase({ import: { status: "approximated", sourceCaseKey: "k".repeat(513) } })(file);
      },
      "cases[0].import.sourceCaseKey",
      /at most 512/,
    ],
    [
      "an unknown import status",
      (file) => {
        file.provenance = provenance;
        onCase({ import: { status: "good" } })(file);
      },
      "cases[0].import.status",
      /must be one of "exact"/,
    ],
    ["a disabled that is text", onCase({ disabled: "false" }), "cases[0].disabled", "must be a boolean."],
    [
      "a call without a server",
      addStep({ ...call, serverName: undefined }),
      "cases[0].steps[1].serverName",
      "is required.",
    ],
    [
      "a call with arguments that are a list",
      addStep({ ...call, arguments: [] }),
      "cases[0].steps[1].arguments",
      /object of JSON values/,
    ],
    [
      "a call with infinity",
      addStep({ ...call, arguments: { a: Number.POSITIVE_INFINITY } }),
      "cases[0].steps[1].arguments",
      /object of JSON values/,
    ],
    [
      "a call with 100,001 characters",
      addStep({ ...call, arguments: { a: "x".repeat(99_993) } }),
      "cases[0].steps[1].arguments",
      /longer than 100000/,
    ],
    [
      "a render timeout of 120,001",
      addStep({ ...call, renderTimeoutMs: 120_001 }),
      "cases[0].steps[1].renderTimeoutMs",
      /at most 120000/,
    ],
    [
      "an assertion of both kinds",
      assertThat({ type: "noToolErrors", kind: "textVisible" }),
      "cases[0].steps[1].assertion",
      /has both/,
    ],
    [
      "an assertion of none",
      assertThat({}),
      "cases[0].steps[1].assertion.type",
      /is required: one of "toolCalledWith"/,
    ],
    ["no assertion", addStep({ id: "a", kind: "assert" }), "cases[0].steps[1].assertion", "is required."],
    [
      "an unknown predicate",
      assertThat({ type: "isGood" }),
      "cases[0].steps[1].assertion.type",
      /must be one of/,
    ],
    [
      "an unknown key in a predicate",
      assertThat({ type: "noToolErrors", x: 1 }),
      "cases[0].steps[1].assertion.x",
      /no field/,
    ],
    [
      "an unknown widget assertion",
      assertThat({ kind: "x" }),
      "cases[0].steps[1].assertion.kind",
      /must be one of/,
    ],
    [
      "a pattern that does not compile",
      assertThat({ type: "responseMatches", pattern: "(" }),
      "cases[0].steps[1].assertion.pattern",
      /regular expression/,
    ],
    [
      "a pattern that takes forever",
      assertThat({ type: "responseMatches", pattern: "(a+)+$" }),
      "cases[0].steps[1].assertion.pattern",
      /forever/,
    ],
    ...operandFaults.map(
      ([name, assertion, pointer, message]): [string, (file: Base & Fields) => void, string, RegExp] => [
        name,
        assertThat(assertion),
        `cases[0].steps[1].assertion${pointer}`,
        message,
      ],
    ),
    ["a model that nobody serves", onDefaults({ model: "gpt-5" }), "defaults.model", /who serves/],
    ["a provider that nobody is", onDefaults({ model: "acme/x" }), "defaults.model", /No provider/],
    ["a built-in model that is none", onCase({ model: "fettle/rules-9" }), "cases[0].model", /no built-in/],
    ["a recording for a model", onDefaults({ model: "replay/x" }), "defaults.model", /--cassette replay/],
    [
      "a provider beside its own name",
      onDefaults({ model: "gpt-5", provider: "acme" }),
      "defaults.provider",
      /No provider/,
    ],
    [
      "a call to a server that is not declared",
      addStep({ ...call, serverName: "mail" }),
      "cases[0].steps[1].serverName",
      /"mail" is none of target.servers: orders/,
    ],
    [
      "a server twice",
      put("target.servers", [{ name: "orders" }, { name: "orders" }]),
      "target.servers[1].name",
      /earlier server/,
    ],
    [
      "a server's id twice",
      put("target.servers", [
        { name: "orders", id: "a" },
        { name: "mail", id: "a" },
      ]),
      "target.servers[1].id",
      /earlier server/,
    ],
    [
      "a host twice",
      put("target.hosts", [{ name: "h" }, { name: "h" }]),
      "target.hosts[1].name",
      /earlier host/,
    ],
    [
      "a server twice in a host",
      put("target.hosts", [{ name: "h", servers: [{ name: "a" }, { name: "a" }] }]),
      "target.hosts[0].servers[1].name",
      /earlier server/,
    ],
    [
      "a tool both allowed and denied",
      onDefaults({ toolPolicy: { mode: "default", allow: ["a"], deny: ["b", "a"] } }),
      "defaults.toolPolicy.deny[1]",
      /allowed too/,
    ],
    [
      "an empty needle",
      assertThat({ type: "responseContains", needle: "" }),
      "cases[0].steps[1].assertion.needle",
      /at least 1/,
    ],
    [
      "a count of 0",
      assertThat({ type: "toolCalledWith", toolName: "t", args: { args: {} }, minCount: 0 }),
      "cases[0].steps[1].assertion.minCount",
      /at least 1/,
    ],
    [
      "a locator of nothing",
      interact({ kind: "click", target: { nth: 0 } }),
      "cases[0].steps[1].action.target",
      /names nothing/,
    ],
    [
      "5,001 characters to type",
      interact({ kind: "type", target: { css: "a" }, text: "x".repeat(5001) }),
      "cases[0].steps[1].action.text",
      /at most 5000/,
    ],
    [
      "a wait of 30,001",
      interact({ kind: "wait", ms: 30_001 }),
      "cases[0].steps[1].action.ms",
      /at most 30000/,
    ],
    ["an unknown action", interact({ kind: "hover" }), "cases[0].steps[1].action.kind", /must be one of/],
  ])("%s is told at its place", (_, change, pointer, message) => {
    const findings = findingsOf(change);
    expect(findings.map((finding) => [finding.code, finding.pointer])).toEqual([
      ["SUITE_FILE_INVALID", pointer],
    ]);
    expect(findings[0]!.message).toMatch(message);
    expect(findings[0]!.location?.line).toBeGreaterThan(0);
  });

  test.each([0.6667, 0.12345, 1e-7, 0.8001])("a threshold of %s is refused, not rounded", (passThreshold) => {
    for (const change of [onDefaults({ passThreshold }), onCase({ passThreshold })]) {
      expect(findingsOf(change).map(({ code }) => code)).toEqual(["PASS_THRESHOLD_NOT_REPRESENTABLE"]);
    }
  });

  test("line and column point at the key", () => {
    const [finding] = findingsOf(onDefaults({ repetitions: 0 }));
    expect(finding?.location).toEqual({ line: 12, column: 3 });
  });

  test("all findings are told at once, in the order of the file, twice the same bytes", () => {
    const change = (file: Base & Fields) => {
      file.zzz = 1;
      file.suite.id = "!";
      file.cases.push({ id: "c_lookup", title: "", steps: [] });
      file.defaults.repetitions = 0;
    };
    const findings = findingsOf(change);
    expect(findings.map(({ pointer }) => pointer)).toEqual([
      "suite.id",
      "defaults.repetitions",
      "cases[1].id",
      "cases[1].title",
      "cases[1].steps",
      "zzz",
    ]);
    expect(JSON.stringify(findingsOf(change))).toBe(JSON.stringify(findings));
  });
});

describe("what is no document", () => {
  const big = `schemaVersion: "1" #${"x".repeat(limits.suiteFile.maxBytes)}`;
  test.each<[string, string | Uint8Array, string, string]>([
    ["too large", big, "SUITE_FILE_TOO_LARGE", "input"],
    ["nothing", "", "SUITE_FILE_EMPTY", "parse"],
    ["a comment", "# later\n", "SUITE_FILE_EMPTY", "parse"],
    ["null", "null\n", "SUITE_FILE_EMPTY", "parse"],
    ["a mark", "---\n", "SUITE_FILE_EMPTY", "parse"],
    ["no YAML", "a: [1,\nb: }", "SUITE_FILE_YAML_INVALID", "parse"],
    ["a key twice", "a: 1\na: 2\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["a tag of a program", "a: !!js/function 'x'\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["an alias of nothing", "a: *b\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["an alias of itself", "a: &a [*a]\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["a merge key", "a: &a { b: 1 }\nc: { <<: *a }\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["a key that is no text", "1: a\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["a number that loses digits", "a: 12345678901234567890\n", "SUITE_FILE_YAML_INVALID", "parse"],
    ["not UTF-8", new Uint8Array([0x61, 0x3a, 0x20, 0xff]), "SUITE_FILE_YAML_INVALID", "parse"],
    ["two documents", "a: 1\n---\nb: 2\n", "SUITE_FILE_MULTIPLE_DOCUMENTS", "parse"],
    ["a list", "- a\n", "SUITE_FILE_INVALID", "contract"],
    ["a text", "hello\n", "SUITE_FILE_INVALID", "contract"],
  ])("%s", (_, input, code, stage) => {
    const reading = readSuite(typeof input === "string" ? encode(input) : input);
    expect(reading.ok).toBe(false);
    if (!reading.ok) expect([reading.findings[0]!.code, reading.stage]).toEqual([code, stage]);
  });

  const deep = (levels: number) => `${"{a: ".repeat(levels)}1${"}".repeat(levels)}`;
  test.each([
    ["a level too many", deep(limits.suiteFile.maxDepth + 1)],
    ["far more levels than the parser can take", deep(5_000)],
    ["as many lists", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["lists that do not end", "[".repeat(200_000)],
    ["lists in lines", "- ".repeat(20_000)],
  ])("%s: too deep, told once and in our words", (_, text) => {
    const reading = readSuite(encode(text));
    expect(!reading.ok && reading.findings.map(({ message }) => message)).toEqual([
      `The file is nested more than ${limits.suiteFile.maxDepth} levels deep.`,
    ]);
  });

  test("as many levels as allowed are read", () => {
    const args = JSON.parse(`{"a": ${deep(limits.suiteFile.maxDepth - 6).replaceAll("a", '"a"')}}`);
    expect(findingsOf(addStep({ ...call, arguments: args }))).toEqual([]);
  });

  test("exactly the largest size is read, one byte more is not", () => {
    const text = stringify(base());
    const fill = (bytes: number) => encode(`${text}#${"x".repeat(bytes - text.length - 1)}`);
    expect(readSuite(fill(limits.suiteFile.maxBytes)).ok).toBe(true);
    expect(readSuite(fill(limits.suiteFile.maxBytes + 1)).ok).toBe(false);
  });

  test("a short file that would grow to petabytes is refused at once", () => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(", ")}]`,
    );
    const reading = readSuite(encode(`l0: &l0 x\n${levels.join("\n")}\n`));
    expect(!reading.ok && reading.findings[0]!.message).toMatch(/repeats anchors more than 100 times/);
  });

  test("a file of very many faults is told in full, and in the time of one that has few", () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`);
    const reading = readSuite(encode(keys.join("\n")));
    expect(
      !reading.ok && reading.findings.filter(({ message }) => message.includes("no field here")).length,
    ).toBe(60_000);
  });

  test("malformed YAML says where", () => {
    const reading = readSuite(encode("a: 1\nb: [\n"));
    expect(!reading.ok && reading.findings[0]!.location?.line).toBeGreaterThan(1);
  });
});
