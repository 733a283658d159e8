/** @module `fettle prompts list`: the prompts a server offers to people. */
import { isObject, type Prompt } from "@fettle/mcp";
import { listFacts, listOptions, oneLine, warnOfList } from "../../connection/lists.ts";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { listFlags } from "../resources/flags.ts";

export async function run(call: Call<typeof listFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, deadline }) => {
    const walk = await connection.listPrompts(listOptions(call.flags, deadline));
    warnOfList(call.print, walk);
    const rows = walk.items.map((prompt) => [
      style.bold(prompt.name),
      argumentsOf(prompt),
      oneLine(prompt.description),
    ]);
    const columns = [
      { header: "PROMPT" },
      { header: "ARGUMENTS", shrinks: true },
      { header: "DESCRIPTION", shrinks: true },
    ];
    const [first] = walk.items;
    return {
      value: { prompts: walk.items, ...listFacts(walk) },
      human: ({ width }) =>
        lines([...(rows.length > 0 ? [table(columns, rows, width), ""] : []), count(rows.length, "prompt")]),
      hint: first && suggest(["prompts", "get"], ["--prompt-name", first.name, ...requiredArguments(first)]),
    };
  });
}

/** Arguments of prompts are texts: any will do for a first look. */
function requiredArguments({ arguments: list }: Prompt): string[] {
  const required = (Array.isArray(list) ? list : []).filter(
    (argument) => isObject(argument) && argument.required === true && typeof argument.name === "string",
  );
  if (required.length === 0) return [];
  return ["--prompt-args", JSON.stringify(Object.fromEntries(required.map(({ name }) => [name, name])))];
}

function argumentsOf({ arguments: list }: Prompt): string {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return items.map(({ name, required }) => `${String(name)}${required === true ? "" : "?"}`).join(", ");
}
