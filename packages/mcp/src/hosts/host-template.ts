/** @module What a client can be made from: the settings of a known host, complete and ready to change. */
import { type ClientTemplateId, clientTemplateIds, type Theme, themes } from "@fettle/contract/environments";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { loadHosts } from "./host.ts";

export interface HostTemplate {
  id: ClientTemplateId;
  label: string;
  /** Empty where the host has no theme to choose. */
  themes: Theme[];
  /** The settings, a fresh copy for each caller. */
  config: JsonObject & { hostStyle: string; modelId: string };
}

/**
 * The templates, in the order of their ids in the contract.
 *
 * @example
 * const [fettle] = await loadTemplates();
 */
export async function loadTemplates(): Promise<HostTemplate[]> {
  const hosts = await loadHosts();
  return clientTemplateIds.map((id) => {
    const host = hosts.find((candidate) => candidate.id === id);
    if (!host) throw new Error(`the catalogue of hosts lacks "${id}"`);
    // The catalogue is our own data, and a test holds every template to its shape.
    const config = structuredClone(host.template) as HostTemplate["config"];
    const hasTheme = isObject(config.hostContext) && config.hostContext.theme !== undefined;
    return { id, label: host.label, themes: hasTheme ? [...themes] : [], config };
  });
}
