/** @module The providers there are, each with how its package is loaded and set up. Nothing is loaded before the first call. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderSettings } from "./configuration.ts";
import type { ProviderId } from "./model-name.ts";
import type { ProviderFetch } from "./provider-fetch.ts";
import {
  anthropicDialect,
  googleDialect,
  openAiDialect,
  routedDialect,
  type ToolDialect,
} from "./tool-dialect.ts";

export interface ProviderCall {
  model: string;
  settings: ProviderSettings;
  fetch: ProviderFetch;
  /** Of a provider that speaks two. */
  wire: ProviderWire;
}

export type ProviderWire = "chat" | "responses";

export interface ProviderDeclaration {
  /** Where it is reached, when nothing else is said; absent: the settings must say. */
  baseUrl?: string;
  /** Belongs to an address that people write without a path. */
  path?: string;
  needsKey: boolean;
  load(call: ProviderCall): Promise<LanguageModelV4>;
  /** It speaks OpenAI's Responses beside chat completions. */
  hasResponses?: true;
  /** It keeps what is marked in a request, and charges less for it the next time. */
  marksCache?: true;
  /** What it takes of a tool; absent: whatever is well formed. */
  dialect?: ToolDialect;
}

const openAiWire = (baseUrl?: string, dialect?: ToolDialect): ProviderDeclaration => ({
  ...(baseUrl !== undefined && { baseUrl }),
  needsKey: true,
  load: (call) => loadOpenAiCompatible(call, baseUrl),
  ...(dialect && { dialect }),
});

export const providers: Record<ProviderId, ProviderDeclaration> = {
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    path: "/v1",
    needsKey: true,
    dialect: anthropicDialect,
    marksCache: true,
    load: async ({ model, settings, fetch }) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...keyOf(settings), ...baseOf(settings, "/v1"), fetch })(model);
    },
  },
  openai: {
    baseUrl: "https://api.openai.com/v1",
    needsKey: true,
    dialect: openAiDialect,
    hasResponses: true,
    load: async ({ model, settings, fetch, wire }) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const provider = createOpenAI({ ...keyOf(settings), ...baseOf(settings), fetch });
      return wire === "responses" ? provider.responses(model) : provider.chat(model);
    },
  },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    needsKey: true,
    dialect: googleDialect,
    load: async ({ model, settings, fetch }) => {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ ...keyOf(settings), ...baseOf(settings), fetch })(model);
    },
  },
  azure: openAiWire(undefined, openAiDialect),
  bedrock: openAiWire(undefined, routedDialect),
  mistral: openAiWire("https://api.mistral.ai/v1"),
  deepseek: openAiWire("https://api.deepseek.com/v1"),
  xai: openAiWire("https://api.x.ai/v1"),
  openrouter: openAiWire("https://openrouter.ai/api/v1", routedDialect),
  ollama: {
    baseUrl: "http://127.0.0.1:11434/v1",
    path: "/v1",
    needsKey: false,
    // People write Ollama's address without the part that its OpenAI wire lives under.
    load: (call) => loadOpenAiCompatible({ ...call, settings: withPath(call.settings, "/v1") }, ollamaUrl),
  },
};

const ollamaUrl = "http://127.0.0.1:11434/v1";

export async function loadOpenAiCompatible(
  { model, settings, fetch }: Omit<ProviderCall, "wire">,
  baseUrl = "",
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "fettle",
    baseURL: settings.baseUrl ?? baseUrl,
    ...keyOf(settings),
    headers: headersOf(settings),
    includeUsage: true,
    fetch,
  });
  return provider(model);
}

function keyOf({ apiKey }: ProviderSettings): { apiKey?: string } {
  return apiKey ? { apiKey: apiKey.reveal() } : {};
}

export function headersOf({ headers = {} }: ProviderSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
}

function baseOf(
  settings: ProviderSettings,
  path = "",
): { baseURL?: string; headers: Record<string, string> } {
  const { baseUrl } = withPath(settings, path);
  return { ...(baseUrl !== undefined && { baseURL: baseUrl }), headers: headersOf(settings) };
}

/** The path is added to an address that has none; one that has its own is left as it is. */
function withPath(settings: ProviderSettings, path: string): ProviderSettings {
  const { baseUrl } = settings;
  if (path === "" || baseUrl === undefined || new URL(baseUrl).pathname !== "/") return settings;
  return { ...settings, baseUrl: `${baseUrl}${path}` };
}

/** Where a provider is reached; undefined: its settings do not say. */
export function addressOf(id: ProviderId, settings: ProviderSettings): string | undefined {
  const { baseUrl, path = "" } = providers[id];
  return withPath(settings, path).baseUrl ?? baseUrl;
}

/**
 * What must be known to set a provider up: whether it takes a key, and where it is unless something else is said.
 *
 * @example
 * providerNeeds("azure"); // { needsKey: true, baseUrl: undefined }
 */
export function providerNeeds(id: ProviderId): { needsKey: boolean; baseUrl: string | undefined } {
  const { needsKey, baseUrl } = providers[id];
  return { needsKey, baseUrl };
}
