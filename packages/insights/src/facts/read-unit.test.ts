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
