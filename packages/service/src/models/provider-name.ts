/** @module How a provider is named: one of those known, or an endpoint of somebody's own. */
import { customProviderPattern, type ModelProviderId, modelProviderIds } from "@fettle/contract/models";

export type ProviderName = { kind: "known"; id: ModelProviderId } | { kind: "custom"; slug: string };

export function readProviderName(text: string): ProviderName | undefined {
  const id = modelProviderIds.find((known) => known === text);
  if (id) return { kind: "known", id };
  return customProviderPattern.test(text)
    ? { kind: "custom", slug: text.slice("custom:".length) }
    : undefined;
}

/** As a model's name begins. */
export function prefixOf(name: ProviderName): string {
  return name.kind === "known" ? name.id : `custom:${name.slug}`;
}
