/** @module How far simulated visitors lie from real ones: measured, listed and read. */
import { operationCommand } from "../../../cloud/operation-command.ts";
import { command } from "../../../program/command.ts";
import { calibrateFlags } from "./calibration-flags.ts";
import { paged } from "./insights.ts";

const whose = ({ source }: { source: { kind: string; name?: string; set?: string } }) =>
  source.name ?? `${source.set} (shipped)`;

const ofOne = { calibration: { parameter: "calibrationId", value: "id", help: "The calibration" } } as const;

const text = { load: async () => (await import("./calibration-text.ts")).calibrationText };

export const calibrationCommands = [
  operationCommand({
    operation: "estimateCalibration",
    name: "cloud journeys calibration-estimate",
    summary: "What a calibration would do, and cost at most",
    flags: {
      scenario: { field: "scenarioId", value: "id", help: "Sessions of its visitors; else the shipped set" },
      environment: {
        field: "environmentId",
        find: "environment",
        value: "id-or-name",
        help: "Where they are played again",
      },
    },
    examples: { Estimate: 'fettle cloud journeys calibration-estimate --environment "Bookshop desk"' },
    shows: "outline",
  }),
  command({
    name: "cloud journeys calibrate",
    section: "cloud",
    operations: ["createCalibration"],
    summary: "Measure how far simulated visitors lie from real ones",
    description: [
      "Recorded sessions are played again with the persona driver in the visitor's place. Where the environment speaks with a model, that plays the visitors and may cost something. With --wait: 0 when there is a report, 1 when it could not be made.",
    ],
    arguments: {},
    flags: calibrateFlags,
    examples: [
      {
        command: 'fettle cloud journeys calibrate --environment "Bookshop desk" --wait',
        does: "By the set that comes with the service",
      },
      { command: "fettle cloud journeys calibrate --scenario scn_1 --wait", does: "By your own visitors" },
    ],
    load: () => import("./calibrate.ts"),
  }),
  operationCommand({
    operation: "listCalibrations",
    name: "cloud journeys calibrations",
    summary: "List a project's calibrations, newest first",
    flags: paged,
    examples: { List: "fettle cloud journeys calibrations" },
    shows: {
      noun: "calibration",
      table: {
        ID: "id",
        STATE: "status",
        ERROR: ({ report }) => report?.overall.error?.toFixed(2) ?? "",
        DRIVER: "personaDriver",
        SESSIONS: "sessionsTotal",
        VISITORS: whose,
        STARTED: ({ createdAt }) => new Date(createdAt).toISOString(),
      },
      shrinks: ["VISITORS"],
    },
  }),
  operationCommand({
    operation: "getCalibration",
    name: "cloud journeys calibration",
    summary: "Show a calibration with its report",
    flags: ofOne,
    examples: { Show: "fettle cloud journeys calibration --calibration cal_1" },
    shows: text,
  }),
  operationCommand({
    operation: "cancelCalibration",
    name: "cloud journeys cancel-calibration",
    summary: "Cancel a calibration; what was played is kept out of every scorecard",
    flags: ofOne,
    examples: { Cancel: "fettle cloud journeys cancel-calibration --calibration cal_1" },
    shows: text,
  }),
];
