/** @module `fettle tools cost`: what the tool definitions cost a model each time it is asked anything, host by host. */
import { type HostCost, toolCosts } from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { type HostProfile, loadHost } from "@fettle/mcp";
import { asUsageError } from "../../connection/failure.ts";
import { warnOfList } from "../../connection/lists.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { type Column, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { toolsCostFlags } from "./flags.ts";

/** One of each way to send them, and the hosts most people have. */
const usualHosts = ["claude", "chatgpt", "cursor"];

export async function run(call: Call<typeof toolsCostFlags, NoArguments>): Promise<Outcome> {
  const { host: names, budget, ...flags } = call.flags;
  const profiles = await findHosts(names.length > 0 ? names : usualHosts);
  // Listed as ourselves: what each host would drop is worked out afterwards.
  return withServer({ ...call, flags }, async ({ connection, deadline }) => {
    const walk = await connection.listTools({ signal: deadline.signal });
    warnOfList(call.print, walk);
    const hosts = await toolCosts(walk.items, profiles);
    const withinBudget = budget === undefined || hosts.every(({ totalTokens }) => totalTokens <= budget);
    return {
      value: { hosts, ...(budget !== undefined && { budget, withinBudget }) },
      human: (view) => costTable(hosts, budget, view),
      exitCode: withinBudget ? exitCodes.ok : exitCodes.failed,
    };
  });
}

async function findHosts(names: readonly string[]): Promise<HostProfile[]> {
  try {
    return await Promise.all([...new Set(names)].map(loadHost));
  } catch (error) {
    throw asUsageError(error);
  }
}

function costTable(hosts: readonly HostCost[], budget: number | undefined, { width }: View): Text {
  const names = [...new Set(hosts.flatMap(({ tools }) => tools.map(({ name }) => name)))];
  const columns: Column[] = [
    { header: "TOOL", shrinks: true },
    ...hosts.map(({ label }) => ({ header: label.toUpperCase(), align: "right" as const })),
  ];
  const cost = ({ tools }: HostCost, name: string) => tools.find((tool) => tool.name === name)?.tokens;
  const rows = names.map((name) => [
    style.bold(name),
    ...hosts.map((host) => tokens(host, cost(host, name))),
  ]);
  const total = [style.bold("total"), ...hosts.map((host) => tokens(host, host.totalTokens))];
  const over = hosts.filter(({ totalTokens }) => budget !== undefined && totalTokens > budget);
  const notes = new Set(hosts.map(({ note }) => note));
  return lines([
    table(columns, [...rows, total], width),
    "",
    ...[...notes].map((note) => style.dim(note)),
    ...over.map(
      ({ label, totalTokens }) =>
        text`${style.red("✗")} ${label}: ${totalTokens} tokens, over the budget of ${budget ?? 0}`,
    ),
    ...(budget !== undefined && over.length === 0
      ? [text`${style.green("✓")} within the budget of ${budget}`]
      : []),
  ]);
}

/** An estimate looks like one. */
function tokens({ accuracy }: HostCost, count: number | undefined): string {
  if (count === undefined) return "-";
  return accuracy === "estimate" ? `~${count}` : String(count);
}
