/** @module Binds the operations on plugins. */
import { access, type PluginId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import { locate } from "../../http/caller/access.ts";
import {
  activateVersion,
  listPlugins,
  listVersions,
  readVersion,
  setEnabled,
  uninstallPlugin,
  uploadPlugin,
} from "./plugins.ts";
import { findPlugin, findVersion } from "./store.ts";

const thePlugin = ({ app, project, params }: InProject<{ pluginId: PluginId }>) =>
  findPlugin(app.db, project.id, params.pluginId);

export const pluginBindings = {
  listProjectPlugins: async ({ app, project }) => ({ items: await listPlugins(app.db, project.id) }),
  getPluginVersion: bindResource(
    async ({ app, caller, params }) => {
      const found = await findVersion(app.db, params.pluginVersionId);
      if (!found) return undefined;
      // The path names no project, so it is looked for here; one the caller may not see reads as missing.
      const { projectId } = found.plugin;
      await locate(app.pool, access.project.read, caller, { params: { projectId }, query: {} });
      return found;
    },
    ({ app }, found) => readVersion(app.db, found),
  ),
  uploadPlugin: ({ app, caller, project, body }) => uploadPlugin(app, project.id, caller.userId, body.files),
  listPluginVersions: bindResource(thePlugin, async ({ app }, plugin) => ({
    items: await listVersions(app.db, plugin),
  })),
  setPluginEnabled: bindResource(thePlugin, ({ app, body }, plugin) => setEnabled(app, plugin, body.enabled)),
  activatePluginVersion: bindResource(thePlugin, ({ app, body }, plugin) =>
    activateVersion(app, plugin, body.pluginVersionId),
  ),
  uninstallPlugin: bindResource(thePlugin, ({ app }, plugin) => uninstallPlugin(app, plugin)),
} satisfies Partial<Bindings>;
