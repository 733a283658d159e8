/** @module Changing environments, and choosing among plugin versions. Every change names the revision its author last read. */
import type { Environment, Plugin, PluginVersion } from "@fettle/contract/environments";
import { queryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.ts";
import { call, change, type InputOf, operationOptions, queryClient, reading } from "../../api/operation.ts";

export interface EnvironmentAddress {
  projectId: string;
  environmentId: string;
}

export interface PluginChoice {
  plugin: Plugin;
  versions: readonly PluginVersion[];
}

/** Read again only when the plugin itself changed: a change anywhere in the project must not ask for each of them. */
const versionsQuery = ({ projectId, id: pluginId, updatedAt }: Plugin) => {
  const versions = reading("listPluginVersions", { projectId, pluginId });
  return queryOptions({ ...versions, queryKey: [...versions.queryKey, updatedAt], staleTime: "static" });
};

/** Each plugin with its versions, as one read: a choice among versions needs both. */
export const pluginChoicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["listProjectPlugins", { projectId }, "choices"],
    queryFn: async ({ signal }): Promise<PluginChoice[]> => {
      const { items } = await call("listProjectPlugins", { projectId }, { signal });
      return Promise.all(
        items.map(async (plugin) => {
          const { items: versions } = await queryClient.fetchQuery(versionsQuery(plugin));
          return { plugin, versions };
        }),
      );
    },
  });

/** How a change ended. Otherwise it carries the environment as it is now, and nothing was written; an archived one takes no change. */
export type Saved = { kind: "saved" | "conflict" | "archived"; stored: Environment };

/** Codes after which reading again shows something else to decide on. */
const readAgain = ["ENV_REVISION_CONFLICT", "ENV_ARCHIVED", "ENV_NOT_ARCHIVED"];

export async function saveEnvironment<
  Id extends "updateEnvironment" | "archiveEnvironment" | "restoreEnvironment",
>(id: Id, address: EnvironmentAddress, body: InputOf<Id>["body"]): Promise<Saved> {
  try {
    // All take the same address; which body goes with which is said above.
    return { kind: "saved", stored: await change(id, { ...address, body }) };
  } catch (error) {
    const { code, details } = failureOf(error);
    if (code !== "CONFLICT" || !readAgain.includes(String(details?.code))) throw error;
    const stored = await queryClient.fetchQuery({
      ...operationOptions("getEnvironment", address),
      staleTime: 0,
    });
    if (stored.name === null) throw error;
    return { kind: stored.archived ? "archived" : "conflict", stored };
  }
}
