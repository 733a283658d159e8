/** @module What an organization sets up at providers of models. Keys go in, are sealed, and never come out. */

import { isIP } from "node:net";
import { ApiError, limits, type OrganizationId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import {
  type ModelProvider,
  type ModelProviderRequest,
  modelProviderIds,
  modelProviderNames,
} from "@fettle/contract/models";
import { Secret } from "@fettle/contract/secrets";
import { providerNeeds } from "@fettle/evals";
import { bareHost, checkDestination, checkUrl, isMcpError, type NetworkPolicy } from "@fettle/mcp";
import type { App } from "../core/app.ts";
import { missing } from "../core/routing/not-found.ts";
import { announce } from "../people/accounts/announce.ts";
import { lockMembership } from "../people/accounts/organizations/store.ts";
import { effectiveModels, keyPlace, originOf, stateOf } from "./effective.ts";
import { policyForPeople } from "./models.ts";
import { type ProviderName, prefixOf, readProviderName } from "./provider-name.ts";
import * as store from "./store.ts";

/** Everything that is known by name, and whatever else the organization or the operator has set up. */
export async function listModelProviders(
  app: App,
  organizationId: OrganizationId,
): Promise<{ items: ModelProvider[] }> {
  const rows = await store.listProviders(app.db, organizationId);
  const setters = await store.listKeySetters(app.db, organizationId);
  const { configuration } = effectiveModels(app.config.models, rows, app.vault);
  const names: ProviderName[] = [
    ...modelProviderIds.map((id) => ({ kind: "known" as const, id })),
    ...Object.keys(configuration.custom).map((slug) => ({ kind: "custom" as const, slug })),
  ];
  const items = names.map((name): ModelProvider => {
    const provider = prefixOf(name);
    const row = rows.find((candidate) => candidate.provider === provider);
    const setter = setters.find((candidate) => candidate.provider === provider);
    const { needsKey, baseUrl } = needsOf(name);
    return {
      provider,
      name: name.kind === "known" ? modelProviderNames[name.id] : name.slug,
      ...stateOf(configuration, name),
      needsKey,
      baseUrl: row?.baseUrl ?? null,
      usualBaseUrl: baseUrl ?? null,
      key:
        row?.keyLastFour && row.keySetAt
          ? {
              lastFour: row.keyLastFour,
              setAt: row.keySetAt.getTime(),
              setBy: setter ? { userId: setter.userId, name: setter.name } : null,
            }
          : null,
      models: row?.models ?? [],
    };
  });
  return { items };
}

interface Change {
  organizationId: OrganizationId;
  userId: UserId;
  provider: string;
}

/** A key that is not said again stays only where it was entered for: moving the address leaves it behind. */
export async function setModelProvider(app: App, change: Change, wanted: ModelProviderRequest) {
  const { organizationId, userId, provider } = change;
  const name = requireName(provider);
  const baseUrl = wanted.baseUrl == null ? null : readBaseUrl(wanted.baseUrl, policyForPeople(app.config));
  const origin = originOf(name, baseUrl);
  if (origin === undefined) {
    throw badAddress(`Say where ${provider} is reached.`);
  }
  const hasDroppedKey = await app.db.transaction(async (tx) => {
    // Two admins at once must not put one's key under the other's address.
    await lockMembership(tx, organizationId);
    const rows = await store.listProviders(tx, organizationId);
    const before = rows.find((row) => row.provider === provider);
    const customs = rows.filter((row) => row.provider.startsWith("custom:"));
    if (!before && name.kind === "custom" && customs.length >= limits.models.customProviders) {
      throw new ApiError(
        "VALIDATION_ERROR",
        `There may be ${limits.models.customProviders} custom providers.`,
      );
    }
    const isDropped = wanted.apiKey === undefined && before?.keyOrigin != null && before.keyOrigin !== origin;
    const at = new Date(app.now());
    const key =
      wanted.apiKey === undefined
        ? before && !isDropped
          ? keyOf(before)
          : noKey
        : {
            sealedKey: app.vault.seal(new Secret(wanted.apiKey), keyPlace(change, origin)),
            keyOrigin: origin,
            keyLastFour: lastFourOf(wanted.apiKey),
            keySetAt: at,
            keySetBy: userId,
          };
    await store.putProvider(tx, {
      organizationId,
      provider,
      baseUrl,
      models: wanted.models,
      updatedAt: at,
      ...key,
    });
    await announce(app, tx, `organization:${organizationId}`);
    return isDropped;
  });
  app.models.changed(organizationId);
  const { items } = await listModelProviders(app, organizationId);
  return {
    ...must(
      items.find((item) => item.provider === provider),
      "the provider that was just written",
    ),
    credentialsDropped: hasDroppedKey ? ["apiKey" as const] : [],
  };
}

export async function removeModelProvider(
  app: App,
  organizationId: OrganizationId,
  provider: string,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const wasThere = await store.deleteProvider(tx, organizationId, provider);
    if (!wasThere)
      throw missing("The organization has set up nothing at this provider.", "Set the provider up first.");
    await announce(app, tx, `organization:${organizationId}`);
  });
  app.models.changed(organizationId);
}

export function requireName(provider: string): ProviderName {
  const name = readProviderName(provider);
  if (name) return name;
  throw new ApiError("VALIDATION_ERROR", `No provider is called "${provider}".`, {
    path: "params.provider",
    hint: `Known are ${modelProviderIds.join(", ")}; an endpoint of your own is called custom:<name>, in small letters, digits and hyphens.`,
  });
}

function needsOf(name: ProviderName): { needsKey: boolean; baseUrl: string | undefined } {
  return name.kind === "known" ? providerNeeds(name.id) : { needsKey: false, baseUrl: undefined };
}

const noKey = { sealedKey: null, keyOrigin: null, keyLastFour: null, keySetAt: null, keySetBy: null };

function keyOf({ sealedKey, keyOrigin, keyLastFour, keySetAt, keySetBy }: store.ProviderRow) {
  return { sealedKey, keyOrigin, keyLastFour, keySetAt, keySetBy };
}

/** Of a short key, four characters would be too much of it. */
function lastFourOf(key: string): string {
  return key.length >= 12 ? key.slice(-4) : "…";
}

/** Where a name leads is checked whenever it is called; an address that is written as one can be refused at once. */
function readBaseUrl(text: string, policy: NetworkPolicy): string {
  // Not repeated in the refusal: a key that was pasted into the wrong field is no address either.
  if (!URL.canParse(text)) throw badAddress("This is no http or https address.");
  try {
    const url = checkUrl(text);
    const host = bareHost(url.hostname);
    if (isIP(host)) checkDestination(policy, { host, address: host });
    if (url.search !== "" || url.hash !== "") {
      throw badAddress("The address has a query or a fragment; a key goes into its own field.");
    }
    return url.href.replace(/\/+$/, "");
  } catch (error) {
    throw isMcpError(error) ? badAddress(error.message, error.hint) : error;
  }
}

function badAddress(message: string, hint?: string): ApiError {
  const path = "body.baseUrl";
  return new ApiError("VALIDATION_ERROR", message, {
    path,
    issues: [{ path, message }],
    ...(hint !== undefined && { hint }),
  });
}
