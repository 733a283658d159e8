/** What is read of a turn: what was wanted, and how the words sound. */
import { describe, expect, test } from "vitest";
import { U } from "../detectors/detector.ts";
import { failing, gave, type Said, snapshot } from "../testing/bookshop.ts";
import { judge } from "../testing/mined.ts";
import { observed } from "../testing/plant.ts";
import { factsReader } from "./read-unit.ts";
import { intentOf } from "./turn-facts.ts";

const factsOf = factsReader({ snapshots: [snapshot], judge });
const turnsOf = (...said: Said[]) => factsOf(observed(U, "s_1", said)).turns;
const long = (words: string) => `${"word ".repeat(800)}${words}`;

test.each<[text: string, isFrustrated: boolean]>([
  ["Where is my order?", false],
  ["Where is my order??", true],
  ["Really?! No", true],
  ["this is useless", true],
  ["it is still not there", true],
  ["WHERE IS", false],
  ["WHERE IS IT", true],
  ["WHERE IS MY order", false],
  ["A B C D", false],
  ["ISBN OK", false],
  [long("useless"), false],
])("%s sounds frustrated: %s", (user, isFrustrated) => {
  expect(turnsOf({ user })[0]?.isFrustrated).toBe(isFrustrated);
});

test.each<[answer: string | null, isRefusal: boolean, isAnswerEmpty: boolean]>([
  ["Here it is.", false, false],
  ["I can't do that.", true, false],
  ["I\u2019m not able to.", true, false],
  ["There is no way to see it.", true, false],
  [long("I cannot"), false, false],
  ["  ", false, true],
  [null, false, true],
])("%j refuses: %s, and is empty: %s", (answer, isRefusal, isAnswerEmpty) => {
  expect(turnsOf({ user: "Find a book", answer })).toMatchObject([{ isRefusal, isAnswerEmpty }]);
});

describe("saying it again", () => {
  const first = "Find books on whales please";
  const found = { toolName: "search_books", arguments: { query: "whales" } };
  test.each<[what: string, before: Said, again: string, isRephrased: boolean]>([
    ["after nothing came of it", { user: first }, "Find books on whales", true],
    [
      "after a failure",
      { user: first, calls: [{ ...found, ...failing("No") }] },
      "Find books on whales",
      true,
    ],
    [
      "after an empty result",
      { user: first, calls: [{ ...found, result: gave("[]") }] },
      "Find books on whales",
      true,
    ],
    ["after a result", { user: first, calls: [found] }, "Find books on whales", false],
    ["with another wish", { user: first }, "Cancel my order of yesterday", false],
    ["with nothing said before", { user: "" }, "Find books on whales", false],
  ])("%s", (_, before, again, isRephrased) => {
    expect(turnsOf(before, { user: again })[1]?.isRephrased).toBe(isRephrased);
  });
});

test("a turn knows its own calls, and the first one that a model chose of a server", () => {
  const [one, two] = turnsOf(
    {
      user: "Find a book",
      calls: [
        { toolName: "invented", serverId: null },
        { toolName: "get_stock", isPinned: true },
        { toolName: "search_books" },
        { toolName: "get_book" },
      ],
    },
    { user: "Thanks" },
  );
  expect(one).toMatchObject({ toolCount: 4, firstCall: { serverId: "srv_books", toolName: "search_books" } });
  expect(two).toMatchObject({ toolCount: 0, firstCall: null });
});

test.each([
  ["Please cancel my orders 17 and 18", { id: "delete:order", label: "cancel orders" }],
  ["Cancel the order of Ada Lovelace", { id: "delete:order", label: "cancel order" }],
  ['Find "The Old Man and the Sea"', null],
  ["Prices for ada@example.com and covers", { id: "any:cover+price", label: "prices covers" }],
  ["orders prices covers", { id: "any:order+price", label: "orders prices" }],
  ["", null],
  ["17 18", null],
])("%j means %j", (text, intent) => {
  expect(intentOf(text)).toEqual(intent);
});
