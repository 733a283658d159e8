/** @module A model that says what a test wrote down, step by step; its requests are kept. */
import type { JsonObject } from "@fettle/mcp";
import type { AssistantPart } from "../../models/messages.ts";
import type { Model, ModelAnswer, ModelRequest } from "../../models/model.ts";

export type Say = string | AssistantPart[] | Partial<ModelAnswer> | Error;

export interface ScriptedModel extends Model {
  requests: ModelRequest[];
}

let count = 0;

export const call = (name: string, args: JsonObject = {}, toolCallId = `c${++count}`): AssistantPart => ({
  type: "tool-call",
  toolCallId,
  name,
  arguments: args,
});

/** After the last one it says "done". */
export function scriptedModel(
  steps: (Say | ((request: ModelRequest) => Say | Promise<Say>))[],
  facts: Partial<Model> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: "test/scripted",
    provider: "test",
    modelClass: "live",
    deterministic: true,
    requests,
    ...facts,
    async generate(request, { onDelta }) {
      const step = steps[requests.length];
      requests.push(structuredClone(request));
      const said = typeof step === "function" ? await step(request) : (step ?? "done");
      if (said instanceof Error) throw said;
      const parts: AssistantPart[] =
        typeof said === "string" ? [{ type: "text", text: said }] : Array.isArray(said) ? said : [];
      const finishReason = parts.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
      for (const part of parts) if (part.type === "text") onDelta?.({ kind: "text", text: part.text });
      const usage = { input: 10, output: 5, total: 15 };
      const more = typeof said === "object" && !Array.isArray(said) ? said : {};
      return { parts: structuredClone(parts), finishReason, usage, warnings: [], ...more };
    },
  };
}
