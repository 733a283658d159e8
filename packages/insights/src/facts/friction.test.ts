/** What counts as laborious, and what does not: each at the bound where it begins. */
import { expect, test } from "vitest";
import { U } from "../detectors/detector.ts";
import { failing, gave, type Said, snapshot } from "../testing/bookshop.ts";
import { judge } from "../testing/mined.ts";
import { observed } from "../testing/plant.ts";
import { factsReader } from "./read-unit.ts";

type Call = NonNullable<Said["calls"]>[number];

const factsOf = factsReader({ snapshots: [snapshot], judge });
const search = (query: string, over: Partial<Call> = {}): Call => ({
  toolName: "search_books",
  arguments: { query },
  ...over,
});
const get = (id: string, over: Partial<Call> = {}): Call => ({
  toolName: "get_book",
  arguments: { book_id: id },
  ...over,
});
const orders = (cursor: string | undefined, over: Partial<Call> = {}): Call => ({
  toolName: "list_orders",
  arguments: cursor === undefined ? {} : { cursor },
  ...over,
});
const times = (count: number, call: (nth: number) => Call) =>
  Array.from({ length: count }, (_, nth) => call(nth));
const empty = { result: gave("[]") };

function frictionOf(calls: readonly Call[], stopCause = "completed"): string[] {
  const end = { stopCause, idleAfterMs: null, reachedTurnCap: false };
  return factsOf(observed(U, "s_1", [{ user: "Help", calls }], { end })).friction.map(
    ({ kind, toolNames, count, call, isUninformed }) =>
      `${kind} of ${toolNames.join(", ")}: ${count} from ${call}${isUninformed ? ", uninformed" : ""}`,
  );
}

test.each<[what: string, calls: Call[], found: string[], stopCause?: string]>([
  ["the same call twice", times(2, () => get("b1")), []],
  ["the same call three times", times(3, () => get("b1")), ["loop of get_book: 3 from 0"]],
  ["three calls that differ", times(3, (nth) => search(`${nth}`)), []],
  ["three of a test's own", times(3, () => get("b1", { isPinned: true })), []],
  ["three that were never sent", times(3, () => get("b1", { end: "unsent" })), []],
  [
    "three that fail without saying why",
    times(3, () => get("b1", failing("error"))),
    ["loop of get_book: 3 from 0, uninformed"],
  ],
  [
    "three, of which one fails without saying why",
    times(3, (nth) => get("b1", nth === 1 ? failing("error") : {})),
    ["loop of get_book: 3 from 0"],
  ],
  [
    "what the guard stopped",
    [search("a"), get("b1"), get("b1")],
    ["loop of get_book: 2 from 1"],
    "loop_guard",
  ],
  ["two tools in turn, twice", times(4, (nth) => (nth % 2 ? get("b1") : search("a"))), []],
  [
    "two tools in turn, three times",
    times(6, (nth) => (nth % 2 ? get("b1") : search("a"))),
    [
      "loop of search_books: 3 from 0",
      "loop of get_book: 3 from 1",
      "pair_loop of get_book, search_books: 3 from 0",
    ],
  ],
  [
    "two tools in turn, after another call",
    [orders(undefined), ...times(6, (nth) => (nth % 2 ? get("b1") : search("a")))],
    [
      "loop of search_books: 3 from 1",
      "loop of get_book: 3 from 2",
      "pair_loop of get_book, search_books: 3 from 1",
    ],
  ],
  [
    "a next page that is the same as the one before",
    [orders(undefined, { result: gave("[1]") }), orders("c2", { result: gave("[1]") })],
    ["pagination_dead_end of list_orders: 1 from 1"],
  ],
  [
    "a next page that fails with the same words",
    [orders(undefined, { result: gave("[1]") }), orders("c2", { ...failing("[1]"), result: gave("[1]") })],
    [],
  ],
  [
    "a next page after one that failed with the same words",
    [orders(undefined, { ...failing("[1]"), result: gave("[1]") }), orders("c2", { result: gave("[1]") })],
    [],
  ],
  ["five details without a list before", times(5, (nth) => get(`b${nth}`)), []],
  ["a list and four details", [search("a"), ...times(4, (nth) => get(`b${nth}`))], []],
  [
    "a list and five details",
    [search("a"), ...times(5, (nth) => get(`b${nth}`))],
    ["fan_out of get_book: 5 from 1"],
  ],
  ["a list after the first detail", [get("b0"), search("a"), ...times(4, (nth) => get(`c${nth}`))], []],
  [
    "a call that lists nothing, and five details",
    [{ toolName: "get_stock", arguments: { book_id: "b1" } }, ...times(5, (nth) => get(`b${nth}`))],
    [],
  ],
  ["five pages of the same search", [search("a"), ...times(5, (nth) => orders(`${nth}`))].slice(0, 2), []],
  [
    "a next page that says the same",
    [orders(undefined), orders("2")],
    ["pagination_dead_end of list_orders: 1 from 1"],
  ],
  ["a next page that says something else", [orders(undefined), orders("2", { result: gave("Other") })], []],
  ["the same page again", [orders("2"), orders("2")], []],
  ["another search with the same result", [search("a"), search("b")], []],
  ["a next page after a failure", [orders(undefined, failing("No")), orders("2")], []],
  ["a next page that fails", [orders(undefined), orders("2", failing("No"))], []],
  ["an end of pages", [orders(undefined, empty), orders("2", empty)], []],
  ["nothing found, and one other try", [search("a", empty), search("b")], []],
  [
    "nothing found, and two other tries",
    [search("a", empty), search("b", empty), search("c")],
    ["empty_result_repeat of search_books: 2 from 1"],
  ],
  ["nothing found, and the same again", [search("a", empty), search("a", empty)], []],
])("%s", (_, calls, found, stopCause) => {
  expect(frictionOf(calls, stopCause)).toEqual(found);
});

test("the calls of two servers are not taken for one another", () => {
  const calls = times(3, (nth) => get("b1", { serverId: nth === 1 ? "srv_other" : "srv_books" }));
  expect(frictionOf(calls)).toEqual([]);
});
