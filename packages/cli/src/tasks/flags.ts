/** @module The flags of commands that make or follow tasks. */
import { limits } from "@fettle/contract/core";
import { flags } from "../program/flag.ts";

export const watchFlags = flags({
  "duration-ms": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: "300000",
    help: "Longest time to watch",
  },
  "poll-interval-ms": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    help: "Between looks; else the server's wish",
  },
  "max-input-rounds": {
    kind: "integer",
    min: 0,
    value: "count",
    defaultNote: "10",
    help: "Questions to answer",
  },
  "max-consecutive-errors": {
    kind: "integer",
    min: 1,
    value: "count",
    defaultNote: "3",
    help: "Failed looks in a row before giving up",
  },
});

export const wireFlag = flags({
  wire: {
    kind: "choice",
    choices: ["legacy", "extension"],
    value: "wire",
    help: "Insist on the tasks of 2025-11-25 or 2026-07-28",
  },
});
