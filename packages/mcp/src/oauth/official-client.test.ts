/** @module A few of the official suite's scenarios on our client, one of each kind; all of them are in the soak test. */
import { expect, test } from "vitest";
import { runOfficialScenario } from "../testing/official-client.ts";

test.each([
  ["metadata-var3", "2025-11-25"],
  ["scope-step-up", "2025-11-25"],
  ["authorization-server-migration", "2026-07-28"],
  ["iss-normalized", "2026-07-28"],
  ["client-credentials-jwt", ""],
])("the official suite finds nothing to fault with our client: %s %s", async (scenario, version) => {
  const { summary, faults } = await runOfficialScenario(scenario, version);
  expect(faults).toEqual([]);
  expect(summary).toMatch(/^Passed: (\d+)\/\1, 0 failed, 0 warnings/);
});
