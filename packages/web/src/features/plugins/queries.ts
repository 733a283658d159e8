/** @module Plugins and their versions. */
import type { FileMap } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const pluginsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["plugins", projectId, "list"],
    queryFn: ({ signal }) => api.listProjectPlugins({ projectId }, { signal }),
  });

export const pluginVersionsQuery = (projectId: string, pluginId: string) =>
  queryOptions({
    queryKey: ["plugins", projectId, "versions", pluginId],
    queryFn: ({ signal }) => app.listPluginVersions({ projectId, pluginId }, { signal }),
  });

/** A plugin's skills are the project's, too. */
const stale = (projectId: string) =>
  Promise.all(
    ["plugins", "skills"].map((kind) => queryClient.invalidateQueries({ queryKey: [kind, projectId] })),
  );

export async function uploadPlugin(projectId: string, files: FileMap) {
  const version = await app.uploadPlugin({ projectId, body: { files } });
  await stale(projectId);
  return version;
}

export async function setPluginEnabled(projectId: string, pluginId: string, enabled: boolean) {
  const plugin = await app.setPluginEnabled({ projectId, pluginId, body: { enabled } });
  await stale(projectId);
  return plugin;
}

export async function activateVersion(projectId: string, pluginId: string, pluginVersionId: string) {
  const plugin = await app.activatePluginVersion({ projectId, pluginId, body: { pluginVersionId } });
  await stale(projectId);
  return plugin;
}

export async function uninstallPlugin(projectId: string, pluginId: string) {
  await app.uninstallPlugin({ projectId, pluginId });
  await queryClient.invalidateQueries({ queryKey: ["plugins", projectId, "list"] });
  await queryClient.invalidateQueries({ queryKey: ["skills", projectId] });
}
