/** @module Every detector there is. Add yours to the list of its kind. */
import { caseDetectors } from "./cases.ts";
import { contractDetectors } from "./contract.ts";
import type { Detector } from "./detector.ts";
import { environmentDetectors } from "./environment.ts";
import { peopleDetectors } from "./people.ts";
import { runtimeDetectors } from "./runtime.ts";
import { selectionDetectors } from "./selection.ts";
import { workflowDetectors } from "./workflow.ts";

export const detectors: readonly Detector[] = [
  ...contractDetectors,
  ...runtimeDetectors,
  ...selectionDetectors,
  ...workflowDetectors,
  ...caseDetectors,
  ...peopleDetectors,
  ...environmentDetectors,
];

/** Raised when the same facts would give other findings; what was found before stays as it was. */
export const minerVersion = 2;
