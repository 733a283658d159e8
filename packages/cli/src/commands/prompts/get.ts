/** @module `fettle prompts get`: a prompt with its blanks filled in. */
import { isObject } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { oneSpelling } from "../../connection/aliases.ts";
import { blockText } from "../../connection/content.ts";
import { interaction } from "../../connection/interactive.ts";
import { namingNear } from "../../connection/near-offers.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { promptsGetFlags } from "./flags.ts";

export async function run(call: Call<typeof promptsGetFlags, NoArguments>): Promise<Outcome> {
  const { flags, input } = call;
  const name = oneSpelling(flags, ["prompt-name", "name"]);
  if (flags.interactive && flags.promptArgs === "-") {
    throw usageError("--interactive reads the terminal; --prompt-args cannot read stdin too.");
  }
  const given =
    flags.promptArgs === undefined ? {} : await input.jsonObject("--prompt-args", flags.promptArgs);
  const options = interaction(call);
  return withServer(
    call,
    async ({ connection, deadline }) => {
      const { signal } = deadline;
      const offered = async () =>
        (await connection.listPrompts({ signal })).items.map((prompt) => prompt.name);
      const getting = connection.getPrompt(name, asTexts(given), { signal });
      const content = await namingNear("prompt", name, offered, getting);
      const messages = Array.isArray(content.messages) ? content.messages.filter(isObject) : [];
      return {
        value: { content },
        human: () =>
          lines(
            messages.flatMap(({ role, content: said }) => [
              style.bold(text`${String(role)}`),
              lines([said].flat().map(blockText)),
            ]),
          ),
      };
    },
    options,
  );
}

/** Arguments of prompts are texts; a number or a list is sent as it was written. */
function asTexts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
