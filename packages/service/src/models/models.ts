/** @module What models share in one process: open connections, and one limiter for each key. */
import {
  createLimiters,
  createModelSource,
  type ModelConfiguration,
  type ModelSource,
  type ModelSourceOptions,
} from "@fettle/evals";
import { createHttpClient, hostedPolicy, localPolicy, type NetworkPolicy } from "@fettle/mcp";
import type { Config } from "../config.ts";

export interface Models {
  /** `isTyped` tells the providers whose address was typed by people of an organization; those are held to the service's network policy. */
  source(configuration: ModelConfiguration, isTyped: (provider: string) => boolean): ModelSource;
  close(): void;
}

export function createModels(
  config: Pick<Config, "models" | "mode" | "networkExceptions">,
  options: Pick<ModelSourceOptions, "clock" | "timeouts"> = {},
): Models {
  const { denyPrivate } = config.models.egress;
  // An operator's addresses are their own network; nobody else's become a way into it.
  const ofOperator = createHttpClient({ policy: denyPrivate ? hostedPolicy : localPolicy });
  const ofPeople = createHttpClient({ policy: policyForPeople(config) });
  const limiters = createLimiters(options.clock);
  return {
    source: (configuration, isTyped) =>
      createModelSource(configuration, {
        ...options,
        limiters,
        clientFor: (provider) => (isTyped(provider) ? ofPeople : ofOperator),
      }),
    close: () => {
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
