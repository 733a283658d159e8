/** @module A wave of a hundred sessions whose workers are killed or stopped eleven times, which is more often than a job may fail. */
import { expect, it } from "vitest";
import { killWave } from "../../testing/swarms/killed-wave.ts";

it("a hundred sessions of a wave all succeed, however often their workers are killed or stopped", async () => {
  const { gone, lostAnswers } = await killWave({
    runs: 2,
    places: 5,
    sessionsPerTarget: 10,
    endedBetween: 9,
  });
  console.log(`${gone} workers gone: no session lost, ${lostAnswers} answers lost on their way`);
  expect(gone).toBe(11);
});
