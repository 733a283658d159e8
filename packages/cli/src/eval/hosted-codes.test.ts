import type { ExitCode } from "@fettle/contract/core";
import { expect, test } from "vitest";
import { worstOf } from "./hosted-codes.ts";

// What several targets add up to: 1 before 3 before 4 before 5 before 0.
test.each<[ExitCode[], ExitCode]>([
  [[], 0],
  [[0, 0], 0],
  [[0, 5], 5],
  [[5, 4, 0], 4],
  [[5, 4, 3], 3],
  [[0, 3, 4, 5, 1], 1],
])("%s come to %i", (codes, worst) => {
  expect(worstOf(codes)).toBe(worst);
});
