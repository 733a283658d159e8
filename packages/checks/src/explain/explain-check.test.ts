import { expect, test } from "vitest";
import { suiteCures } from "./cures-of-suites.ts";
import { protocolCures } from "./cures-protocol.ts";
import { explainableIds, explainCheck } from "./explain-check.ts";

test("every check is mended in a way of its own, and no cure is for a check that there is not", () => {
  const ids = explainableIds();
  expect(ids.filter((id) => !/\w{4}.*\.$/s.test(explainCheck(id)!.mend))).toEqual([]);
  const cures = { ...protocolCures, ...suiteCures };
  expect(Object.keys(cures).filter((id) => !ids.includes(id))).toEqual([]);
  const twice = Object.values(Object.groupBy(Object.keys(cures), (id) => cures[id]!)).filter(
    (same) => same!.length > 1,
  );
  // The error for a missing resource is looked at by a check and by advice.
  expect(twice).toEqual([["resource-error-uri-echo", "readiness-resource-error-echoes-uri"]]);
});

test("advice without which clients fail says so, as the doctor does", () => {
  expect(explainCheck("readiness-result-status")?.why).toMatch(/other clients fail without it/);
  expect(explainCheck("readiness-icon-addresses")?.why).toMatch(/Nobody fails without it/);
});
