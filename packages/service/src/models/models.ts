/** @module What models share in one process: open connections, one limiter for each key, and the writing down of what they cost. */
import type { OrganizationId } from "@fettle/contract/core";
import {
  createLimiters,
  createModelSource,
  type ModelConfiguration,
  type ModelSource,
  type ModelSourceOptions,
} from "@fettle/evals";
import { createHttpClient, hostedPolicy, localPolicy, type NetworkPolicy } from "@fettle/mcp";
import type { Config } from "../core/config/config.ts";
import type { Intents } from "./intents.ts";
import type { Settlements } from "./settlements.ts";

export interface Models {
  /** `isTyped` tells the providers whose address was typed by people of an organization; those are held to the service's network policy. */
  source(configuration: ModelConfiguration, isTyped: (provider: string) => boolean): ModelSource;
  /** Calls that are about to be sent. */
  intents: Intents;
  /** Calls that are over and wait to be written down. */
  settlements: Settlements;
  /** How often this process changed how an organization's models are reached or paid for. */
  changesOf(organizationId: OrganizationId): number;
  changed(organizationId: OrganizationId): void;
  close(): Promise<void>;
}

declare module "../core/app.ts" {
  interface App {
    /** The ways to models, shared by everything that calls them. */
    models: Models;
  }
}

export function createModels(
  config: Pick<Config, "models" | "mode" | "networkExceptions">,
  { intents, settlements }: Pick<Models, "intents" | "settlements">,
  options: Pick<ModelSourceOptions, "clock" | "timeouts"> = {},
): Models {
  const { denyPrivate } = config.models.egress;
  // An operator's addresses are their own network; nobody else's become a way into it.
  const ofOperator = createHttpClient({ policy: denyPrivate ? hostedPolicy : localPolicy });
  const ofPeople = createHttpClient({ policy: policyForPeople(config) });
  const changes = new Map<OrganizationId, number>();
  const changesOf = (organizationId: OrganizationId) => changes.get(organizationId) ?? 0;
  const limiters = createLimiters(options.clock);
  return {
    source: (configuration, isTyped) =>
      createModelSource(configuration, {
        ...options,
        limiters,
        clientFor: (provider) => (isTyped(provider) ? ofPeople : ofOperator),
      }),
    intents,
    settlements,
    changesOf,
    changed: (organizationId) => void changes.set(organizationId, changesOf(organizationId) + 1),
    close: async () => {
      await settlements.close();
      ofOperator.close();
      ofPeople.close();
    },
  };
}

/** Where an address that people of an organization typed may lead. */
export function policyForPeople({
  models,
  mode,
  networkExceptions,
}: Pick<Config, "models" | "mode" | "networkExceptions">): NetworkPolicy {
  return { mode: models.egress.denyPrivate ? "hosted" : mode, exceptions: networkExceptions };
}
