import { createServer } from "node:http";
import { escapeHidden } from "@fettle/contract/formats";
import { describe, expect, test } from "vitest";
import { call, scriptedModel } from "../agent/testing/scripted-model.ts";
import { said, startTinyServer, type TinyTool } from "../agent/testing/tiny-server.ts";
import { type Model, ModelError } from "../models/model.ts";
import { failedAdvice } from "../report/advice.ts";
import { evalReportOf, reasonOf, sensitivityOf } from "../report/eval-report.ts";
import { evalHtml } from "../report/html.ts";
import { evalMarkdown, githubAnnotations } from "../report/markdown.ts";
import type { SuiteCase, SuiteFile } from "../suite/suite-file.ts";
import { runSuite, type SuiteRun } from "./run-suite.ts";

const lookup: SuiteCase = {
  id: "c_lookup",
  title: "Looks up",
  steps: [
    { id: "ask", kind: "prompt", prompt: "Order 17?" },
    { id: "called", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName: "get_order" } },
  ],
};
const suiteOf = (cases: SuiteCase[], defaults: Partial<SuiteFile["defaults"]> = {}): SuiteFile => ({
  schemaVersion: "1",
  mode: "agentWorkflow",
  reportingMode: "standard",
  suite: { id: "s_1", name: "Suite <b>one</b>" },
  target: { servers: [{ name: "orders" }] },
  defaults: { model: "test/scripted", repetitions: 1, passThreshold: 1, validity: {}, ...defaults },
  cases,
});
const orders = {
  get_order: { run: () => ({ content: [{ type: "text", text: "shipped" }] }) },
} satisfies Record<string, TinyTool>;

/** Calls the tool when it is asked something new, and answers when the tool has; however many conversations there are. */
function lookingUp(fields: Partial<Model> & { says?: (isNew: boolean) => string | undefined } = {}): Model {
  const { says, ...facts } = fields;
  return {
    id: "test/scripted",
    provider: "test",
    modelClass: "live",
    deterministic: true,
    ...facts,
    async generate({ messages }) {
      const isNew = messages.at(-1)?.role === "user";
      const text = says?.(isNew) ?? (isNew ? undefined : "Shipped.");
      const parts = text === undefined ? [call("get_order")] : [{ type: "text" as const, text }];
      const finishReason = text === undefined ? "tool-calls" : "stop";
      return { parts, finishReason, usage: { input: 10, output: 5, total: 15 }, warnings: [] };
    },
  };
}

/** A suite file whose cases all begin at one line. */
const inFile = (file: string) => ({ file, lineOf: () => 7 });

async function play(
  cases: SuiteCase[],
  fields: Partial<SuiteRun> & { defaults?: Partial<SuiteFile["defaults"]> } = {},
  tools: Record<string, TinyTool> = orders,
) {
  await using server = await startTinyServer("orders", tools);
  const { defaults, ...run } = fields;
  return await runSuite({
    id: "er_1",
    suite: suiteOf(cases, defaults),
    cases,
    bindings: [server.binding],
    openModel: () => lookingUp(),
    signal: new AbortController().signal,
    now: 1_700_000_000_000,
    ...run,
  });
}

