/** @module Where the keys are sealed that a launch brings along. */
import type { EvalRunId } from "@fettle/contract/core";

export const placeOfKeys = (runId: EvalRunId) => `eval_run_snapshots/${runId}`;
