/** @module What a drafted case asks: in a user's words, without the names of the tool and its parameters. Pure. */
import { canonicalJson, must } from "@fettle/contract/formats";
import { isObject, type Tool } from "@fettle/mcp";
import type { OfferedTool } from "../models/model.ts";
import { answerByRules } from "../models/rules/rule-model.ts";
import { goalOf, ordersOf } from "./spoken-goal.ts";
import type { Samples } from "./tool-ground.ts";

export interface DraftQuestion {
  prompt: string;
  /** The rules find this tool with it among all that are offered, with these arguments. */
  isClear: boolean;
}

export interface Questions {
  /**
   * Of all ways to ask for it, the first that the rules understand with the tools' descriptions and not without; then the first
   * that they understand; then the plainest.
   *
   * @example
   * questionsAbout(tools).questionFor(getForecast, [["city", "Paris"]]).prompt // 'Show the weather of tomorrow in "Paris".'
   */
  questionFor(tool: Tool, samples: Samples): DraftQuestion;
  /** None of the tools is of use for it. */
  isBeside(prompt: string): boolean;
}

/** About everything that a model chooses among. */
export function questionsAbout(offered: readonly Tool[]): Questions {
  const names = new Set(offered.map(({ name }) => name));
  const described = offered.map(asOffered);
  const bare = described.map((tool) => ({ ...tool, description: "" }));
  return {
    questionFor(tool, samples) {
      const prompts = ordersOf(tool, names).map((order) => `${goalOf(order, samples)}.`);
      const wanted = canonicalJson(Object.fromEntries(samples));
      const leadsTo = (prompt: string, tools: readonly OfferedTool[]) => {
        const call = firstCall(prompt, tools);
        return call?.name === tool.name && canonicalJson(call.arguments) === wanted;
      };
      const clear = prompts.filter((prompt) => leadsTo(prompt, described));
      const prompt = clear.find((one) => !leadsTo(one, bare)) ?? clear[0];
      const [plainest] = prompts;
      return {
        prompt: must(prompt ?? plainest, "an order by the tool's name"),
        isClear: prompt !== undefined,
      };
    },
    isBeside: (prompt) => firstCall(prompt, described) === undefined,
  };
}

const asOffered = ({ name, description, inputSchema, annotations }: Tool): OfferedTool => ({
  name,
  description: typeof description === "string" ? description : "",
  inputSchema,
  ...(isObject(annotations) && annotations.destructiveHint === true && { isDestructive: true }),
});

function firstCall(prompt: string, tools: readonly OfferedTool[]) {
  const { parts } = answerByRules({
    messages: [{ role: "user", text: prompt }],
    tools,
    toolChoice: "auto",
    parameters: {},
    now: 0,
    position: { prompt: 0, step: 0 },
  });
  return parts.find((part) => part.type === "tool-call");
}
