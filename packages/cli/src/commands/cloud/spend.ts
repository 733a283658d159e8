/** @module `cloud organizations spend`: what an organization's models cost. */
import type { ModelSpend } from "@fettle/contract/models";
import { operationCommand } from "../../cloud/operation-command.ts";
import { table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";

const tableWidth = 100;

type Amounts = ModelSpend["today"];

export const cloudSpendCommands = [
  operationCommand({
    operation: "getModelSpend",
    name: "cloud organizations spend",
    summary: "Show what an organization's models cost",
    description: [
      "Unsettled calls have no recorded result: they are still running, or their process stopped. Their estimate is not part of the cost. For admins of the organization.",
    ],
    asks: ({ org }) => `organization ${org}`,
    flags: {
      org: {
        parameter: "organizationId",
        find: "organization",
        value: "id-or-name",
        help: "The organization",
      },
      days: { field: "days", value: "n", help: "Number of days, today included" },
    },
    examples: {
      "Today and the last 30 days": "fettle cloud organizations spend --org Acme",
      "One week": "fettle cloud organizations spend --org Acme --days 7",
    },
    shows: { text: spendText },
  }),
];

function spendText({ today, reservedUsd, dailyCapUsd, deploymentCapUsd, days, byModel }: ModelSpend): Text {
  const caps = [dailyCapUsd, deploymentCapUsd].filter((cap) => cap !== null);
  const limit = caps.length === 0 ? "none" : `${dollars(Math.min(...caps))} a day`;
  return lines([
    text`${style.bold("Today")}: ${dollars(today.costUsd)}, ${callsOf(today)}`,
    text`${style.bold("Reserved")}: ${dollars(reservedUsd)}`,
    text`${style.bold("Daily limit")}: ${limit}`,
    "",
    style.bold(`Last ${days} days`),
    byModel.length === 0 ? "No model calls" : modelTable(byModel),
  ]);
}

function callsOf({ calls, unpricedCalls, unsettledCalls, unsettledUsd }: Amounts): string {
  const parts = [`${calls} ${calls === 1 ? "call" : "calls"}`];
  if (unpricedCalls > 0) parts.push(`${unpricedCalls} without a price`);
  if (unsettledCalls > 0) parts.push(`${unsettledCalls} unsettled (estimate: ${dollars(unsettledUsd)})`);
  return parts.join(", ");
}

function modelTable(byModel: ModelSpend["byModel"]): Text {
  return table(
    [
      { header: "MODEL", shrinks: true },
      { header: "CALLS", align: "right" },
      { header: "COST", align: "right" },
      { header: "UNSETTLED", align: "right" },
      { header: "ESTIMATE", align: "right" },
    ],
    byModel.map((row) => [
      row.model,
      row.calls,
      dollars(row.costUsd),
      row.unsettledCalls,
      row.unsettledCalls === 0 ? "-" : dollars(row.unsettledUsd),
    ]),
    tableWidth,
  );
}

function dollars(usd: number | null): string {
  return usd === null ? "unknown" : `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}
