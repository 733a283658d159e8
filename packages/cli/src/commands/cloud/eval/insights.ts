/** @module `cloud eval insights` and asking for them. */
import { operationCommand } from "../../../cloud/operation-command.ts";
import { envelopeText } from "../../../output/envelope-text.ts";
import { style, text } from "../../../output/text.ts";
import { run } from "./runs.ts";

export const cloudEvalInsightsCommands = [
  operationCommand({
    operation: "getEvalRun",
    name: "cloud eval insights",
    summary: "What went wrong in a run, whose it is to mend, and how",
    description: [
      "Problems are found without a model as soon as a run has ended, and cost nothing; request-insights adds a model's words where the deployment has one for that. Members of the workspace see them.",
    ],
    flags: { run },
    examples: { "Of one run": "fettle cloud eval insights --run evr_1" },
    value: ({ id: runId, insights }, { project }) => ({ project, runId, insights: insights ?? null }),
    shows: {
      text: ({ insights }) =>
        insights ? envelopeText(insights) : text`Insights are for members of the workspace.`,
    },
    next: ({ id, insights }) =>
      insights?.status === "not_requested" ? `fettle cloud eval request-insights --run ${id}` : undefined,
  }),
  operationCommand({
    operation: "requestEvalRunInsights",
    name: "cloud eval request-insights",
    summary: "Ask for insights over a run; a model that is set up for it spends",
    description: [
      "Answers at once that it is asked for. Without a model for insights it looks again for free. What a model wrote is written again only with --force.",
    ],
    flags: { run, force: { field: "force", help: "Write again what is written, which spends again" } },
    examples: { "Of one run": "fettle cloud eval request-insights --run evr_1" },
    value: (answer, { project }) => ({ project, insights: answer }),
    shows: { text: ({ runId }) => text`${style.green("✓")} ${style.bold(runId)} is being looked at` },
    next: ({ runId }) => `fettle cloud eval insights --run ${runId}`,
  }),
  operationCommand({
    operation: "cancelEvalRunInsights",
    name: "cloud eval cancel-insights",
    summary: "Stop insights that are being made; earlier findings stay",
    flags: { run },
    examples: { "Stop it": "fettle cloud eval cancel-insights --run evr_1" },
    value: (insights, { project }) => ({ project, insights }),
    shows: { text: envelopeText },
  }),
];
