/** @module One small call to a provider, to tell whether its settings are good. A provider that does not work is an answer, not an error. */
import { limits, type OrganizationId } from "@fettle/contract/core";
import type { ModelTest } from "@fettle/contract/models";
import { type ModelAnswer, ModelError, type ModelRequest } from "@fettle/evals";
import type { App } from "../core/app.ts";
import { modelId } from "./effective.ts";
import { openModel } from "./open-model.ts";
import { requireName } from "./providers.ts";

export async function tryProvider(
  app: App,
  wanted: { organizationId: OrganizationId; provider: string; model: string },
  signal: AbortSignal,
): Promise<ModelTest> {
  const { organizationId, provider } = wanted;
  requireName(provider);
  const id = modelId(provider, wanted.model);
  const model = await openModel(app, {
    organizationId,
    projectId: null,
    name: id,
    source: { kind: "providerTest", id: provider },
  });
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const deadline = AbortSignal.timeout(limits.models.test.ms);
  try {
    const answer = await model.generate(request(app.now()), { signal: AbortSignal.any([signal, deadline]) });
    return { ok: true, model: id, latencyMs: latencyMs(), text: textOf(answer) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message, hint, status } = deadline.aborted ? tooSlow() : error;
    return {
      ok: false,
      model: id,
      latencyMs: latencyMs(),
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(status !== undefined && { status }),
    };
  }
}

function request(now: number): ModelRequest {
  return {
    messages: [{ role: "user", text: "Answer with the one word: ready" }],
    tools: [],
    toolChoice: "none",
    parameters: { maxOutputTokens: limits.models.test.outputTokens },
    now,
    position: { prompt: 0, step: 0 },
  };
}

function textOf({ parts }: ModelAnswer): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function tooSlow(): ModelError {
  const seconds = limits.models.test.ms / 1000;
  return new ModelError("MODEL_TIMEOUT", `No answer came within ${seconds} s.`, {
    hint: "The model is slow to start, limits the rate, or cannot be reached from here.",
  });
}
