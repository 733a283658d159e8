/** @module Reading and changing environments. Every change names the revision its author last read. */
import type { Environment, Plugin, PluginVersion, ResolvedEnvironment } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { environmentsQuery } from "../../api/environments.ts";
import { failureOf } from "../../api/failure.ts";
import { queryClient } from "../../api/queries.ts";

type CreateBody = Parameters<typeof api.createEnvironment>[0]["body"];
type UpdateBody = Parameters<typeof api.updateEnvironment>[0]["body"];

export interface EnvironmentAddress {
  projectId: string;
  environmentId: string;
}

export const environmentQuery = (address: EnvironmentAddress) =>
  queryOptions({
    queryKey: ["environment", address.projectId, address.environmentId],
    queryFn: ({ signal }) => api.getEnvironment(address, { signal }),
  });

/** Asked anew whenever it is looked at: what it depends on changes in other places. */
export const resolvedQuery = (address: EnvironmentAddress) =>
  queryOptions<ResolvedEnvironment>({
    queryKey: ["resolved", address.projectId, address.environmentId],
    queryFn: ({ signal }) => api.resolveEnvironment(address, { signal }),
    staleTime: 0,
    retry: false,
  });

export const serverGroupsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["server-groups", projectId],
    queryFn: ({ signal }) => api.listServerGroups({ projectId }, { signal }),
  });

export const skillsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["skills", projectId, "list"],
    queryFn: ({ signal }) => api.listProjectSkills({ projectId }, { signal }),
  });

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: ({ signal }) => api.listModels({}, { signal }),
});

export interface PluginChoice {
  plugin: Plugin;
  versions: readonly PluginVersion[];
}

/** Read again only when the plugin itself changed: a change anywhere in the project must not ask for each of them. */
const versionsQuery = ({ projectId, id: pluginId, updatedAt }: Plugin) =>
  queryOptions({
    queryKey: ["plugin-versions", projectId, pluginId, updatedAt],
    queryFn: ({ signal }) => app.listPluginVersions({ projectId, pluginId }, { signal }),
    staleTime: "static",
  });

/** Each plugin with its versions, as one read: a choice among versions needs both. */
export const pluginChoicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["plugins", projectId, "choices"],
    queryFn: async ({ signal }): Promise<PluginChoice[]> => {
      const { items } = await api.listProjectPlugins({ projectId }, { signal });
      const versions = await Promise.all(
        items.map((plugin) => queryClient.fetchQuery(versionsQuery(plugin))),
      );
      return items.map((plugin, at) => ({ plugin, versions: versions[at]!.items }));
    },
  });
export async function createEnvironment(projectId: string, body: CreateBody, idempotencyKey: string) {
  const environment = await api.createEnvironment({ projectId, body }, { idempotencyKey });
  await noteChanged(environment);
  return environment;
}

/** How a change ended. `conflict` carries the environment as it is now; nothing was written then. */
export type Saved = { kind: "saved" | "conflict"; environment: Environment };

export function updateEnvironment(address: EnvironmentAddress, body: UpdateBody): Promise<Saved> {
  return settle(address, () => api.updateEnvironment({ ...address, body }));
}

export function archiveEnvironment(address: EnvironmentAddress, expectedRevision: number): Promise<Saved> {
  return settle(address, () => api.archiveEnvironment({ ...address, body: { expectedRevision } }));
}

export function restoreEnvironment(address: EnvironmentAddress, expectedRevision: number): Promise<Saved> {
  return settle(address, () => api.restoreEnvironment({ ...address, body: { expectedRevision } }));
}

export async function nameEnvironment(
  address: EnvironmentAddress,
  body: { expectedRevision: number; name: string },
) {
  const environment = await api.nameEnvironment({ ...address, body });
  await noteChanged(environment);
  return environment;
}

/** Codes after which reading again shows something else to decide on. */
const readAgain = ["ENV_REVISION_CONFLICT", "ENV_ARCHIVED", "ENV_NOT_ARCHIVED"];

async function settle(address: EnvironmentAddress, write: () => Promise<Environment>): Promise<Saved> {
  try {
    const environment = await write();
    await noteChanged(environment);
    return { kind: "saved", environment };
  } catch (error) {
    const { code, details } = failureOf(error);
    if (code !== "CONFLICT" || !readAgain.includes(String(details?.code))) throw error;
    const stored = await queryClient.fetchQuery({ ...environmentQuery(address), staleTime: 0 });
    if (stored.name === null) throw error;
    return { kind: "conflict", environment: stored };
  }
}

async function noteChanged(environment: Environment): Promise<void> {
  const { projectId, id: environmentId } = environment;
  queryClient.setQueryData(environmentQuery({ projectId, environmentId }).queryKey, environment);
  await Promise.all([
    queryClient.invalidateQueries(environmentsQuery(projectId)),
    queryClient.invalidateQueries({ queryKey: ["resolved", projectId, environmentId] }),
    // What follows a client is part of what is known of it.
    queryClient.invalidateQueries({ queryKey: ["clients", projectId] }),
    queryClient.invalidateQueries({ queryKey: ["client", projectId] }),
  ]);
}