describe("a run", () => {
  test("a model that may answer otherwise is asked as often as the file says, and the rate is told with its interval", async () => {
    let conversations = 0;
    const model = lookingUp({
      deterministic: false,
      says: (isNew) => (isNew && ++conversations % 5 === 0 ? "I do not know." : undefined),
    });
    const openModel = () => model;
    const record = await play([lookup], {
      openModel,
      defaults: { repetitions: 10, passThreshold: 0.8 },
      concurrency: 1,
    });
    const [{ summary }] = record.cases as [(typeof record.cases)[0]];
    expect(record.facts.result).toBe("passed");
    expect([summary.passed, summary.eligible, summary.mixed]).toEqual([8, 10, true]);
    expect(summary.interval?.lower).toBeCloseTo(0.4902, 3);
    // Of 8 in 10, three at once: 8/10 times 7/9 times 6/8.
    expect(summary.inARow).toMatchObject({ k: 3, all: { point: expect.closeTo(0.4667, 3) } });
    expect(sensitivityOf(record)).toMatchObject({ unit: "repetitions", total: 10, passed: 8 });
    expect(evalReportOf(record).metadata.repetitionsCollapsed).toBe(false);
  });

  test("a model that always does the same is asked once, and that is said", async () => {
    const record = await play([lookup], { defaults: { repetitions: 10 } });
    expect(record.cases[0]!.iterations).toHaveLength(1);
    expect(record.repetitionsCollapsed).toBe(true);
    expect(record.warnings).toContain(
      "test/scripted always does the same, so that each case was played once.",
    );
  });

  test("a file whose cases are partly disabled says how many were not played", async () => {
    const off = { ...lookup, id: "c_off", disabled: true };
    const record = await play([lookup], { suite: suiteOf([lookup, off]) });
    expect(record.warnings).toContain("1 of the file's 2 cases is disabled and was not played.");
    expect((await play([lookup])).warnings.join()).not.toContain("disabled");
  });

  test("what a recording holds is played as often as it was recorded: more would be copies", async () => {
    const record = await play([lookup], {
      openModel: () => lookingUp({ deterministic: false, modelClass: "replay", recordings: 2 }),
      defaults: { repetitions: 10 },
    });
    expect(record.cases[0]!.summary).toMatchObject({ configured: 2, eligible: 2 });
    expect(record.repetitionsCollapsed).toBe(true);
    expect(record.warnings).toContain(
      "2 repetitions of test/scripted are recorded, so that each case was played twice: more would be copies.",
    );
  });

  test("what advisory checks found is told in every report, and decides nothing", async () => {
    const advised: SuiteCase = {
      ...lookup,
      checks: [{ type: "responseContains", needle: "Thank you", role: "advisory" }],
    };
    const record = await play([advised], {
      openModel: () => lookingUp({ deterministic: false }),
      repetitions: 2,
    });
    expect(record.facts.result).toBe("passed");
    const [told] = failedAdvice(record.cases);
    expect(told).toMatchObject({ caseKey: "c_lookup", failed: 2, of: 2 });
    expect(evalReportOf(record).cases[0]!.details).toMatchObject({ advice: [{ failed: 2 }] });
    const annotations = githubAnnotations(record, inFile("suite.yaml"));
    expect(annotations).toMatch(/^::notice .*Looks up.*Thank you.*2 of 2/m);
    for (const text of [evalHtml(record), evalMarkdown(record)]) expect(text).toMatch(/Thank you.*2 of 2/s);
  });

  test.each<[string, Partial<Awaited<ReturnType<Model["generate"]>>>, SuiteRun["limits"], RegExp]>([
    ["a loop", {}, { repeats: 2 }, /same call .* same result/],
    ["a limit", {}, { steps: 2, repeats: 99 }, /as many steps as one turn may/],
  ])("%s is told wherever the failure is", async (_, answer, limits, why) => {
    const model: Model = {
      ...lookingUp(),
      generate: async () => ({
        parts: [call("get_order")],
        finishReason: "tool-calls",
        usage: {},
        warnings: [],
        ...answer,
      }),
    };
    const item: SuiteCase = { ...lookup, checks: [{ type: "responseContains", needle: "Shipped" }] };
    const record = await play([item], { openModel: () => model, limits });
    expect(record.facts.result).toBe("failed");
    expect(record.cases[0]!.iterations[0]!.facts.error).toMatch(why);
    expect(record.warnings.join("\n")).toMatch(why);
  });

  test("a failed assertion ends the conversation there", async () => {
    const item: SuiteCase = {
      ...lookup,
      steps: [...lookup.steps, { id: "again", kind: "prompt", prompt: "And 18?" }],
    };
    const model = scriptedModel(["No idea."]);
    const record = await play([item], { openModel: () => model });
    expect(record.facts.result).toBe("failed");
    expect(model.requests).toHaveLength(1);
    expect(record.cases[0]!.iterations[0]!.grade?.steps.at(-1)).toMatchObject({
      stepId: "again",
      status: "skipped",
    });
  });

  test("one server that cannot be reached leaves its cases without a verdict, and fails none", async () => {
    const { port, close } = await closedPort();
    await close();
    const { parseTarget } = await import("@fettle/mcp");
    const record = await play([lookup], {
      bindings: [{ name: "orders", target: parseTarget({ url: `http://127.0.0.1:${port}/mcp` }) }],
    });
    expect(record.facts.result).toBe("inconclusive");
    expect(record.cases[0]!.facts.iterations[0]).toMatchObject({ status: "setup_failed", result: null });
  });

  test("stopped in the middle, it is cancelled, and what was not begun is not counted", async () => {
    const stop = new AbortController();
    const openModel = () =>
      scriptedModel(
        [
          () => {
            stop.abort();
            return "late";
          },
        ],
        { deterministic: false },
      );
    const record = await play([lookup], {
      openModel,
      signal: stop.signal,
      concurrency: 1,
      defaults: { repetitions: 4 },
    });
    expect([record.facts.status, record.facts.result]).toEqual(["cancelled", null]);
    expect(record.cases[0]!.facts.verdict).toBe("inconclusive");
  });

  test("a repetition that takes too long is timed out, and no failure", async () => {
    const slow = { get_order: { run: () => new Promise<never>(() => {}) } };
    const record = await play([lookup], { iterationMs: 500 }, slow);
    expect(record.cases[0]!.facts.iterations[0]).toMatchObject({
      status: "timed_out",
      error: expect.stringMatching(/did not end within 500 ms/),
    });
    expect(record.facts.result).toBe("inconclusive");
  });

  test("a run whose time is over is timed out, not cancelled, and what was not begun is said to be skipped", async () => {
    const slow = { get_order: { run: () => new Promise<never>(() => {}) } };
    const record = await play(
      [lookup],
      {
        openModel: () => lookingUp({ deterministic: false }),
        signal: AbortSignal.timeout(500),
        concurrency: 1,
        repetitions: 2,
      },
      slow,
    );
    expect([record.facts.status, record.facts.result]).toEqual(["timed_out", null]);
    expect(record.cases[0]!.facts.iterations.map(({ status }) => status)).toEqual(["timed_out", "skipped"]);
    expect(reasonOf(record)).toBe("The time for the run was over before it was done; --timeout allows more.");
  });

  test("an error of a tool is not given as the reason why the time was over", async () => {
    const answers = [{ ...said("no such order"), isError: true }];
    const tools = { get_order: { run: () => answers.shift() ?? new Promise<never>(() => {}) } };
    const model = scriptedModel([[call("get_order")], [call("get_order", { again: true })]]);
    const record = await play([lookup], { openModel: () => model, limits: { turnMs: 500 } }, tools);
    expect(record.cases[0]!.iterations[0]!.facts).toMatchObject({
      status: "timed_out",
      error: "A turn did not end within 500 ms.",
    });
  });

  test("few transcripts are kept of many repetitions", async () => {
    const openModel = () => lookingUp({ deterministic: false });
    const record = await play([lookup], { openModel, defaults: { repetitions: 30 } });
    expect(record.cases[0]!.iterations.filter(({ trace }) => trace !== undefined)).toHaveLength(1);
  });

  test("an assertion about a tool that no server has is told", async () => {
    const item: SuiteCase = { ...lookup, checks: [{ type: "toolNeverCalled", toolName: "delete_order" }] };
    expect((await play([item])).warnings).toContain(
      'c_lookup asks about the tool "delete_order", which no server has.',
    );
  });
});

