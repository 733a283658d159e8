/** @module `--interactive`: what a server asks of its client is put to the person, or declined when nobody is there. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import { lines, style, text } from "../output/text.ts";
import { blockText } from "./content.ts";
import { answerElicitation } from "./elicitation.ts";
import type { OpenOptions, ServerCall } from "./open-server.ts";
import { canAsk, openTerminal, type Terminal } from "./terminal.ts";

type InteractiveCall = Pick<ServerCall, "print" | "world"> & {
  flags: { interactive: boolean; yes: boolean };
};

export function interaction({ flags, print, world }: InteractiveCall): OpenOptions {
  if (!flags.interactive) {
    if (flags.yes) throw usageError("--yes only goes with --interactive.");
    return {};
  }
  const isAsked = canAsk(world) && !flags.yes;
  const terminal = openTerminal(world, print);
  return {
    openEnded: isAsked,
    handlers: {
      elicitation: async (params) => {
        if (isAsked) return answerElicitation(terminal, params);
        print.warn(text`Declined, because nobody is here to answer: ${String(params.message ?? "")}`);
        return { action: "decline" };
      },
      ...(isAsked && { sampling: (params: JsonObject) => answerSampling(terminal, params) }),
    },
    dispose: terminal.close,
  };
}

/** The person plays the model. */
async function answerSampling(terminal: Terminal, params: JsonObject): Promise<JsonObject> {
  const messages = Array.isArray(params.messages) ? params.messages.filter(isObject) : [];
  terminal.say(
    lines([
      text`\n${style.bold("The server asks the model:")}`,
      ...(typeof params.systemPrompt === "string"
        ? [text`  ${style.dim("system")}  ${params.systemPrompt}`]
        : []),
      ...messages.map(
        ({ role, content }) => text`  ${style.dim(String(role))}  ${lines([content].flat().map(blockText))}`,
      ),
    ]),
  );
  const reply = await terminal.ask(text`Reply as the model ${style.dim("(empty declines)")}`);
  if (!reply) throw new Error("The sampling request was declined");
  return {
    role: "assistant",
    model: "a-person",
    stopReason: "endTurn",
    content: { type: "text", text: reply },
  };
}
