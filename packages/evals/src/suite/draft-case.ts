/** @module One case of one tool, to be corrected by a person, and cases that no tool is of use for. The same tools give the same cases. */
import { limits } from "@fettle/contract/core";
import { isAppOnlyTool, type Tool } from "@fettle/mcp";
import type { Questions } from "./draft-question.ts";
import type { SuiteCase } from "./suite-file.ts";
import { groundOf, type Samples } from "./tool-ground.ts";

/** More would be read by nobody. */
const mostTools = 100;

/** What a case can be made of. */
export function usableTools(tools: readonly Tool[]): Tool[] {
  return tools
    .filter(
      (tool) =>
        typeof tool.name === "string" &&
        tool.name.trim() !== "" &&
        tool.name.length <= limits.suiteFile.nameLength &&
        // For a widget, and never offered to a model.
        !isAppOnlyTool(tool),
    )
    .slice(0, mostTools);
}

export function draftCase(tool: Tool, id: string, serverName: string, questions: Questions): SuiteCase {
  const { samples, isSaid, harm, unknown } = groundOf(tool);
  const { prompt, isClear } = questions.questionFor(tool, samples);
  // Harm, or what nobody knows: a draft that nobody has read yet must not lead to a call.
  const why = harm ?? unknown ?? (isSaid && !isClear ? unclear : undefined);
  return {
    id,
    title: `${isSaid ? "Uses" : "Calls"} ${tool.name}`,
    ...(why && { intent: `${why.reason}: ${why.remedy}.`, disabled: true }),
    steps: isSaid ? spokenSteps(tool.name, prompt, samples) : calledSteps(tool.name, serverName, samples),
  };
}

const unclear = {
  reason: "The built-in rules do not find this tool with this prompt",
  remedy: "write what a user would ask, then enable the case",
};

function spokenSteps(toolName: string, prompt: string, samples: Samples): SuiteCase["steps"] {
  const args = Object.fromEntries(samples);
  return [
    { id: "ask", kind: "prompt", prompt },
    { id: "called", kind: "assert", assertion: { type: "toolCalledWith", toolName, args: { args } } },
    { id: "answered", kind: "assert", assertion: { type: "finalAssistantMessageNonEmpty" } },
  ];
}

/** Nobody says a list of objects: the call is made as it is, without a model. */
function calledSteps(toolName: string, serverName: string, samples: Samples): SuiteCase["steps"] {
  return [
    { id: "call", kind: "toolCall", serverName, toolName, arguments: Object.fromEntries(samples) },
    { id: "worked", kind: "assert", assertion: { type: "noToolErrors" } },
  ];
}

/** What people say besides: no server is there for all of it. */
const besides = [
  ["Says who wrote a novel without calling a tool", "Who wrote the novel Moby Dick?"],
  ["Writes two lines about rain without calling a tool", "Write me two lines about rain in autumn."],
  ["Explains a word without calling a tool", "Explain what the word serendipity means."],
  ["Takes thanks without calling a tool", "Thanks, that was all for today."],
  ["Gives an opinion without calling a tool", "Do you like jazz better than opera?"],
  ["Tells a joke without calling a tool", "Tell me a joke about penguins."],
  ["Counts the legs of a spider without calling a tool", "How many legs has a spider?"],
] as const;
const mostNegative = 2;

/** Nothing that is offered is of use for these, so no tool is called. */
export function negativeCases({ isBeside }: Questions, most = mostNegative): Omit<SuiteCase, "id">[] {
  return besides
    .filter(([, prompt]) => isBeside(prompt))
    .slice(0, most)
    .map(([title, prompt]) => ({
      title,
      isNegativeTest: true,
      steps: [{ id: "ask", kind: "prompt", prompt }],
    }));
}
