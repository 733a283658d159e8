/** @module The sample project's suite and its first two runs, played by the real engine with the built-in rules a moment after the first start. */
import { idOf, type ProjectId } from "@fettle/contract/core";
import type { EvalSuiteCreateRequest } from "@fettle/contract/evals";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { createRun } from "../../evals/runs/create-run.ts";
import type { Launcher } from "../../evals/runs/launch.ts";
import { isOpen } from "../../evals/runs/store.ts";
import { createCases } from "../../evals/suites/cases.ts";
import { findSuite, listSuites } from "../../evals/suites/store.ts";
import { createSuite } from "../../evals/suites/suites.ts";
import { findProject } from "../../http/caller/access.ts";
import { sampleInput } from "./desk.ts";

/** What a run of the rules takes. */
const pauseMs = 500;

/** Enqueued with the sample project, so that it is made once, and not again after somebody deleted it. */
export const sampleEvalsJob = defineJob({
  name: "sample.evals",
  input: sampleInput,
  retry: { attempts: 5, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input }) => {
    const { projectId, serverId, userId } = input;
    const caller = { kind: "session", userId, sessionId: "", via: "cli" } as const;
    const project = await findProject(app.pool, { userId, boundTo: null }, projectId);
    const suiteId =
      (await findSample(app, projectId)) ??
      (await createSuite(app, app.db, project, caller, sampleSuite(serverId))).suiteId;
    const suite = await findSuite(app.db, projectId, idOf<"evalSuite">().parse(suiteId));
    if (!suite) return;
    const launcher: Launcher = {
      app,
      project,
      by: { userId, surface: "sample", apiKeyId: null },
      source: "api",
    };
    for (const { notes, cases } of sampleRuns) {
      // What is there already is told and left.
      if (cases.length > 0) await createCases(app, app.db, suite, { userId, key: undefined }, { cases });
      // Under a key of its own: asked again, it answers the run that it started.
      const idempotencyScope = digestOf(["sampleRun", suite.id, notes]);
      const body = { suiteId: suite.id, notes };
      const { status } = await createRun(launcher, suite, body, { idempotencyScope }, "");
      // One after the other: whoever launches a run meanwhile finds a place for it.
      if (isOpen({ status })) {
        await app.jobs.enqueue(sampleEvalsJob, input, { startAfter: app.now() + pauseMs });
        return;
      }
    }
  },
});

const tag = "sample";

async function findSample(app: App, projectId: ProjectId): Promise<string | undefined> {
  return (await listSuites(app.db, projectId)).find(({ suite }) => suite.tags.includes(tag))?.suite.id;
}

type Step = { id: string; kind: string } & Record<string, unknown>;

const ask = (prompt: string): Step => ({ id: "ask", kind: "prompt", prompt });
const hold = (id: string, assertion: object): Step => ({ id, kind: "assert", assertion });
const called = (toolName: string, args: object): Step =>
  hold("called", { type: "toolCalledWith", toolName, args: { args } });

const passing = [
  {
    id: "c_search",
    title: "Searches the catalogue for what a customer names",
    steps: [
      ask('Search books for "tin"'),
      called("search_books", { query: "tin" }),
      hold("found", { type: "responseContains", needle: "Tin Swallows" }),
    ],
  },
  {
    id: "c_stock",
    title: "Knows how many copies are on the shelf",
    steps: [
      ask('Check the stock of the book with bookId = "tin-swallows"'),
      called("check_stock", { bookId: "tin-swallows" }),
      hold("told", { type: "responseMatches", pattern: "\\d+ copies" }),
    ],
  },
  {
    id: "c_orders",
    title: "Lists orders, and nothing else",
    steps: [ask("List all orders"), hold("first", { type: "firstToolWas", toolName: "list_orders" })],
  },
  {
    id: "c_thanks",
    title: "Calls nothing when a customer says thanks",
    isNegativeTest: true,
    steps: [ask("Thanks!")],
  },
];

/** Each teaches something: what a model is not told it cannot know. */
const failing = [
  {
    id: "c_shelf",
    title: "Tells a customer where a book stands",
    steps: [
      ask('Where do I find "Tin Swallows" in the shop?'),
      hold("looked", { type: "toolCalledAtLeastOnce", toolName: "shelf_info" }),
    ],
  },
  {
    id: "c_aisle",
    title: "Shows a customer the way to a book",
    steps: [
      ask('Where do I find "Small Weather" in the shop?'),
      hold("looked", { type: "toolCalledAtLeastOnce", toolName: "shelf_info" }),
    ],
  },
  {
    id: "c_packing",
    title: "Lists only the orders that have not left yet",
    steps: [ask("Which orders have not left the shop yet?"), called("list_orders", { status: "packing" })],
  },
];

function sampleSuite(serverId: string): EvalSuiteCreateRequest {
  return {
    name: "Bookshop desk",
    description:
      "A sample. Three cases fail, and should: shelf_info is described so badly that nobody finds it, and nothing says which words mean which state of an order.",
    serverIds: [serverId],
    model: "fettle/rules-1",
    // Said, so that it can be exported to a file.
    passCriteria: { minimumPassRate: 100 },
    tags: [tag],
    tests: passing,
  };
}

/** The later one has more cases, which were written in between: a run of some of them would not be in the trend. */
const sampleRuns = [
  { notes: "Sample run: only the cases that the bookshop was made for", cases: [] },
  { notes: "Sample run: with three cases that show what its tools do not say", cases: failing },
];
