import { expect, it } from "vitest";
import { deadlockLog, twentyAtOnce } from "../../testing/fuzz/twenty-at-once.ts";
import { testService } from "../../testing/service.ts";
import { allOperations } from "./all-operations.ts";

const creates = allOperations.filter(
  ({ built, method, status }) => built && method === "POST" && (status === 201 || status === 202),
);

it("everything that is created can be created twenty times at once on one parent, with no 5xx and no deadlock", {
  timeout: 300_000,
}, async () => {
  const { log, deadlocks } = deadlockLog();
  await using service = await testService({ log });
  const { faults, succeeded } = await twentyAtOnce(service, creates);
  expect(faults).toEqual([]);
  expect(deadlocks).toEqual([]);
  // Or the run has shown nothing.
  expect(succeeded.length).toBeGreaterThan(creates.length / 2);
});
