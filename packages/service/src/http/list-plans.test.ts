/**
 * How PostgreSQL reads every list of a project with 100,000 conversations, entries and iterations: by an index, so that a page costs what
 * it holds. The statements are those that the service sends, taken from its connections.
 */
import { cursorFieldOf } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestApp, testApp } from "../testing/app.ts";
import { type AskedList, askedLists, nameOf } from "../testing/lists/asked-lists.ts";
import { type FilledProject, fillProject } from "../testing/lists/filled-project.ts";
import { listReader } from "../testing/lists/list-reader.ts";
import { readPlan } from "../testing/lists/plan.ts";
import { listenToQueries } from "../testing/lists/sent-queries.ts";
import { allOperations } from "./every-operation/all-operations.ts";

const rows = 100_000;
/** Of any step of a plan: a list of several kinds reads a page of each, and that of verdicts all servers' at once. */
const readAtMost = 500;

let app: TestApp;
let filled: FilledProject;
let reader: Awaited<ReturnType<typeof listReader>>;
let lists: AskedList[];
beforeAll(async () => {
  listenToQueries();
  app = await testApp({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  filled = await fillProject(app);
  await filled.grow(rows);
  reader = await listReader(app, filled);
  lists = askedLists(filled);
}, 300_000);
afterAll(async () => {
  await reader.close();
  await app.stop();
});

it("reads no more for a page than the page holds, at its beginning and further on", async () => {
  const slow: Record<string, string[]> = {};
  const tryPage = async (name: string, list: AskedList, cursor?: string) => {
    const page = await reader.read(list, cursor);
    for (const query of page.queries) {
      const steps = await readPlan(app.pool, query, readAtMost);
      if (steps.length > 0) slow[name] = [...(slow[name] ?? []), ...steps];
    }
    return page.nextCursor;
  };
  for (const list of lists) {
    const next = await tryPage(nameOf(list), list);
    if (next !== undefined) await tryPage(`${nameOf(list)}, its next page`, list, next);
  }
  expect(slow).toEqual({});
}, 300_000);

/** Pages of what one conversation holds, and what is sent to another system in its own pace. */
const ofOneThing = ["exportTracesOtlp", "getUserTestingSession"];

it("looks at every list that has a cursor", () => {
  const asked = new Set<string>(lists.map(({ operation }) => operation));
  const left = allOperations.filter((one) => cursorFieldOf(one) !== undefined && !asked.has(one.id));
  expect(left.map(({ id }) => id).sort()).toEqual(ofOneThing);
});
