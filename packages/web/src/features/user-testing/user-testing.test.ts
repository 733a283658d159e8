import { describe, expect, test } from "vitest";
import { isNarrower, visitorText } from "./scenario-words.ts";
import { sessionTurns, turnOf } from "./session-turns.ts";

const messages = [
  { index: 0, role: "user" as const, text: "Find a book", turnId: "t1" },
  { index: 1, role: "tool" as const, text: "", toolName: "search_books", isError: false, turnId: "t1" },
  {
    index: 2,
    role: "assistant" as const,
    text: "Here is one",
    turnId: "t1",
    rating: { value: 1, style: "thumbs" as const, comment: "lovely pages" },
  },
  { index: 3, role: "user" as const, text: "Order it", turnId: "t2" },
  { index: 4, role: "tool" as const, text: "", toolName: "place_order", isError: true, turnId: "t2" },
  { index: 5, role: "assistant" as const, text: "The shelf is empty", turnId: "t2" },
];

test("a session reads as turns, each with its calls and its rating", () => {
  const turns = sessionTurns(messages);
  expect(turns.map(({ message, rating }) => [message, rating?.value])).toEqual([
    ["Find a book", 1],
    ["Order it", undefined],
  ]);
  expect(turns[1]!.parts).toMatchObject([
    { kind: "call", call: { toolName: "place_order", state: "error" } },
    { kind: "text", text: "The shelf is empty" },
  ]);
});

describe("a remark opens the turn it is about", () => {
  const turns = sessionTurns(messages);
  test.each([
    ["its words", "… shelf is empty …", "t2"],
    ["a comment on it", "lovely pages", "t1"],
    ["nothing that was said", "quite another matter", undefined],
  ])("%s", (_, excerpt, turnId) => expect(turnOf(turns, excerpt)).toBe(turnId));
  test("no turns at all", () => expect(turnOf([], "x")).toBeUndefined());
});

test("words for modes and visitors", () => {
  expect(isNarrower("project_members", "anyone_with_link")).toBe(true);
  expect(isNarrower("anyone_with_link", "invited_only")).toBe(false);
  const visitor = {
    authType: "guest" as const,
    recency: "new" as const,
    deviceKind: "phone",
    language: "de",
  };
  expect(visitorText({ visitor })).toBe("A guest (phone, de)");
});
