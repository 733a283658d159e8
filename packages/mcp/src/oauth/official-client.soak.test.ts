/** @module All scenarios about authorization of the official suite, on our client. */
import { expect, test } from "vitest";
import { officialScenarios, runOfficialScenario } from "../testing/official-client.ts";

test.each(officialScenarios)("%s %s", async (scenario, version) => {
  const { summary, faults } = await runOfficialScenario(scenario, version);
  expect(faults).toEqual([]);
  expect(summary).toMatch(/^Passed: (\d+)\/\1, 0 failed, 0 warnings/);
});
