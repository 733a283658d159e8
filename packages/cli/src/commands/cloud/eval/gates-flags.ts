/** @module What the commands of `cloud eval gates` take. */
import { limits } from "@fettle/contract/core";
import { reportFlags, waitFlags } from "../../../eval/hosted-flags.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

const repeated = { kind: "text", repeats: true } as const;

const percent = { kind: "number", value: "percent", min: 0, max: limits.evals.percent } as const;

/** When a drop counts as one. */
const tuningFlags = (needs: string) =>
  flags({
    "min-sample-size": {
      kind: "integer",
      min: 1,
      value: "n",
      defaultNote: "5",
      help: `Fewer on a side show nothing; needs ${needs}`,
    },
    "min-effect-size-percent": {
      ...percent,
      defaultNote: "1",
      help: `A smaller drop is none; needs ${needs}`,
    },
    "gate-deterministic-regressions": {
      kind: "boolean",
      help: `Fail when a check of a case that passed fails now; needs ${needs}`,
    },
    "max-p95-latency-increase-ms": {
      kind: "number",
      min: 0,
      value: "ms",
      help: `How much slower the slowest may be; needs ${needs}`,
    },
  });

export const gateFlags = flags({
  run: { kind: "text", value: "id", help: "The run" },
  "min-pass-rate-percent": { ...percent, help: "Minimum pass rate per case (%)" },
  "no-gating-score-errors": { kind: "boolean", help: "No check that counts may have broken" },
  "min-scorer-pass-rate": {
    ...repeated,
    value: "scorer=percent",
    help: "Of what one check judged, at least so many must have passed",
  },
  "min-mean-score": {
    ...repeated,
    value: "scorer=0..1",
    help: "The mean of one check must be at least this",
  },
  baseline: { kind: "text", value: "run-id", help: "Must not be worse than this run" },
  "baseline-sha": { kind: "text", value: "commit", help: "Must not be worse than the run of this commit" },
  ...tuningFlags("a baseline"),
  wait: { kind: "boolean", help: "Until the run has ended" },
  ...waitFlags,
  ...platformFlags,
});

export const compareFlags = flags({
  run: { kind: "text", value: "id", required: true, help: "The run" },
  "base-run": { kind: "text", value: "id", help: "The earlier run" },
  "base-sha": { kind: "text", value: "commit", help: "The run of this commit" },
  "gate-regressions": { kind: "boolean", help: "Exit by whether it is worse: 1 worse, 3 no verdict" },
  ...tuningFlags("--gate-regressions"),
  ...reportFlags,
  ...platformFlags,
});

export const unwaiveFlags = flags({
  run: { kind: "text", value: "id", required: true, help: "The run" },
  waiver: { kind: "text", value: "id", help: "Of its waivers this one; else the one in force" },
  ...platformFlags,
});
