/** @module A wave of a hundred sessions whose workers are killed ten times, which is more often than a job may fail. */
import { expect, it } from "vitest";
import { killWave } from "../testing/swarms/killed-wave.ts";

it("a hundred sessions of a wave end once each, however often their workers are killed", async () => {
  const seen = await killWave({ runs: 2, places: 5, sessionsPerTarget: 10, endedBetween: 9 });
  console.log(
    `${seen.killed} workers killed: ${seen.succeeded} sessions succeeded, ${seen.lost} were lost with them`,
  );
  expect(seen.killed).toBe(11);
  expect(seen.succeeded).toBeGreaterThan(20);
});
