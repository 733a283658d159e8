/** @module From a model's name to the model: its provider's settings, its key's limiter, its price. One source for a whole process. */
import {
  createHttpClient,
  type HttpClient,
  type HttpTimeouts,
  hiding,
  hostedPolicy,
  localPolicy,
  type NetworkPolicy,
} from "@fettle/mcp";
import { resolveModel, wireNameOf } from "./catalog.ts";
import {
  knownCredentials,
  type ModelConfiguration,
  type ProviderSettings,
  providerVariables,
  type SettingsSource,
} from "./configuration.ts";
import { type Clock, defaultLimiter } from "./limiter.ts";
import { createLimiters, type Limiters } from "./limiters.ts";
import { type Model, ModelError, type Price } from "./model.ts";
import { type ModelName, type ProviderId, parseModelName, ruleModelId } from "./model-name.ts";
import { providerFailure } from "./provider-failure.ts";
import { type ProviderFetch, providerFetch } from "./provider-fetch.ts";
import { listedModels } from "./provider-models.ts";
import { loadOpenAiCompatible, type ProviderWire, providers } from "./providers.ts";
import { ruleModel } from "./rules/rule-model.ts";
import { type Lesson, nothingLearned, type SdkModelFacts, sdkModel } from "./sdk-model.ts";
import { plainDialect } from "./tool-dialect.ts";

export interface ModelSourceOptions {
  /** Tries after the first for a fault that may pass. */
  retries?: number;
  /** Longest one call waits because a provider limits the rate. */
  maxWaitMs?: number;
  timeouts?: Partial<HttpTimeouts>;
  clock?: Clock;
  /** Shared by sources of one process, so that a key has one limiter whoever asks for it. */
  limiters?: Limiters;
  /** The connections that a provider is reached by, where they are shared too; their policy then counts, not `egress.denyPrivate`. */
  clientFor?: (provider: string) => HttpClient;
}

export interface ModelFacts {
  id: string;
  provider: string;
  available: boolean;
  unavailableReason?: string;
  source: "builtin" | SettingsSource;
}

export interface ModelSource {
  /** Throws a ModelError that says what is missing. Nothing is called yet. */
  open(name: string): Model;
  /** What to use when nobody says: the configured default, else the rule model. */
  readonly defaultModel: string;
  providers(): ModelFacts[];
  /** What a provider itself lists: names as it takes them. */
  listed(provider: ProviderId, signal: AbortSignal): Promise<string[]>;
  close(): void;
}

/**
 * @example
 * const source = createModelSource(readModelConfiguration(undefined, process.env));
 * const model = source.open("ollama/qwen3");
 */
