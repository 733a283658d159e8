/** @module The models that can be asked for by name, and the providers behind them. */

import { keysOf, type OrganizationId } from "@fettle/contract/core";
import type { Model } from "@fettle/contract/models";
import {
  type ModelConfiguration,
  modelCatalog,
  parseModelName,
  priceOf,
  resolveModel,
  ruleModelId,
  wireNameOf,
} from "@fettle/evals";
import type { App } from "../core/app.ts";
import type { SignedInCaller } from "../core/routing/bind.ts";
import { notFound } from "../core/routing/not-found.ts";
import { findRole } from "../people/accounts/organizations/store.ts";
import { effectiveModels, modelId, stateOf } from "./effective.ts";
import { type ProviderName, prefixOf } from "./provider-name.ts";
import { listProviders, type ProviderRow } from "./store.ts";

/** Needs no provider and no key: it follows rules, so the same input always gets the same answer. */
const builtIn = {
  id: ruleModelId,
  name: "Fettle rules 1",
  provider: "fettle",
  capabilities: { tools: true, vision: false, structuredOutput: true, reasoning: false },
  deterministic: true,
  price: { inputPerMTok: 0, outputPerMTok: 0 },
  source: "builtin",
  available: true,
} as const satisfies Model;

/** With the models of an organization, when it is the caller's: the one that is named, else the one of the key. */
export async function listModels(app: App, caller: SignedInCaller, named: OrganizationId | undefined) {
  const organizationId = named ?? (caller.kind === "key" ? caller.organizationId : undefined);
  const rows = organizationId === undefined ? [] : await rowsOf(app, caller, organizationId);
  const { configuration } = effectiveModels(app.config.models, rows, app.vault);
  const providers = providersOf(configuration).flatMap((name) => {
    const { source, ...state } = stateOf(configuration, name);
    return source === null ? [] : [{ provider: prefixOf(name), source, ...state }];
  });
  const written = namedModels(configuration, rows);
  return { items: [builtIn, ...written, ...catalogModels(configuration, written)], providers };
}

async function rowsOf(
  app: App,
  caller: SignedInCaller,
  organizationId: OrganizationId,
): Promise<ProviderRow[]> {
  const isElsewhere = caller.kind === "key" && caller.organizationId !== organizationId;
  const role = isElsewhere ? undefined : await findRole(app.db, organizationId, caller.userId);
  if (!role) throw notFound("organization");
  return listProviders(app.db, organizationId);
}

/** What could be asked for instead of a model that cannot be had. */
export function hostedModels(configuration: ModelConfiguration, rows: readonly ProviderRow[]): string[] {
  const named = namedModels(configuration, rows).filter(({ available }) => available);
  return [ruleModelId, ...named.map(({ id }) => id)];
}

/** Whatever somebody wrote down by its name: as a choice, in a provider's list, or with its price. */
function namedModels(configuration: ModelConfiguration, rows: readonly ProviderRow[]): Model[] {
  const { prices, custom, default: fallback, judge, insights } = configuration;
  const ids = new Set([
    ...[fallback, judge, insights].filter((name) => name !== undefined),
    ...Object.entries(custom).flatMap(([slug, { models }]) =>
      models.map((model) => modelId(`custom:${slug}`, model)),
    ),
    ...rows.flatMap(({ provider, models }) => models.map(({ model }) => modelId(provider, model))),
    ...Object.keys(prices),
  ]);
  return modelsOf(configuration, ids);
}

/** Those of Fettle's catalog whose provider can be used, but for those that somebody wrote down. */
function catalogModels(configuration: ModelConfiguration, named: readonly Model[]): Model[] {
  const written = new Set(named.map(({ id }) => wireNameOf(parseModelName(id))));
  const ids = modelCatalog
    .filter(({ provider }) => stateOf(configuration, { kind: "known", id: provider }).available)
    .map(({ provider, id }) => modelId(provider, id))
    .filter((id) => !written.has(id));
  return modelsOf(configuration, ids);
}

function modelsOf(configuration: ModelConfiguration, ids: Iterable<string>): Model[] {
  return [...ids].sort().flatMap((id): Model[] => {
    const name = nameOf(id);
    if (!name) return [];
    const { source, ...state } = stateOf(configuration, name.provider);
    const price = priceOf(configuration, id);
    return [
      {
        id,
        name: name.model,
        provider: prefixOf(name.provider),
        deterministic: false,
        ...factsOf(name),
        ...(source !== null && { source }),
        ...state,
        ...(price && { price }),
      },
    ];
  });
}

function factsOf({ provider, model }: NonNullable<ReturnType<typeof nameOf>>): Partial<Model> {
  const known = provider.kind === "known" ? resolveModel({ provider: provider.id, model }).known : undefined;
  if (!known) return {};
  const { aliases, contextTokens, maxOutputTokens, refuses } = known;
  return {
    aliases: [...aliases],
    refuses: [...refuses],
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

function providersOf({ providers, custom }: ModelConfiguration): ProviderName[] {
  return [
    ...keysOf(providers).map((id) => ({ kind: "known" as const, id })),
    ...Object.keys(custom).map((slug) => ({ kind: "custom" as const, slug })),
  ];
}

/** Undefined for what is no live model's name: a configuration may hold anything as a name. */
function nameOf(id: string): { provider: ProviderName; model: string } | undefined {
  try {
    const name = parseModelName(id);
    if (name.kind === "custom") return { provider: { kind: "custom", slug: name.slug }, model: name.model };
    return name.kind === "provider"
      ? { provider: { kind: "known", id: name.provider }, model: name.model }
      : undefined;
  } catch {
    return undefined;
  }
}
