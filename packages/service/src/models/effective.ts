/**
 * @module Which settings count for a call: a key brought along for the launch, else the organization's, else the operator's. Pure.
 * An organization's entry with a key or an address of its own stands by itself: its key goes to its address alone, and the
 * operator's key never goes to an address that people of the organization typed.
 */
import { ApiError } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import {
  type CustomProvider,
  lackOf,
  type ModelConfiguration,
  type ProviderSettings,
  parseModelName,
  providerNeeds,
  type SettingsSource,
} from "@fettle/evals";
import { type Vault, VaultError } from "../core/vault/vault.ts";
import { type ProviderName, readProviderName } from "./provider-name.ts";
import type { ProviderRow } from "./store.ts";

export interface EffectiveModels {
  configuration: ModelConfiguration;
  /** Whether the address is one that people of the organization typed. */
  isTyped(provider: string): boolean;
}

export function effectiveModels(
  operator: ModelConfiguration,
  rows: readonly ProviderRow[],
  vault: Vault,
  oneTimeKeys: Readonly<Record<string, string>> = {},
): EffectiveModels {
  const configuration: ModelConfiguration = {
    ...operator,
    providers: { ...operator.providers },
    custom: { ...operator.custom },
    prices: { ...operator.prices },
  };
  const typed = new Set<string>();
  for (const row of rows) {
    const name = readProviderName(row.provider);
    if (!name) continue;
    for (const { model, price } of row.models) {
      if (price) configuration.prices[modelId(row.provider, model)] = price;
    }
    if (row.baseUrl === null && row.sealedKey === null) continue;
    typed.add(row.provider);
    const settings: ProviderSettings = {
      source: "organization",
      ...(row.baseUrl !== null && { baseUrl: row.baseUrl }),
      ...openKey(vault, row, name),
    };
    if (name.kind === "known") configuration.providers[name.id] = settings;
    else configuration.custom[name.slug] = customOf(row, settings);
  }
  for (const [provider, key] of Object.entries(oneTimeKeys)) addOneTimeKey(configuration, provider, key);
  return { configuration, isTyped: (provider) => typed.has(provider) };
}

/** Whether a provider can be used, and by whose settings. */
export interface ProviderState {
  source: SettingsSource | null;
  available: boolean;
  unavailableReason?: string;
}

export function stateOf({ providers, custom }: ModelConfiguration, name: ProviderName): ProviderState {
  const settings = name.kind === "known" ? providers[name.id] : custom[name.slug];
  const lack = name.kind === "known" ? lackOf(name.id, settings ?? {}) : settings?.unavailable;
  return {
    source: settings?.source ?? null,
    available: lack === undefined,
    ...(lack !== undefined && { unavailableReason: lack }),
  };
}

/** As it is written to ask for it. */
export function modelId(provider: string, model: string): string {
  return provider.startsWith("custom:") ? `${provider}:${model}` : `${provider}/${model}`;
}

/** Where a provider's key is sent to, as far as it matters to the key. */
export function originOf(name: ProviderName, baseUrl: string | null): string | undefined {
  const usual = name.kind === "known" ? providerNeeds(name.id).baseUrl : undefined;
  return URL.parse(baseUrl ?? usual ?? "")?.origin;
}

export function keyPlace(
  { organizationId, provider }: Pick<ProviderRow, "organizationId" | "provider">,
  origin: string,
) {
  return `model_providers/${organizationId}/${provider}/key for ${origin}`;
}

function customOf(row: ProviderRow, settings: ProviderSettings): CustomProvider {
  return {
    ...settings,
    // A custom provider is not saved without its address.
    baseUrl: row.baseUrl ?? "",
    models: row.models.map(({ model }) => model),
  };
}

function openKey(
  vault: Vault,
  row: ProviderRow,
  name: ProviderName,
): Pick<ProviderSettings, "apiKey" | "unavailable"> {
  const { sealedKey, keyOrigin } = row;
  if (sealedKey === null || keyOrigin === null) return {};
  if (originOf(name, row.baseUrl) !== keyOrigin) {
    return { unavailable: `its key was entered for ${keyOrigin}; enter it again` };
  }
  try {
    return { apiKey: vault.open(sealedKey, keyPlace(row, keyOrigin)) };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return { unavailable: "its key cannot be opened with this service's secret key; enter it again" };
  }
}

/** Goes where the provider is anyhow; only the key is another one. */
function addOneTimeKey(configuration: ModelConfiguration, provider: string, key: string): void {
  const settings = { apiKey: new Secret(key), source: "organization" as const };
  const slug = /^custom:(.+)$/.exec(provider)?.[1];
  const custom =
    slug !== undefined && Object.hasOwn(configuration.custom, slug) && configuration.custom[slug];
  if (slug !== undefined && custom) {
    const { unavailable: _, ...rest } = custom;
    configuration.custom[slug] = { ...rest, ...settings };
    return;
  }
  const name = readProviderName(unaliased(provider));
  if (name?.kind !== "known") {
    throw new ApiError(
      "VALIDATION_ERROR",
      `A key was given for "${provider}", and no provider is called that.`,
      {
        path: `modelApiKeys.${provider}`,
      },
    );
  }
  const { unavailable: _, ...rest } = configuration.providers[name.id] ?? {};
  configuration.providers[name.id] = { ...rest, ...settings };
}

/** Some providers go by two names, in front of a model and so here. */
function unaliased(provider: string): string {
  try {
    const name = parseModelName(`${provider}/x`);
    return name.kind === "provider" ? name.provider : provider;
  } catch {
    return provider;
  }
}
