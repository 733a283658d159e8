/** @module What of `cloud journeys` is about how runs came out: overview, scorecards, findings, and insights over waves. */
import { operationCommand } from "../../../cloud/operation-command.ts";
import { cursor } from "../../../cloud/paging-flags.ts";
import { style, text } from "../../../output/text.ts";

export const paged = {
  limit: { field: "limit", value: "n", help: "How many at most" },
  cursor,
} as const;
export const run = { parameter: "runId", value: "id", help: "The run" } as const;
const finding = { parameter: "findingId", value: "id", help: "The finding" } as const;
const wave = { parameter: "waveId", value: "label", help: "The wave, as its launches named it" } as const;

export const swarmInsightsCommands = [
  operationCommand({
    operation: "getSwarmOverview",
    name: "cloud journeys overview",
    summary: "The latest runs at a glance: what they came to, and which checks fail",
    examples: { Look: "fettle cloud journeys overview" },
    shows: { load: async () => (await import("./overview-text.ts")).overviewText },
  }),
  operationCommand({
    operation: "getJourneyRunScorecard",
    name: "cloud journeys scorecard",
    summary: "How the rubric of a run came out",
    flags: { run },
    examples: { Show: "fettle cloud journeys scorecard --run jrn_1" },
    shows: { load: async () => (await import("./calibration-text.ts")).scorecardText },
  }),
  operationCommand({
    operation: "listSwarmFindings",
    name: "cloud journeys findings",
    summary: "List problems that synthetic visitors met",
    flags: {
      dismissed: { field: "dismissed", help: "Only those that were set aside" },
      ...paged,
    },
    examples: {
      List: "fettle cloud journeys findings",
      "What was set aside": "fettle cloud journeys findings --dismissed",
    },
    shows: {
      noun: "finding",
      table: { ID: "id", STATUS: "status", TITLE: (found) => found.finding.title },
      shrinks: ["TITLE"],
    },
  }),
  operationCommand({
    operation: "dismissSwarmFinding",
    name: "cloud journeys dismiss-finding",
    summary: "Dismiss a finding; it stays in lists, marked",
    flags: { finding },
    examples: { Dismiss: "fettle cloud journeys dismiss-finding --finding rf_1" },
    shows: { text: ({ id }) => text`Dismissed ${id}` },
  }),
  operationCommand({
    operation: "undismissSwarmFinding",
    name: "cloud journeys undismiss-finding",
    summary: "Bring a dismissed finding back",
    flags: { finding },
    examples: { Restore: "fettle cloud journeys undismiss-finding --finding rf_1" },
    shows: { text: ({ id }) => text`Brought back ${id}` },
  }),
  operationCommand({
    operation: "getWaveInsights",
    name: "cloud journeys insights",
    summary: "What went wrong for the visitors of a wave, whose it is to mend, and how",
    description: [
      "How its launches went is told beside the findings, never as one. Members of the workspace see it.",
    ],
    flags: { wave },
    examples: { "Of one wave": "fettle cloud journeys insights --wave spring" },
    shows: { load: async () => (await import("./overview-text.ts")).waveText },
  }),
  operationCommand({
    operation: "requestWaveInsights",
    name: "cloud journeys request-insights",
    summary: "Ask for insights over a wave, in a model's words if it has one (spends)",
    description: [
      "Without a model for insights it looks again for free. What a model wrote is written again with --force.",
    ],
    flags: { wave, force: { field: "force", help: "Write again what is written, which spends again" } },
    examples: { Ask: "fettle cloud journeys request-insights --wave spring" },
    shows: { text: ({ waveId }) => text`${style.green("✓")} ${style.bold(waveId)} is being looked at` },
    next: ({ waveId }) => `fettle cloud journeys insights --wave ${waveId}`,
  }),
  operationCommand({
    operation: "cancelWaveInsights",
    name: "cloud journeys cancel-insights",
    summary: "Stop insights that are being made; earlier findings stay",
    flags: { wave },
    examples: { Stop: "fettle cloud journeys cancel-insights --wave spring" },
    shows: { text: ({ waveId }) => text`${style.green("✓")} Nothing is being made of ${style.bold(waveId)}` },
  }),
];
