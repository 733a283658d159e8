import { expect, test } from "vitest";
import { U } from "../detectors/detector.ts";
import { failing, snapshot } from "../testing/bookshop.ts";
import { judge } from "../testing/mined.ts";
import { observed } from "../testing/plant.ts";
import { factsReader } from "./read-unit.ts";

const factsOf = factsReader({ snapshots: [snapshot], judge });

const pieces = ["x", "é", "1-", "!?", "=", "/", "\\", "{", '"', "'", "“", "a@b.", "password", "in A ", "ey"];

// Anybody with a link chooses the words, any server its errors, and the whole process waits while they are read.
test.each(pieces)("a session of long messages and errors of nothing but %j is read at once", (piece) => {
  const words = piece.repeat(8_000 / piece.length);
  const said = Array.from({ length: 5 }, () => ({
    user: words,
    answer: words,
    calls: [{ toolName: "get_book", ...failing(words) }],
  }));
  const unit = observed(U, "s_1", said, { feedback: { isNegative: true, comment: words } });
  const before = process.threadCpuUsage();
  factsOf(unit);
  // Work, not time, which a busy machine stretches.
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
});

test("of a conversation are kept at most six passages: what was said of it, two kinds of errors, two turns and the last", () => {
  const call = (words: string) => ({ toolName: "get_book", arguments: {}, ...failing(words) });
  const said = [
    {
      user: "Find it??",
      calls: [call("First failure"), call("First failure"), call("Second failure"), call("Third failure")],
    },
    { user: "Useless", answer: " " },
    { user: "Still not there" },
    { user: "Bye", answer: "Bye." },
  ];
  const unit = observed(U, "s_1", said, {
    feedback: { isNegative: true, comment: "Bad", messageIndex: 7 },
    judge: { passed: false, score: 0.2, threshold: 0.5, reason: "" },
  });
  expect(factsOf(unit).excerpts).toEqual([
    { kind: "feedback", text: "Bad", messageIndex: 7 },
    { kind: "tool_error", text: "First failure", messageIndex: 1, call: 0, turn: 0 },
    { kind: "tool_error", text: "Second failure", messageIndex: 3, call: 2, turn: 0 },
    { kind: "transcript", text: "User: Find it?? Assistant: Here it is.", messageIndex: 0, turn: 0 },
    { kind: "transcript", text: "User: Useless", messageIndex: 10, turn: 1 },
    { kind: "transcript", text: "User: Bye Assistant: Bye.", messageIndex: 30, turn: 3 },
  ]);
});

test("of the turns in which nothing went wrong only the last is kept", () => {
  const said = ["Find whales", "Find bread", "Useless", "Bye"].map((user) => ({
    user,
    answer: "Here it is.",
  }));
  expect(factsOf(observed(U, "s_1", said)).excerpts.map(({ turn }) => turn)).toEqual([2, 3]);
});
