/** @module A model's answer to what a server asks of one: written for the person who looks on, and sent by them alone. */
import { ApiError, limits, type OrganizationId, type ProjectId, type ServerId } from "@fettle/contract/core";
import { type Message, ModelError, type ModelRequest } from "@fettle/evals";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { modelFailure } from "../../models/failure.ts";
import { openModel } from "../../models/open-model.ts";

const { sampling } = limits.live.attended;

export interface SamplePlace {
  id: ProjectId;
  organizationId: OrganizationId;
  serverId: ServerId;
}

/** No tools are offered: all that the server gets of it is words, once the person sends them. */
export async function sampleForServer(
  app: App,
  { id: projectId, organizationId, serverId }: SamplePlace,
  { model: name, params }: { model: string; params: JsonObject },
  signal: AbortSignal,
) {
  const request = requestOf(params, app.now());
  const source = { kind: "sampling", id: serverId };
  const model = await openModel(app, { organizationId, projectId, name, source });
  const deadline = AbortSignal.timeout(sampling.ms);
  try {
    const answer = await model.generate(request, { signal: AbortSignal.any([signal, deadline]) });
    const text = answer.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    return {
      result: {
        role: "assistant" as const,
        content: { type: "text" as const, text },
        model: model.id,
        stopReason: answer.finishReason === "length" ? "maxTokens" : "endTurn",
      },
    };
  } catch (error) {
    if (deadline.aborted) throw new ApiError("TIMEOUT", `${name} did not answer in time.`);
    throw error instanceof ModelError ? modelFailure(error) : error;
  }
}

function requestOf(params: JsonObject, now: number): ModelRequest {
  const { systemPrompt, messages, maxTokens, temperature } = params;
  const wished = typeof maxTokens === "number" && maxTokens >= 1 ? Math.floor(maxTokens) : Infinity;
  return {
    ...(typeof systemPrompt === "string" && { system: systemPrompt }),
    messages: (Array.isArray(messages) ? messages : []).map(messageOf),
    tools: [],
    toolChoice: "none",
    parameters: {
      maxOutputTokens: Math.min(wished, sampling.outputTokens),
      ...(typeof temperature === "number" &&
        temperature >= 0 &&
        temperature <= limits.chat.temperature && { temperature }),
    },
    now,
    position: { prompt: 0, step: 0 },
  };
}

function messageOf(message: unknown): Message {
  const { role, content } = isObject(message) ? message : {};
  const blocks = Array.isArray(content) ? content : [content];
  const text = blocks
    .map((block: unknown) => {
      if (isObject(block) && block.type === "text" && typeof block.text === "string") return block.text;
      throw new ApiError("FEATURE_NOT_SUPPORTED", "Only texts are put to a model here.", {
        reason: "SAMPLING_CONTENT",
        hint: "Answer this one by hand.",
      });
    })
    .join("\n");
  return role === "assistant" ? { role, parts: [{ type: "text", text }] } : { role: "user", text };
}