test("a check that was never reached is the reason of the failure, in every report", async () => {
  const record = await play([{ ...lookup, steps: lookup.steps.slice(1) }]);
  const why = "the conversation ended before it";
  expect(record.cases[0]!.iterations[0]!.facts).toMatchObject({ result: "failed", error: why });
  expect(evalReportOf(record).cases[0]).toMatchObject({ passed: false, error: why });
  for (const text of [
    evalHtml(record),
    evalMarkdown(record),
    githubAnnotations(record, inFile("suite.yaml")),
  ]) {
    expect(text).toContain(why);
  }
});

describe("what proves nothing about the server is no verdict", () => {
  test("why there is none is said in words, not in the names of reasons", async () => {
    const lost: Model = {
      ...lookingUp(),
      generate: () => Promise.reject(new ModelError("MODEL_CONNECTION", "gone")),
    };
    const record = await play([lookup], { openModel: () => lost });
    expect(record.facts.reasons).toContain("noGradeableTrials");
    expect(reasonOf(record)).toBe("Nothing is shown: no repetition came to a result.");
    const half = await play([lookup, { ...lookup, id: "c_2" }], {
      openModel: () => lookingUp(),
      defaults: { validity: { minEligibleTrials: 3 } },
    });
    expect(reasonOf(half)).toBe(
      "Nothing is shown: fewer repetitions came to a result than validity.minEligibleTrials asks for.",
    );
  });

  const matches = (role?: "advisory") => ({
    type: "responseMatches" as const,
    pattern: "(?:a?){300}b",
    ...(role && { role }),
  });
  const talksLong = () => lookingUp({ says: (isNew) => (isNew ? undefined : "a".repeat(50_000)) });
  const step = (assertion: ReturnType<typeof matches>): SuiteCase => ({
    ...lookup,
    steps: [...lookup.steps, { id: "last", kind: "assert", assertion }],
  });

  test.each<[string, SuiteCase]>([
    ["a check", { ...lookup, checks: [matches()] }],
    ["a step", step(matches())],
  ])("a pattern of %s that takes too long is an evaluator's error", async (_, item) => {
    const record = await play([item], { openModel: talksLong });
    expect(record.facts.result).toBe("inconclusive");
    expect(record.cases[0]!.summary.excluded).toEqual({ evaluatorError: 1 });
    expect(record.cases[0]!.iterations[0]!.facts.error).toMatch(/too many steps/);
  });

  test.each<[string, SuiteCase]>([
    ["a check", { ...lookup, checks: [matches("advisory")] }],
    ["a step", step(matches("advisory"))],
  ])("of an advisory one (%s) it is told, and decides nothing", async (_, item) => {
    const record = await play([item], { openModel: talksLong });
    expect(record.facts.result).toBe("passed");
    expect(record.cases[0]!.iterations[0]!.facts.scores).toContainEqual(
      expect.objectContaining({ status: "skipped", rationale: expect.stringMatching(/too many steps/) }),
    );
  });

  test.each([500, 502, 503])("HTTP %i without an answer to a call", async (status) => {
    const gateway: TinyTool = {
      run: (_, response) => void response.writeHead(status, { "content-type": "text/plain" }).end("oops"),
    };
    const record = await play([lookup], {}, { get_order: gateway });
    expect(record.facts.result).toBe("inconclusive");
    expect(record.cases[0]!.summary.excluded).toEqual({ executionFailed: 1 });
  });

  test("an answer larger than we read", async () => {
    const large: TinyTool = { run: () => ({ content: [{ type: "text", text: "x".repeat(17 * 2 ** 20) }] }) };
    const record = await play([lookup], {}, { get_order: large });
    expect(record.facts.result).toBe("inconclusive");
    expect(record.cases[0]!.summary.excluded).toEqual({ executionFailed: 1 });
  });

  test("but a tool that hangs on a server that still answers has failed", async () => {
    const hangs: TinyTool = { run: () => new Promise(() => {}) };
    const record = await play([lookup], { limits: { callMs: 500 } }, { get_order: hangs });
    expect(record.facts.result).toBe("failed");
  });
});

