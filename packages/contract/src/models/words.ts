/** @module The providers of models that are known by name. Free of schemas: pages and the command line quote it. */
import { keysOf } from "../core/known.ts";

/** By the word that a model's name begins with. */
export const modelProviderNames = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  azure: "Azure OpenAI",
  bedrock: "Amazon Bedrock",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  xai: "xAI",
  openrouter: "OpenRouter",
  ollama: "Ollama",
} as const;

export type ModelProviderId = keyof typeof modelProviderNames;

export const modelProviderIds = keysOf(modelProviderNames);

/** Any other endpoint that speaks OpenAI's wire: `custom:vllm`, whose models are named `custom:vllm:qwen3`. */
export const customProviderPattern = /^custom:[a-z0-9][a-z0-9-]{0,39}$/;

/** How sure an estimate of cost is. */
export const estimateConfidences = [
  "history",
  "partly history",
  "heuristic",
  "partly unpriced",
  "unavailable",
] as const;
export type EstimateConfidence = (typeof estimateConfidences)[number];
