/** @module What of `cloud user-testing` is about findings over visitors' sessions. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor } from "../../cloud/paging-flags.ts";
import { envelopeText } from "../../output/envelope-text.ts";
import { style, text } from "../../output/text.ts";

export const scenario = {
  parameter: "scenarioId",
  find: "scenario",
  value: "id-or-name",
  help: "The scenario",
} as const;
export const limit = { field: "limit", value: "n", help: "How many" } as const;
const window = {
  parameter: "windowId",
  value: "id",
  help: "The window, as asking answered with it",
} as const;
const finding = { parameter: "findingId", value: "id", help: "The finding" } as const;

export const userTestingInsightsCommands = [
  operationCommand({
    operation: "getUserTestingSignals",
    name: "cloud user-testing signals",
    summary: "Show what the latest window showed, counted",
    description: [
      "A window is the last seven days. It is looked at every night, and whenever somebody asks.",
    ],
    flags: { scenario },
    examples: { "What showed": "fettle cloud user-testing signals --scenario Shop" },
    shows: "outline",
    warns: ({ dataStale }) =>
      dataStale ? "Sessions or ratings came since; ask for insights to have them looked at." : undefined,
  }),
  operationCommand({
    operation: "listUserTestingFindings",
    name: "cloud user-testing findings",
    summary: "List a scenario's problems, the last seen first",
    flags: { scenario, limit, cursor },
    examples: { "How each fares": "fettle cloud user-testing findings --scenario Shop" },
    shows: {
      noun: "finding",
      table: {
        ID: "id",
        FINDING: ({ finding: { title } }) => title,
        SEVERITY: ({ finding: { severity } }) => severity,
        STATUS: ({ status, dismissedAt }) => (dismissedAt === null ? status : `${status}, dismissed`),
        WINDOWS: "occurrenceCount",
      },
      shrinks: ["FINDING"],
    },
  }),
  operationCommand({
    operation: "getUserTestingWindowInsights",
    name: "cloud user-testing insights",
    summary: "What went wrong for visitors in a window, whose it is to mend, and how",
    description: [
      "The latest window's are also part of `cloud user-testing get`. Members of the workspace see them.",
    ],
    flags: { scenario, window },
    examples: { "Of one window": "fettle cloud user-testing insights --scenario Shop --window uw_1" },
    value: ({ insights, ...window }, { project }) => ({ project, ...window, insights }),
    shows: { text: ({ insights }) => envelopeText(insights) },
  }),
  operationCommand({
    operation: "requestUserTestingInsights",
    name: "cloud user-testing request-insights",
    summary: "Ask for insights over seven days, in a model's words if it has one (spends)",
    description: [
      "Answers at once with the window. Without a model for insights it looks again for free. What a model wrote is written again when sessions or ratings came since, or with --force.",
    ],
    flags: { scenario, force: { field: "force", help: "Write again what is written, which spends again" } },
    examples: { Ask: "fettle cloud user-testing request-insights --scenario Shop" },
    value: (answer, { project }) => ({ project, insights: answer }),
    shows: { text: ({ windowId }) => text`${style.green("✓")} ${style.bold(windowId)} is being looked at` },
    next: ({ scenarioId, windowId }) =>
      `fettle cloud user-testing insights --scenario ${scenarioId} --window ${windowId}`,
  }),
  operationCommand({
    operation: "cancelUserTestingInsights",
    name: "cloud user-testing cancel-insights",
    summary: "Stop insights that are being made; earlier findings stay",
    flags: { scenario, window: { field: "windowId", value: "id", help: "The window" } },
    examples: { "Stop it": "fettle cloud user-testing cancel-insights --scenario Shop --window uw_1" },
    shows: {
      text: ({ windowId }) => text`${style.green("✓")} Nothing is being made of ${style.bold(windowId)}`,
    },
  }),
  operationCommand({
    operation: "dismissUserTestingFinding",
    name: "cloud user-testing dismiss-finding",
    summary: "Set a problem aside; it stays so however often it is seen again",
    flags: { scenario, finding },
    examples: { Dismiss: "fettle cloud user-testing dismiss-finding --scenario Shop --finding rf_1" },
    shows: { text: ({ id }) => text`${style.green("✓")} ${style.bold(id)} is dismissed` },
  }),
  operationCommand({
    operation: "undismissUserTestingFinding",
    name: "cloud user-testing undismiss-finding",
    summary: "Bring a dismissed problem back",
    flags: { scenario, finding },
    examples: { "Bring back": "fettle cloud user-testing undismiss-finding --scenario Shop --finding rf_1" },
    shows: { text: ({ id }) => text`${style.green("✓")} ${style.bold(id)} is back` },
  }),
];
