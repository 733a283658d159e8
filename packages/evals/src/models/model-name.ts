/** @module How models are named: always with who serves them, because a bare name means different things at different places. */
import { type ModelProviderId, modelProviderIds } from "@fettle/contract/models";
import { ModelError } from "./model.ts";

export type ModelName =
  | { kind: "rules"; id: string }
  | { kind: "replay"; id: string; cassette: string }
  | { kind: "provider"; id: string; provider: ProviderId; model: string }
  | { kind: "custom"; id: string; slug: string; model: string };

/** The one rule model there is. */
export const ruleModelId = "fettle/rules-1";

export const providerIds = modelProviderIds;
export type ProviderId = ModelProviderId;

/** Without a prototype, so that no model called `constructor/x` is found in it. */
const aliases: Record<string, ProviderId> = Object.assign(Object.create(null), {
  "x-ai": "xai",
  mistralai: "mistral",
});

/** Who serves a name that begins so, for a hint: a guess that is typed by a person is theirs. */
const makers: readonly [RegExp, ProviderId][] = [
  [/^claude/i, "anthropic"],
  [/^gemini/i, "google"],
  [/^(mistral|codestral|ministral)/i, "mistral"],
  [/^deepseek/i, "deepseek"],
  [/^grok/i, "xai"],
];

/** Makers whose models only a router serves under their own name. */
const routedMakers = new Set(["meta-llama", "qwen", "moonshotai", "minimax", "z-ai"]);

/**
 * Reads a name; a bare one is refused.
 *
 * @example
 * parseModelName("anthropic/claude-haiku-4.5"); // { kind: "provider", provider: "anthropic", model: "claude-haiku-4.5", … }
 * parseModelName("custom:vllm:qwen3-32b"); // { kind: "custom", slug: "vllm", model: "qwen3-32b", … }
 */
export function parseModelName(name: string): ModelName {
  const id = name.trim();
  const [, slug, ownModel] = /^custom:([^:]+):(.+)$/.exec(id) ?? [];
  if (slug !== undefined && ownModel !== undefined) return { kind: "custom", id, slug, model: ownModel };
  const [, prefix, model] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
  if (prefix === undefined || model === undefined) {
    const maker = makers.find(([start]) => start.test(id))?.[1] ?? "openai";
    throw new ModelError("MODEL_AMBIGUOUS", `"${id}" does not say who serves the model.`, {
      hint: `Write it as provider/model, such as ${maker}/${id || "gpt-5.4-mini"} or ollama/${id || "qwen3"}; without any key: ${ruleModelId}.`,
    });
  }
  if (prefix === "fettle") {
    if (id === ruleModelId) return { kind: "rules", id };
    throw new ModelError("MODEL_NOT_FOUND", `There is no built-in model "${id}".`, {
      hint: `The built-in one is ${ruleModelId}.`,
    });
  }
  if (prefix === "replay") return { kind: "replay", id, cassette: model };
  if (routedMakers.has(prefix)) return { kind: "provider", id, provider: "openrouter", model: id };
  const provider = aliases[prefix] ?? providerIds.find((known) => known === prefix);
  if (!provider) {
    throw new ModelError("MODEL_NOT_FOUND", `No provider is called "${prefix}".`, {
      hint: `Known are ${providerIds.join(", ")}; another OpenAI-compatible endpoint is named custom:<name>:<model> and set up under models.providers.custom.`,
    });
  }
  return { kind: "provider", id, provider, model };
}

/** A bare name with the provider that was said beside it. */
export function fullModelName(name: string, provider: string | null | undefined): string {
  const isBare = !name.includes("/") && !name.startsWith("custom:");
  return isBare && provider ? `${provider}/${name}` : name;
}
