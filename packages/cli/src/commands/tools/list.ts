/** @module `fettle tools list`: what a server offers to a model, as the server says it or as one host would see it. */
import { judgeInputSchemas, madeArguments, toolsMetadataOf } from "@fettle/checks";
import { isObject, type Tool } from "@fettle/mcp";
import { argumentNames, listFacts, listOptions, oneLine, warnOfList } from "../../connection/lists.ts";
import { warnOfWire, withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { toolsListFlags } from "./flags.ts";

export async function run(call: Call<typeof toolsListFlags, NoArguments>): Promise<Outcome> {
  const { flags, print } = call;
  return withServer(call, async ({ connection, plan, deadline }) => {
    const walk = await connection.listTools(listOptions(flags, deadline));
    warnOfList(print, walk);
    warnOfWire(print, judgeInputSchemas(walk.items, connection.protocolVersion), plan);
    const { items: tools, toolsDroppedVisibility } = walk;
    return {
      value: {
        tools,
        ...listFacts(walk),
        toolsMetadata: toolsMetadataOf(tools),
        // A rough figure that needs no tokenizer; `tools cost` counts.
        ...(flags.modelId !== undefined && { tokenCount: Math.ceil(JSON.stringify(tools).length / 4) }),
        ...(plan.host && { host: plan.host.id, toolsDroppedVisibility: toolsDroppedVisibility ?? 0 }),
      },
      human: (view) => toolTable(tools, toolsDroppedVisibility ?? 0, view),
      // Only people are told, and making arguments takes its time.
      ...(print.format === "human" && { hint: callToTry(tools) }),
    };
  });
}

/** Of the first tool if arguments can be made for it, else of the first that needs none. */
function callToTry(tools: readonly Tool[]): Text | undefined {
  const free = tools.find(({ inputSchema }) => needsNothing(inputSchema));
  const [first = free] = tools;
  if (first === undefined) return undefined;
  const made = first === free ? {} : madeArguments(first.inputSchema);
  const tool = made ? first : free;
  return (
    tool && suggest(["tools", "call"], ["--tool-name", tool.name, "--tool-args", JSON.stringify(made ?? {})])
  );
}

function needsNothing(schema: unknown): boolean {
  return !(isObject(schema) && Array.isArray(schema.required) && schema.required.length > 0);
}

function toolTable(tools: readonly Tool[], dropped: number, { width }: View): Text {
  const rows = tools.map(({ name, description, inputSchema }) => [
    style.bold(name),
    argumentNames(inputSchema),
    oneLine(description),
  ]);
  const columns = [
    { header: "TOOL" },
    { header: "ARGUMENTS", shrinks: true },
    { header: "DESCRIPTION", shrinks: true },
  ];
  const hidden =
    dropped > 0 ? text`, and ${count(dropped, "tool")} this host does not show to its model` : "";
  return lines([
    ...(rows.length > 0 ? [table(columns, rows, width), ""] : []),
    text`${count(tools.length, "tool")}${hidden}`,
  ]);
}
