/** @module Managing plugins, which is done in the web app alone. */
import { z } from "zod";
import { idOf } from "../../../core/id-of.ts";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { FileMap } from "../../file-map.ts";
import { Plugin, PluginVersion } from "../../plugin.ts";

const tag = "App plugins";
const surface = "app";

export const uploadPlugin = operation({
  id: "uploadPlugin",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/plugins",
  access: access.project.admin,
  summary: "Add a version of a plugin from its bundle; the plugin is installed with its first one",
  status: 201,
  built: true,
  body: z.strictObject({ files: FileMap }),
  output: PluginVersion,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const listPluginVersions = operation({
  id: "listPluginVersions",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/plugins/{pluginId}/versions",
  access: access.project.read,
  summary: "List a plugin's versions, newest first",
  built: true,
  output: page(PluginVersion),
});

export const setPluginEnabled = operation({
  id: "setPluginEnabled",
  tag,
  surface,
  method: "PUT",
  path: "/projects/{projectId}/plugins/{pluginId}/enabled",
  access: access.project.admin,
  summary: "Enable or disable a plugin",
  built: true,
  body: z.strictObject({ enabled: z.boolean() }),
  output: Plugin,
});

export const activatePluginVersion = operation({
  id: "activatePluginVersion",
  tag,
  surface,
  method: "PUT",
  path: "/projects/{projectId}/plugins/{pluginId}/active-version",
  access: access.project.admin,
  summary: "Make a ready version the active one",
  built: true,
  body: z.strictObject({ pluginVersionId: idOf<"pluginVersion">() }),
  output: Plugin,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const uninstallPlugin = operation({
  id: "uninstallPlugin",
  tag,
  surface,
  method: "DELETE",
  path: "/projects/{projectId}/plugins/{pluginId}",
  access: access.project.admin,
  summary: "Uninstall a plugin; its versions stay readable",
  built: true,
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
});
