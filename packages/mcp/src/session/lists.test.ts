import { expect, test } from "vitest";
import { type WalkRules, walkList } from "./lists.ts";

const rules: WalkRules = { maxPages: 50, maxBytes: 1_000, checkParamHeaders: false };
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

/** A server of so many pages, each of one tool. */
const pages =
  (count: number, bytes: number) => async (_method: string, params: { cursor?: string } | undefined) => {
    const at = Number(params?.cursor ?? 0);
    const next = at + 1 < count ? { nextCursor: String(at + 1) } : {};
    return { page: { tools: [tool(`t${at}`)], ttlMs: 5, ...next }, bytes };
  };

test("a walk goes to the end, in order", async () => {
  const walk = await walkList("tools", pages(3, 10), rules);
  expect(walk).toMatchObject({ pages: 3, truncated: false, lastPage: { ttlMs: 5 } });
  expect(walk.items.map((item) => item.name)).toEqual(["t0", "t1", "t2"]);
});

test("a walk stops at the first page when asked, and says where to go on", async () => {
  const walk = await walkList("tools", pages(3, 10), rules, { firstPageOnly: true });
  expect(walk).toMatchObject({ truncated: true, truncatedBecause: "first-page-only", nextCursor: "1" });
  const rest = await walkList("tools", pages(3, 10), rules, { cursor: "1" });
  expect(rest.items.map((item) => item.name)).toEqual(["t1", "t2"]);
});

test("many large pages stop at the size cap", async () => {
  const walk = await walkList("tools", pages(40, 300), rules);
  expect(walk).toMatchObject({ pages: 4, truncated: true, truncatedBecause: "size-cap" });
});

test("an answer without its array is no list", async () => {
  const broken = async () => ({ page: { tools: "none" }, bytes: 10 });
  await expect(walkList("tools", broken, rules)).rejects.toMatchObject({ code: "INVALID_RESULT" });
});

test("a wrong header annotation sets the tool aside where headers are mirrored", async () => {
  const bad = {
    name: "bad",
    inputSchema: { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } },
  };
  const fetchPage = async () => ({ page: { tools: [bad, tool("good")] }, bytes: 10 });
  const mirrored = await walkList("tools", fetchPage, { ...rules, checkParamHeaders: true });
  expect(mirrored.items.map((item) => item.name)).toEqual(["good"]);
  expect(mirrored.problems).toMatchObject([{ name: "bad" }]);
  expect((await walkList("tools", fetchPage, rules)).items).toHaveLength(2);
});