export function createModelSource(
  configuration: ModelConfiguration,
  options: ModelSourceOptions = {},
): ModelSource {
  // Of every provider: a gateway knows the keys of others too, and says in a refusal what it likes.
  const hide = hiding(Object.values(knownCredentials(configuration)));
  const limiters = options.limiters ?? createLimiters(options.clock);
  const lessons = new Map<string, Lesson>();
  let own: HttpClient | undefined;
  const clientFor =
    options.clientFor ??
    (() => {
      own ??= createHttpClient({ policy: policyOf(configuration) });
      return own;
    });

  const fetchFor = (provider: string) =>
    allowedFetch(providerFetch(clientFor(provider), options.timeouts), configuration.egress.allow);

  function limiterOf(provider: string, settings: ProviderSettings) {
    const { concurrentCalls, perProvider } = configuration.limits;
    return limiters.of(provider, settings, {
      concurrentCalls: perProvider[provider] ?? concurrentCalls,
      retries: options.retries ?? defaultLimiter.retries,
      maxWaitMs: options.maxWaitMs ?? defaultLimiter.maxWaitMs,
    });
  }

  function live(name: { id: string; provider: string }, settings: ProviderSettings, parts: Parts): Model {
    const price = priceOf(configuration, name.id);
    const lesson = lessons.get(name.id) ?? nothingLearned();
    lessons.set(name.id, lesson);
    const model = sdkModel({
      ...name,
      lesson,
      ...(price && { price }),
      hide,
      ...parts,
    });
    const limiter = limiterOf(name.provider, settings);
    return {
      ...model,
      generate: (request, context) =>
        limiter.run(async () => {
          await context.onSend?.();
          return model.generate(request, context);
        }, context.signal),
    };
  }

  return {
    defaultModel: configuration.default ?? ruleModelId,
    open(written) {
      const name = parseModelName(written);
      if (name.kind === "rules") return ruleModel();
      if (name.kind === "replay") {
        throw new ModelError("MODEL_NOT_FOUND", `"${name.id}" names a recording, and none is given here.`, {
          hint: "Replay is chosen with the cassette mode of the run.",
        });
      }
      if (name.kind === "custom") return openCustom(name);
      return openProvider(name);
    },
    providers: () => [
      { id: ruleModelId, provider: "fettle", available: true, source: "builtin" },
      ...Object.entries(configuration.providers).map(([id, settings]) => {
        const reason = lackOf(id as ProviderId, settings);
        return {
          id: `${id}/*`,
          provider: id,
          available: reason === undefined,
          ...(reason !== undefined && { unavailableReason: reason }),
          source: settings.source,
        };
      }),
      ...Object.entries(configuration.custom).flatMap(([slug, { models, unavailable, source }]) =>
        (models.length === 0 ? ["*"] : models).map((model) => ({
          id: `custom:${slug}:${model}`,
          provider: `custom:${slug}`,
          available: unavailable === undefined,
          ...(unavailable !== undefined && { unavailableReason: unavailable }),
          source,
        })),
      ),
    ],
    async listed(provider, signal) {
      const settings = usable(provider, provider);
      const circumstances = { signal, hide, mayRepeat: false, now: Date.now() };
      try {
        return await listedModels(provider, settings, fetchFor(provider), circumstances);
      } catch (error) {
        throw providerFailure(error, circumstances);
      }
    },
    close: () => own?.close(),
  };

  function openProvider({ id, provider, model }: Extract<ModelName, { kind: "provider" }>): Model {
    const settings = usable(provider, id);
    const declared = providers[provider];
    const resolved = resolveModel({ provider, model });
    const usual = (declared.hasResponses && resolved.known?.wire) || "chat";
    const loadOn = (wire: ProviderWire) =>
      declared.load({ model: resolved.wireId, settings, fetch: fetchFor(provider), wire });
    return live({ id, provider }, settings, {
      load: () => loadOn(usual),
      ...(declared.hasResponses && { otherWire: otherWire(usual, settings, loadOn) }),
      dialect: declared.dialect ?? plainDialect,
      marksCache: declared.marksCache === true,
      resolved,
    });
  }

  /** `asked` is what was asked for, as it was written. */
  function usable(provider: ProviderId, asked: string): ProviderSettings {
    const settings = configuration.providers[provider] ?? { source: "env" };
    const lack = lackOf(provider, settings);
    if (lack !== undefined) {
      const { keys, baseUrl } = providerVariables[provider];
      const variable = providers[provider].needsKey && !settings.apiKey ? keys[0] : baseUrl;
      throw new ModelError("MODEL_UNAVAILABLE", `${asked} cannot be used: ${lack}.`, {
        hint: `Set ${variable}, or use ${ruleModelId}, which needs nothing.`,
      });
    }
    return settings;
  }

  function openCustom({ id, slug, model }: Extract<ModelName, { kind: "custom" }>): Model {
    const settings = Object.hasOwn(configuration.custom, slug) ? configuration.custom[slug] : undefined;
    const known = Object.keys(configuration.custom);
    if (!settings) {
      throw new ModelError("MODEL_UNAVAILABLE", `No custom provider is called "${slug}".`, {
        hint:
          known.length > 0 ? `There are ${known.join(", ")}.` : "Set one up under models.providers.custom.",
      });
    }
    if (settings.unavailable !== undefined) {
      throw new ModelError("MODEL_UNAVAILABLE", `${id} cannot be used: ${settings.unavailable}.`);
    }
    if (settings.models.length > 0 && !settings.models.includes(model)) {
      throw new ModelError("MODEL_NOT_FOUND", `"${slug}" does not list the model "${model}".`, {
        hint: `It lists ${settings.models.join(", ")}.`,
      });
    }
    const provider = `custom:${slug}`;
    const load = () => loadOpenAiCompatible({ model, settings, fetch: fetchFor(provider) });
    return live({ id, provider }, settings, { load, dialect: plainDialect });
  }
}

