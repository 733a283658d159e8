/** @module Which models there are: from a configuration file's `models` section and the environment, checked before anything is called. */
import { Secret } from "@fettle/contract/secrets";
import { isObject } from "@fettle/mcp";
import { ModelError, type Price } from "./model.ts";
import { type ProviderId, providerIds } from "./model-name.ts";

/** Who set a provider up: people of an organization, or the operator. */
export type SettingsSource = "organization" | "config" | "env";

export interface ProviderSettings {
  apiKey?: Secret;
  baseUrl?: string;
  /** Sent with every request, beside the key. */
  headers?: Record<string, Secret>;
  source: SettingsSource;
  /** Why it cannot be used although it is named. */
  unavailable?: string;
}

export interface CustomProvider extends ProviderSettings {
  baseUrl: string;
  /** Those it may be asked for; empty: any. */
  models: string[];
  price?: Price;
}

export interface ModelConfiguration {
  default?: string;
  judge?: string;
  insights?: string;
  providers: Partial<Record<ProviderId, ProviderSettings>>;
  custom: Record<string, CustomProvider>;
  prices: Record<string, Price>;
  /** A credit is a hundredth of a US dollar. */
  limits: { concurrentCalls: number; perProvider: Record<string, number>; creditsPerDay?: number };
  /** Hosts that models may be reached at; absent: any. */
  egress: { allow?: string[]; denyPrivate: boolean };
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ProviderVariables {
  keys: readonly string[];
  baseUrl?: string;
}

/** The names their own tools use. */
export const providerVariables: Record<ProviderId, ProviderVariables> = {
  anthropic: { keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
  openai: { keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  google: {
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
  },
  azure: { keys: ["AZURE_OPENAI_API_KEY"], baseUrl: "AZURE_OPENAI_BASE_URL" },
  bedrock: { keys: ["AWS_BEARER_TOKEN_BEDROCK"], baseUrl: "BEDROCK_BASE_URL" },
  mistral: { keys: ["MISTRAL_API_KEY"] },
  deepseek: { keys: ["DEEPSEEK_API_KEY"] },
  xai: { keys: ["XAI_API_KEY"] },
  openrouter: { keys: ["OPENROUTER_API_KEY"] },
  ollama: { keys: ["OLLAMA_API_KEY"], baseUrl: "OLLAMA_BASE_URL" },
};

const defaultConcurrentCalls = 8;

/**
 * Reads the `models` section of a configuration file, already parsed, over what the environment says.
 *
 * @example
 * readModelConfiguration(undefined, process.env); // from the environment alone
 */
export function readModelConfiguration(
  section: unknown,
  environment: Environment,
  { holdsDailyLimit = false }: { holdsDailyLimit?: boolean } = {},
): ModelConfiguration {
  const at = reader(environment);
  const models = at.object(section ?? {}, "models", [
    "default",
    "judge",
    "insights",
    "providers",
    "prices",
    "limits",
    "egress",
  ]);
  const named = at.object(models.providers ?? {}, "models.providers", [...providerIds, "custom"]);
  const configuration: ModelConfiguration = {
    providers: {},
    custom: {},
    prices: at.table(models.prices, "models.prices", at.price),
    limits: { concurrentCalls: defaultConcurrentCalls, perProvider: {} },
    egress: { denyPrivate: false },
  };
  for (const role of ["default", "judge", "insights"] as const) {
    const name = at.text(models[role], `models.${role}`);
    if (name !== undefined) configuration[role] = name;
  }
  for (const id of providerIds) {
    const settings = providerSettings(at, id, named[id], environment);
    if (settings) configuration.providers[id] = settings;
  }
  configuration.custom = at.table(named.custom, "models.providers.custom", (value, where) =>
    customProvider(at, value, where),
  );
  const limits = at.object(models.limits ?? {}, "models.limits", [
    "creditsPerDay",
    "concurrentCalls",
    "perProvider",
  ]);
  const creditsPerDay = at.count(limits.creditsPerDay, "models.limits.creditsPerDay");
  // A limit that nobody holds would be worse than none.
  if (creditsPerDay !== undefined && !holdsDailyLimit) {
    throw invalid("models.limits.creditsPerDay", "is held by the service alone; here, limit each run");
  }
  if (creditsPerDay !== undefined) configuration.limits.creditsPerDay = creditsPerDay;
  configuration.limits.concurrentCalls =
    at.count(limits.concurrentCalls, "models.limits.concurrentCalls") ?? defaultConcurrentCalls;
  configuration.limits.perProvider = at.table(
    limits.perProvider,
    "models.limits.perProvider",
    (value, where) => at.count(value, where) ?? defaultConcurrentCalls,
  );
  const egress = at.object(models.egress ?? {}, "models.egress", ["allow", "denyPrivate"]);
  if (egress.allow !== undefined) configuration.egress.allow = at.texts(egress.allow, "models.egress.allow");
  configuration.egress.denyPrivate = at.flag(egress.denyPrivate, "models.egress.denyPrivate") ?? false;
  return configuration;
}

/** The `models` section of a parsed configuration file. A key beside it would be ignored, so it is refused. */
export function modelsSectionOf(document: unknown): unknown {
  if (!isObject(document)) throw invalid("The configuration file", "is an object with the field models");
  const strange = Object.keys(document).find((key) => key !== "models");
  if (strange !== undefined) throw invalid(strange, "is unknown; there is models");
  return document.models;
}

type Reader = ReturnType<typeof reader>;

const priceFields: readonly (keyof Price)[] = [
  "inputPerMTok",
  "outputPerMTok",
  "cachedInputPerMTok",
  "cacheWritePerMTok",
];

function providerSettings(
  at: Reader,
  id: ProviderId,
  value: unknown,
  environment: Environment,
): ProviderSettings | undefined {
  const { keys, baseUrl: urlVariable } = providerVariables[id];
  const where = `models.providers.${id}`;
  const given = at.object(value ?? {}, where, ["apiKey", "baseUrl", "headers", "discover"]);
  const key = at.secret(given.apiKey, `${where}.apiKey`);
  if (given.discover === true) throw invalid(`${where}.discover`, "is not supported yet; name the models");
  // A file's last line end comes along into a variable; no header carries it.
  const fromEnvironment = keys.map((name) => environment[name]?.trim()).find(Boolean);
  const baseUrl =
    at.url(given.baseUrl, `${where}.baseUrl`) ??
    at.url(urlVariable === undefined ? undefined : environment[urlVariable] || undefined, urlVariable ?? "");
  if (value === undefined && fromEnvironment === undefined && baseUrl === undefined) return undefined;
  const apiKey = key.secret ?? (fromEnvironment === undefined ? undefined : new Secret(fromEnvironment));
  return {
    ...(apiKey && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    headers: at.table(given.headers, `${where}.headers`, at.header),
    source: value === undefined ? "env" : "config",
    ...(key.missing !== undefined && !apiKey && { unavailable: `${key.missing} is not set` }),
  };
}

function customProvider(at: Reader, value: unknown, where: string): CustomProvider {
  const given = at.object(value, where, ["kind", "baseUrl", "apiKey", "headers", "models", "price"]);
  if (given.kind !== undefined && given.kind !== "openai-compatible") {
    throw invalid(`${where}.kind`, 'is "openai-compatible", the one kind there is');
  }
  const baseUrl = at.url(given.baseUrl, `${where}.baseUrl`);
  if (baseUrl === undefined) throw invalid(`${where}.baseUrl`, "is needed");
  const key = given.apiKey === "none" ? {} : at.secret(given.apiKey, `${where}.apiKey`);
  const price = given.price === undefined ? undefined : at.price(given.price, `${where}.price`);
  return {
    baseUrl,
    ...(key.secret && { apiKey: key.secret }),
    ...(key.missing !== undefined && { unavailable: `${key.missing} is not set` }),
    headers: at.table(given.headers, `${where}.headers`, at.header),
    models: given.models === undefined ? [] : at.texts(given.models, `${where}.models`),
    ...(price && { price }),
    source: "config",
  };
}

function invalid(where: string, problem: string): ModelError {
  return new ModelError("MODEL_CONFIGURATION_INVALID", `${where} ${problem}.`, {
    hint: "See the models section of the configuration's documentation.",
    details: { path: where },
  });
}

/** Each takes a value and where it stands, and refuses what it cannot be. Null is "not set", as YAML writes it. */
function reader(environment: Environment) {
  const isSet = (value: unknown) => value !== undefined && value !== null;
  const at = {
    object(value: unknown, where: string, known: readonly string[]): Record<string, unknown> {
      if (!isObject(value)) throw invalid(where, "is an object");
      const strange = Object.keys(value).find((key) => !known.includes(key));
      if (strange !== undefined) {
        throw invalid(`${where}.${strange}`, `is unknown; there are ${known.join(", ")}`);
      }
      return value;
    },
    table<T>(value: unknown, where: string, read: (item: unknown, where: string) => T): Record<string, T> {
      if (!isSet(value)) return {};
      if (!isObject(value)) throw invalid(where, "is an object");
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, read(item, `${where}.${key}`)]),
      );
    },
    text(value: unknown, where: string): string | undefined {
      if (!isSet(value)) return undefined;
      if (typeof value !== "string" || value.trim() === "")
        throw invalid(where, "is a text that is not empty");
      return value;
    },
    texts(value: unknown, where: string): string[] {
      if (!Array.isArray(value)) throw invalid(where, "is a list of texts");
      return value.map((item, index) => {
        const text = at.text(item, `${where}[${index}]`);
        if (text === undefined) throw invalid(`${where}[${index}]`, "is a text");
        return text;
      });
    },
    flag(value: unknown, where: string): boolean | undefined {
      if (!isSet(value)) return undefined;
      if (typeof value !== "boolean") throw invalid(where, "is true or false");
      return value;
    },
    count(value: unknown, where: string): number | undefined {
      if (!isSet(value)) return undefined;
      if (!Number.isInteger(value) || Number(value) < 1) throw invalid(where, "is a whole number above 0");
      return Number(value);
    },
    price(value: unknown, where: string): Price {
      const given = at.object(value, where, priceFields);
      const amount = (name: keyof Price) => {
        const number = given[name];
        if (typeof number !== "number" || !Number.isFinite(number) || number < 0) {
          throw invalid(`${where}.${name}`, "is a number of US dollars, 0 or more");
        }
        return number;
      };
      const { cachedInputPerMTok: cached, cacheWritePerMTok: written } = given;
      return {
        inputPerMTok: amount("inputPerMTok"),
        outputPerMTok: amount("outputPerMTok"),
        ...(cached !== undefined && { cachedInputPerMTok: amount("cachedInputPerMTok") }),
        ...(written !== undefined && { cacheWritePerMTok: amount("cacheWritePerMTok") }),
      };
    },
    url(value: unknown, where: string): string | undefined {
      const text = at.text(value, where);
      if (text === undefined) return undefined;
      const url = URL.parse(text);
      if (!url || (url.protocol !== "http:" && url.protocol !== "https:") || url.username || url.password) {
        throw invalid(where, "is an http or https address without a name or password in it");
      }
      return text.replace(/\/+$/, "");
    },
    /** `${NAME}` stands for a variable; one that is not set is told, and is no error until the model is used. */
    secret(value: unknown, where: string): { secret?: Secret; missing?: string } {
      const text = at.text(value, where);
      if (text === undefined) return {};
      const [, name] = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(text) ?? [];
      if (name === undefined) return { secret: new Secret(text.trim()) };
      const found = environment[name]?.trim();
      return found ? { secret: new Secret(found) } : { missing: name };
    },
    header(value: unknown, where: string): Secret {
      const { secret, missing } = at.secret(value, where);
      if (missing !== undefined) throw invalid(where, `names ${missing}, which is not set`);
      if (!secret) throw invalid(where, "is a text");
      return secret;
    },
  };
  return at;
}

/** Every credential there is, by a name that may be told: what must not get into a recording. */
export function knownCredentials({ providers, custom }: ModelConfiguration): Record<string, string> {
  const all = [...Object.entries(providers), ...Object.entries(custom)];
  return Object.fromEntries(
    all.flatMap(([id, { apiKey, headers = {} }]) => [
      ...(apiKey ? [[`${id} key`, apiKey.reveal()]] : []),
      ...Object.entries(headers).map(([name, value]) => [`${id} ${name}`, value.reveal()]),
    ]),
  );
}