test("repetitions that were lost are told beside those that passed, in every report", async () => {
  let asked = 0;
  const gateway: TinyTool = {
    run: (_, response) =>
      ++asked > 1 ? { content: [{ type: "text", text: "shipped" }] } : void response.writeHead(503).end(),
  };
  const openModel = () => lookingUp({ deterministic: false });
  const record = await play([lookup], { openModel, repetitions: 5, concurrency: 1 }, { get_order: gateway });
  expect(record.facts.result).toBe("passed");
  expect(evalMarkdown(record)).toContain("4 of 4 repetitions passed, 1 lost");
  expect(evalMarkdown(record)).toContain("| 4/4, 1 lost |");
  expect(evalHtml(record)).toContain("4/4, 1 lost");
});

describe("what a server or a model says stays text in every report", () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'\`|\n::error::owned\n# head\u001b[31m\u202e`;
  async function hostile() {
    const item: SuiteCase = {
      ...lookup,
      title: `Title ${evil}`.slice(0, 200),
      checks: [{ type: "responseContains", needle: "never" }],
    };
    const tools = { get_order: { run: () => ({ content: [{ type: "text", text: evil }], isError: true }) } };
    return play([item], { openModel: () => scriptedModel([[call("get_order", { q: evil })], evil]) }, tools);
  }

  test("HTML: no element but ours, no script, nothing loaded", async () => {
    const html = evalHtml(await hostile());
    expect(html).not.toMatch(/<script|<img|<b>one|onerror=alert\(1\)>/i);
    expect(["\u001b", "\u202e"].filter((hidden) => html.includes(hidden))).toEqual([]);
    // Only to places in the page itself.
    expect(html).not.toMatch(/<[^>]*\b(?:src|href)=(?!"#case-[0-9a-f-]+")/);
    expect(html).toContain("&#60;script&#62;");
  });

  test("annotations: one line each, whatever was said", async () => {
    const text = githubAnnotations(await hostile(), inFile("suite,1:2.yaml"));
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatch(/^::error file=suite%2C1%3A2\.yaml,line=7,title=/);
  });

  test("Markdown: no row, heading, link or tag of its own", async () => {
    const lines = evalMarkdown(await hostile()).split("\n");
    expect(lines.filter((line) => line.startsWith("#"))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("|"))).toHaveLength(3);
    expect(lines.join("\n")).not.toMatch(/<(script|img|b)\b/);
    // Once, or a reader sees the escapes instead of the words.
    expect(lines[0]).toContain("Suite &#60;b&#62;one&#60;&#47;b&#62;: failed");
  });

  test("Markdown: nothing that is written out as an escape", async () => {
    const text = evalMarkdown(await play([lookup], { signal: AbortSignal.abort() }));
    expect(text).toContain("## ⚠ ");
    expect(escapeHidden(text)).toBe(text);
  });
});

async function closedPort() {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, close: () => new Promise<void>((done) => server.close(() => done())) };
}