type Parts = Pick<SdkModelFacts, "load" | "otherWire" | "dialect" | "marksCache" | "resolved">;

/**
 * A model that no catalog knows may refuse the wire that it was asked on, and say which one it takes. A gateway in front of it
 * may know chat completions alone: then there is nothing at the other address.
 */
function otherWire(
  usual: ProviderWire,
  { baseUrl }: ProviderSettings,
  loadOn: (wire: ProviderWire) => ReturnType<SdkModelFacts["load"]>,
): NonNullable<SdkModelFacts["otherWire"]> {
  return usual === "chat"
    ? {
        load: () => loadOn("responses"),
        isMeantBy: ({ status, message }) =>
          (status === 400 || status === 404) && /v1\/responses/.test(message),
      }
    : {
        load: () => loadOn("chat"),
        isMeantBy: ({ status }) => baseUrl !== undefined && (status === 404 || status === 405),
      };
}

/**
 * What a model costs: as configured for this name, else for another name of the same model, else as the catalog says.
 *
 * @example
 * priceOf(configuration, "anthropic/claude-haiku-4.5");
 */
export function priceOf({ prices, custom }: ModelConfiguration, id: string): Price | undefined {
  if (Object.hasOwn(prices, id)) return prices[id];
  const name = parseModelName(id);
  if (name.kind === "custom") return Object.hasOwn(custom, name.slug) ? custom[name.slug]?.price : undefined;
  if (name.kind !== "provider") return undefined;
  const same = Object.entries(prices).find(([written]) => isSameModel(written, name));
  return same ? same[1] : resolveModel(name).known?.price;
}

/** A configuration may hold anything as a name. */
function isSameModel(written: string, name: ModelName): boolean {
  try {
    return wireNameOf(parseModelName(written)) === wireNameOf(name);
  } catch {
    return false;
  }
}

/** Why a provider cannot be used; undefined when it can. */
export function lackOf(id: ProviderId, settings: Omit<ProviderSettings, "source">): string | undefined {
  const { needsKey, baseUrl } = providers[id];
  if (settings.unavailable !== undefined) return settings.unavailable;
  if (needsKey && !settings.apiKey) return "it has no key";
  if (baseUrl === undefined && settings.baseUrl === undefined) return "it has no base URL";
  return undefined;
}

/** Addresses of models are typed by whoever runs this, so their own networks are allowed unless they say otherwise. */
function policyOf({ egress }: ModelConfiguration): NetworkPolicy {
  return egress.denyPrivate ? hostedPolicy : localPolicy;
}

function allowedFetch(fetch: ProviderFetch, allow: readonly string[] | undefined): ProviderFetch {
  if (!allow) return fetch;
  return (address, init) => {
    const { hostname } = new URL(address instanceof Request ? address.url : address);
    const isAllowed = allow.some((entry) =>
      entry.startsWith("*.") ? hostname.endsWith(entry.slice(1)) : hostname === entry,
    );
    if (isAllowed) return fetch(address, init);
    throw new ModelError("MODEL_CONFIGURATION_INVALID", `${hostname} is not among models.egress.allow.`, {
      hint: "Add the host there, or change the provider's base URL.",
    });
  };
}
