import { expect, it } from "vitest";
import { killWave } from "../../testing/swarms/killed-wave.ts";

it("workers that are killed or stopped in the middle of a wave lose no session, and none is paid for twice", async () => {
  const { gone, mostFailures } = await killWave({
    runs: 1,
    places: 3,
    sessionsPerTarget: 6,
    endedBetween: 6,
  });
  expect({ gone, mostFailures }).toEqual({ gone: 2, mostFailures: 0 });
});
