import { expect, test } from "vitest";
import { nextWords, type PlayedTurn } from "./rule-persona.ts";
import { speak, speakingStyles } from "./speaking-styles.ts";

const persona = { id: "per_1", name: "Ann", role: "Buyer", notes: "" };
const goal = 'Find the book "Small Weather" by Ida Moss and order 2 copies to Rue-12, ida@example.org';
const turn = (answer: string, rest: Partial<PlayedTurn> = {}): PlayedTurn => ({
  said: "x",
  answer,
  succeeded: 0,
  failed: 0,
  ...rest,
});
const after = (...played: PlayedTurn[]) => nextWords({ persona, goal, played });

test.each(speakingStyles)("speaking %s leaves names, numbers and quoted words as they are", (style) => {
  const said = speak(style, goal);
  for (const kept of ['"Small Weather"', "Ida Moss", "2 copies", "Rue-12", "ida@example.org"]) {
    if (kept === "2 copies") expect(said).toMatch(/\b2 /);
    else expect(said).toContain(kept);
  }
});

test("each style is another, and the same every time", () => {
  const told = speakingStyles.map((style) => speak(style, "find a book about bees"));
  expect(new Set(told).size).toBe(speakingStyles.length);
  expect(speakingStyles.map((style) => speak(style, "find a book about bees"))).toEqual(told);
});

test("begins with the goal in the first person, and ends nothing", () => {
  const { message, endSession } = nextWords({
    persona,
    goal: "The user wants to find a book about bees.",
    played: [],
  });
  expect([message.includes("book about bees"), /the user/i.test(message), endSession]).toEqual([
    true,
    false,
    false,
  ]);
});

test("thanks and goes once a tool gave what the goal is about", () => {
  const good = 'order: 2 copies of the book "Small Weather" by Ida Moss go to Rue 12, ida@example.org';
  expect(after(turn(good, { succeeded: 1 }))).toEqual({
    message: "Thanks, that is all I needed.",
    endSession: true,
  });
  // Words alone are no result, and a failed call is none either.
  expect(after(turn(good)).endSession).toBe(false);
  expect(after(turn(good, { succeeded: 1, failed: 1 })).endSession).toBe(false);
});

test.each([
  ["I need title.", 'title: "Small Weather"'],
  ["Which quantity?", "quantity: 2"],
  ["Please provide the country.", "country: I do not know"],
])("answers %j with what it knows", (answer, said) => {
  expect(after(turn(answer))).toEqual({ message: said, endSession: false });
});

test("knows what its notes say", () => {
  const words = nextWords({
    persona: { ...persona, notes: "My city is Lyon." },
    goal: "Find the weather",
    played: [turn("Which city?")],
  });
  expect(words.message).toBe("city: Lyon");
});

test("says it another way once after an error, then complains and goes", () => {
  const failed = turn("order_book failed: no stock", { failed: 1 });
  const first = after(failed);
  expect(first).toMatchObject({
    message: expect.stringMatching(/^Let me put it another way/),
    endSession: false,
  });
  const second = after(failed, { ...failed, said: first.message });
  expect(second).toEqual({ message: "This is not working for me. I will leave it.", endSession: true });
});

test("does not answer the same question for ever", () => {
  const asking = turn("Please provide the country.", { said: "country: I do not know" });
  expect(after(turn("Please provide the country."), asking, asking).endSession).toBe(true);
});

test("goes when a tool that works brings nothing more, rather than to the end of its turns", () => {
  const half = turn("Small Weather was found.", { succeeded: 1 });
  const again = after(half);
  expect(again).toMatchObject({ endSession: false });
  const rest = after(half, { ...half, said: again.message });
  expect(rest).toMatchObject({ message: "And what about the rest of it?", endSession: false });
  const end = after(half, { ...half, said: again.message }, { ...half, said: rest.message });
  expect(end).toEqual({ message: "This is not working for me. I will leave it.", endSession: true });
});
