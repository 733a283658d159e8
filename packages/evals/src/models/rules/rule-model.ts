/**
 * @module `fettle/rules-1`: an agent of fixed rules for smoke tests, demos and plumbing, with no key, no cost and the same
 * answer every time. It matches words; it does not understand. It says so wherever it appears.
 */

import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract/formats";
import { isObject } from "@fettle/mcp";
import { digestOf } from "../../digest.ts";
import type { AssistantPart, Message, ToolCallPart, ToolMessage } from "../messages.ts";
import type { Model, ModelAnswer, ModelRequest } from "../model.ts";
import { ruleModelId } from "../model-name.ts";
import { estimateTokens } from "../spend.ts";
import { type Catalogue, type Choice, chooseTool, readCatalogue } from "./choose-tool.ts";
import { asksForNoCall, clausesOf } from "./clauses.ts";
import { fillAnswer, type Recall } from "./fill-arguments.ts";

export const ruleModelNotice =
  "fettle/rules-1 is a built-in set of fixed rules that matches words. It is no language model, and its results say nothing about one.";

const mostCalls = 6;
/** More of a message is not read: the rules look at a text several times over. */
const longestRead = 8_000;
const longestRendering = 500;

export function ruleModel(): Model {
  return {
    id: ruleModelId,
    provider: "fettle",
    modelClass: "rules",
    deterministic: true,
    notice: ruleModelNotice,
    async generate(request, { onDelta }) {
      const answer = answerByRules(request);
      for (const part of answer.parts) {
        if (part.type === "text") onDelta?.({ kind: "text", text: part.text });
        if (part.type === "tool-call") {
          onDelta?.({ kind: "tool-call", toolCallId: part.toolCallId, name: part.name });
        }
      }
      return answer;
    },
  };
}

/** Pure: the same request, the same answer, on every machine. */
export function answerByRules(request: ModelRequest): ModelAnswer {
  const { messages, responseSchema } = request;
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  const asked = last?.role === "user" ? last.text.slice(0, longestRead) : "";
  if (responseSchema) {
    return answer(request, [
      { type: "text", text: JSON.stringify(fillAnswer(responseSchema, asked, request.now)) },
    ]);
  }
  const { calls, results } = callsAfter(messages, at);
  const step = nextStep(request, asked, messages.slice(0, at), calls, results);
  if (step.kind === "text") return answer(request, [{ type: "text", text: step.text }]);
  const { tool, filling, ambiguous } = step.choice;
  const { system, tools, toolChoice } = request;
  const digest = digestOf({ system, messages, tools, toolChoice });
  const hash = createHash("sha256").update(`${digest}${calls.length}`).digest("hex");
  const call: ToolCallPart = {
    type: "tool-call",
    toolCallId: `call_${hash.slice(0, 12)}`,
    name: tool.name,
    arguments: filling.arguments,
  };
  return { ...answer(request, [call]), ...(ambiguous && { ambiguous: true }) };
}

type Step = { kind: "call"; choice: Choice } | { kind: "text"; text: string };

function nextStep(
  request: ModelRequest,
  asked: string,
  earlier: readonly Message[],
  calls: readonly ToolCallPart[],
  results: readonly ToolMessage[],
): Step {
  const { tools, toolChoice, now } = request;
  const told = (text: string): Step => ({ kind: "text", text });
  const isForced = toolChoice === "required" && calls.length === 0;
  if (results.some(({ isError }) => isError)) return told(render(results));
  if (tools.length === 0) return told("No tool is offered, so there is nothing I can do.");
  if (toolChoice === "none") return told("I was asked to use no tool.");
  if (asksForNoCall(asked) && !isForced) return told("I use tools only for what they are asked to do.");
  if (calls.length >= mostCalls) return told(render(results));
  const catalogue = catalogueOf(tools);
  const clauses = clausesOf(asked);
  let done = 0;
  for (const clause of clauses.length === 0 && isForced ? [asked] : clauses) {
    const recall = recallFrom([...earlier, ...results.slice(0, done)]);
    const choice = chooseTool(catalogue, clause, now, recall);
    if (!choice || (!choice.isGood && !isForced)) continue;
    const { filling, tool } = choice;
    if (filling.missing.length > 0 && !isForced) return told(clarify(tool.name, filling.missing, results));
    const isRepeated = calls
      .slice(0, done)
      .some((call) => call.name === tool.name && sameArguments(call.arguments, filling.arguments));
    if (isRepeated) continue;
    if (done === calls.length) return { kind: "call", choice };
    done++;
  }
  return told(results.length === 0 ? "None of the tools fits this request." : render(results));
}

function sameArguments(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** What was called since the user spoke, and what came of it. */
function callsAfter(
  messages: readonly Message[],
  at: number,
): { calls: ToolCallPart[]; results: ToolMessage[] } {
  const after = messages.slice(at + 1);
  return {
    calls: after.flatMap((message) =>
      message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [],
    ),
    results: after.filter((message) => message.role === "tool"),
  };
}

/** The tools are the same list at every step of a run. */
const catalogues = new WeakMap<ModelRequest["tools"], Catalogue>();

function catalogueOf(tools: ModelRequest["tools"]): Catalogue {
  const known = catalogues.get(tools) ?? readCatalogue(tools);
  catalogues.set(tools, known);
  return known;
}

function clarify(tool: string, missing: readonly string[], results: readonly ToolMessage[]): string {
  const question = `For ${tool} I need ${missing.join(" and ")}. Please say what to use.`;
  return results.length === 0 ? question : `${render(results)}\n${question}`;
}

function render(results: readonly ToolMessage[]): string {
  return results
    .map(({ name, text, isError }) => `${name}${isError ? " failed" : ""}: ${clip(text)}`)
    .join("\n");
}

function clip(text: string): string {
  return text.length <= longestRendering ? text : `${text.slice(0, longestRendering - 1)}…`;
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function recallFrom(messages: readonly Message[]): Recall {
  return (name) => {
    for (const message of messages.toReversed()) {
      if (message.role !== "tool" || message.isError) continue;
      const found = valueNamed(parsed(message.text), plain(name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueNamed(value: unknown, name: string): string | number | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = valueNamed(item, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (plain(key) === name && (typeof item === "string" || typeof item === "number")) return item;
    const found = valueNamed(item, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function answer(request: ModelRequest, parts: AssistantPart[]): ModelAnswer {
  const { system = "", messages, tools } = request;
  const input = estimateTokens(system + JSON.stringify([messages, tools]));
  const output = estimateTokens(JSON.stringify(parts));
  return {
    parts,
    finishReason: parts.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop",
    usage: { input, output, total: input + output, estimated: true },
    warnings: [],
  };
}
