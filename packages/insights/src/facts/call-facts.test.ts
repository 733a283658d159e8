/** What is read of a call: whether it fitted, how it failed, and what an agent made up. */
import { expect, test } from "vitest";
import { U } from "../detectors/detector.ts";
import { failing, gave, type Said, snapshot } from "../testing/bookshop.ts";
import { judge } from "../testing/mined.ts";
import { observed } from "../testing/plant.ts";
import { factsReader } from "./read-unit.ts";

type Call = NonNullable<Said["calls"]>[number];

const factsOf = factsReader({ snapshots: [snapshot], judge });
const callsOf = (...said: Said[]) => factsOf(observed(U, "s_1", said)).calls;
const missing = (id: string): Call => ({
  toolName: "get_book",
  arguments: { book_id: id },
  ...failing(`Book ${id} not found`),
});

test.each<[what: string, said: Said[], isInvented: boolean]>([
  ["that nobody named", [{ user: "Find a book", calls: [missing("bk_1")] }], true],
  ["without saying which", [{ user: "Find a book", calls: [{ ...missing("bk_1"), arguments: {} }] }], false],
  ["that the user names", [{ user: "Find book BK_1", calls: [missing("bk_1")] }], false],
  [
    "that the user named before",
    [{ user: "I have bk_1" }, { user: "Find it", calls: [missing("bk_1")] }],
    false,
  ],
  ["that the user names later", [{ user: "Find it", calls: [missing("bk_1")] }, { user: "bk_1" }], true],
  [
    "that a text named",
    [{ user: "Find", calls: [{ toolName: "search_books", result: gave("bk_1: Whales") }, missing("bk_1")] }],
    false,
  ],
  [
    "that a result named",
    [
      {
        user: "Find",
        calls: [
          { toolName: "search_books", result: { content: [], structuredContent: { id: "bk_1" } } },
          missing("bk_1"),
        ],
      },
    ],
    false,
  ],
  [
    "that its own answer names alone",
    [{ user: "Find", calls: [{ ...missing("bk_1"), result: gave("bk_1 not found") }] }],
    true,
  ],
])("a book that is not there, %s, is invented: %s (%#)", (_, said, isInvented) => {
  expect(callsOf(...said).find(({ end }) => end === "error")?.isInvented).toBe(isInvented);
});

test.each<[what: string, calls: Call[], isRetriedOrLeft: boolean]>([
  ["is the last of its turn", [missing("b1")], true],
  ["is followed by another tool", [missing("b1"), { toolName: "list_orders" }], false],
  ["is tried again", [missing("b1"), { toolName: "list_orders" }, { toolName: "get_book" }], true],
])("an error that %s", (_, calls, isRetriedOrLeft) => {
  expect(
    callsOf({ user: "Find", calls }, { user: "Thanks", calls: [{ toolName: "get_book" }] })[0],
  ).toMatchObject({
    isRetriedOrLeft,
  });
});

test("an error is known by its class, its code and its words; what went well has none", () => {
  const [failed, fine] = callsOf({
    user: "Find",
    calls: [
      { toolName: "get_book", arguments: { book_id: "b1" }, ...failing("Rate limit exceeded", 429) },
      { toolName: "list_orders" },
    ],
  });
  expect(failed).toMatchObject({
    errorClass: "rate_limited",
    errorCode: "429",
    template: "rate limit exceeded",
  });
  expect(fine).toMatchObject({ errorClass: null, errorCode: null, template: null, isRetriedOrLeft: false });
});

test.each<[what: string, call: Call, expected: object]>([
  ["fits", { toolName: "get_book", arguments: { book_id: "b1" } }, { argsValid: true, issues: [] }],
  [
    "misses a field",
    { toolName: "get_book", arguments: {} },
    { argsValid: false, issues: [{ path: "book_id", keyword: "required" }] },
  ],
  [
    "has a wrong type",
    { toolName: "search_books", arguments: { query: "a", page: "b" } },
    { argsValid: false, issues: [{ path: "page", keyword: "type" }] },
  ],
  ["was never sent", { toolName: "get_book", arguments: {}, end: "unsent" }, { argsValid: null, issues: [] }],
  ["is of no tool", { toolName: "sing", arguments: {} }, { argsValid: null, isKnown: false }],
  ["is of a server that nobody pinned", { toolName: "sing", serverId: "srv_new" }, { isKnown: true }],
  ["promises no structure", { toolName: "get_book", arguments: { book_id: "b1" } }, { output: null }],
  [
    "gives what it promises",
    { toolName: "get_stock", result: { structuredContent: { copies: 3 } } },
    { output: "fits", outputPath: null },
  ],
  [
    "gives something else",
    { toolName: "get_stock", result: { structuredContent: { copies: "3" } } },
    { output: "violates", outputPath: "copies" },
  ],
  ["gives text alone", { toolName: "get_stock", result: gave("3") }, { output: "missing", outputPath: null }],
  ["fails", { toolName: "get_stock", ...failing("No") }, { output: null }],
  ["takes a part of a millisecond", { toolName: "get_book", durationMs: 1.6 }, { durationMs: 2 }],
])("a call that %s", (_, call, expected) => {
  expect(callsOf({ user: "Find", calls: [call] })[0]).toMatchObject(expected);
});
