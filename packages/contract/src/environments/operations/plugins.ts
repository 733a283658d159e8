/** @module Operations of the Plugins tag: read-only. */
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { Plugin, PluginVersion } from "../plugin.ts";

const tag = "Plugins";

export const listProjectPlugins = operation({
  id: "listProjectPlugins",
  tag,
  method: "GET",
  path: "/projects/{projectId}/plugins",
  access: access.project.read,
  summary: "List the plugins installed in a project",
  description:
    "Lists the plugins that are installed in a project, with their versions and which one is active.",
  cli: "fettle cloud plugins list",
  built: true,
  output: page(Plugin),
});

export const getPluginVersion = operation({
  id: "getPluginVersion",
  tag,
  method: "GET",
  path: "/plugin-versions/{pluginVersionId}",
  access: access.owner,
  elevated: "member of the project that owns the plugin; others see 404",
  summary: "Read one version of a plugin",
  description:
    "Reads one version of an installed plugin: its files, skills and servers. Versions never change.",
  cli: "fettle cloud plugins version",
  built: true,
  output: PluginVersion,
});
