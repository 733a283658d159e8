/** @module A request as a model takes it: what the model is known to refuse is left out, and said. Pure. */
import type { CatalogModel } from "./catalog.ts";
import type { ModelParameters, ModelRequest } from "./model.ts";

export interface AcceptedRequest {
  request: ModelRequest;
  warnings: string[];
}

/**
 * @example
 * acceptedRequest(request, resolveModel({ provider: "anthropic", model: "claude-opus-5.5" }).known);
 */
export function acceptedRequest(request: ModelRequest, known: CatalogModel | undefined): AcceptedRequest {
  if (!known) return { request, warnings: [] };
  const { id, refuses, maxOutputTokens: most } = known;
  const { temperature, ...others } = request.parameters;
  const parameters: ModelParameters = others;
  const accepted: ModelRequest = { ...request, parameters };
  const warnings: string[] = [];
  if (temperature !== undefined) {
    if (refuses.includes("temperature")) {
      warnings.push(`The temperature ${temperature} was not sent, because ${id} refuses one.`);
    } else parameters.temperature = temperature;
  }
  const asked = parameters.maxOutputTokens;
  if (most !== undefined && asked !== undefined && asked > most) {
    parameters.maxOutputTokens = most;
    warnings.push(`The output was limited to ${most} tokens, not ${asked}: ${id} writes no more.`);
  }
  if (request.toolChoice === "required" && refuses.includes("forced tool calls")) {
    accepted.toolChoice = "auto";
    warnings.push(`${id} was free to call a tool or not, because it refuses to be made to.`);
  }
  return { request: accepted, warnings };
}
