import { expect, it } from "vitest";
import { killWave } from "../testing/swarms/killed-wave.ts";

it("workers killed in the middle of a wave lose no session and repeat none, and what the last one leaves is settled by the watchdog", async () => {
  const { killed, mostFailures } = await killWave({
    runs: 1,
    places: 3,
    sessionsPerTarget: 6,
    endedBetween: 6,
  });
  expect({ killed, mostFailures }).toEqual({ killed: 2, mostFailures: 0 });
});
