import { expect, it } from "vitest";
import { deadlockLog, twentyAtOnce } from "../../testing/fuzz/twenty-at-once.ts";
import { testService } from "../../testing/service.ts";
import { allOperations } from "./all-operations.ts";

const writes = allOperations.filter(({ built, method }) => built && method !== "GET");

it("every write is tried twenty times at once on one parent, with no 5xx and no deadlock", {
  timeout: 900_000,
}, async () => {
  const { log, deadlocks } = deadlockLog();
  await using service = await testService({ log });
  const { faults, succeeded } = await twentyAtOnce(service, writes);
  expect(faults).toEqual([]);
  expect(deadlocks).toEqual([]);
  expect(succeeded.length).toBeGreaterThan(writes.length / 2);
});
