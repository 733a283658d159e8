/** @module `cloud projects servers schedule`: checking a saved server by itself, every night or at another interval. */
import { limits } from "@fettle/contract/core";
import type { ConformanceSchedule } from "@fettle/contract/servers";
import { operationCommand } from "../../cloud/operation-command.ts";
import { switched } from "../../input/on-or-off.ts";
import { count } from "../../output/table.ts";
import { lines, style, text } from "../../output/text.ts";
import { flags } from "../../program/flag.ts";
import { server } from "./server-history.ts";

const schedule = "fettle cloud projects servers schedule";

const switchFlags = flags({
  enable: { kind: "boolean", help: "Check it at an interval" },
  disable: { kind: "boolean", help: "Stop; the interval is kept" },
});

const shows = {
  text: ({ enabled, intervalMinutes, suites, state, lastError, nextRunAt }: ConformanceSchedule) =>
    enabled
      ? lines([
          text`${style.green("✓")} Checked every ${count(intervalMinutes ?? 0, "minute")}, ${suites?.join(", ") ?? "every suite"}`,
          ...(nextRunAt === null ? [] : [text`Next at ${new Date(nextRunAt).toISOString()}`]),
          ...(lastError === null ? [] : [text`${style.yellow(state)}: ${lastError}`]),
        ])
      : text`Checked only when somebody asks.`,
};

export const cloudServerScheduleCommands = [
  operationCommand({
    operation: "getConformanceSchedule",
    name: "cloud projects servers schedule",
    summary: "Show when a server is checked by itself",
    flags: { server },
    examples: { Show: `${schedule} --server Shop` },
    shows,
  }),
  operationCommand({
    operation: "updateConformanceSchedule",
    name: "cloud projects servers schedule update",
    summary: "Check a server at an interval, or stop doing so",
    description: [
      `Each run is made as you, with the rights you have then. Intervals are ${limits.evals.scheduleIntervalMinutes.min} to ${limits.evals.scheduleIntervalMinutes.max} minutes; the first run comes one interval from now.`,
    ],
    needsNamedProject: true,
    flags: {
      server,
      ...switchFlags,
      interval: { field: "intervalMinutes", value: "minutes", help: "How far apart the runs are" },
      suites: { field: "suites", value: "suite", help: "Every suite the service can run, unless said" },
    },
    body: ({ flags: said }, fields) => ({ ...fields, ...switched(said) }),
    examples: {
      "Every day": `${schedule} update --server Shop --enable --interval 1440`,
      Stop: `${schedule} update --server Shop --disable`,
    },
    shows,
  }),
];
