/** @module Declares `cloud plugins`: read-only; they are installed in the web app. */
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const pluginsListFlags = flags({ ...platformFlags });
export const pluginsVersionFlags = flags({
  "version-id": { kind: "text", value: "id", required: true, help: "The version (activeVersionId of list)" },
});

export const cloudPluginsCommands = [
  group({ name: "cloud plugins", section: "cloud", summary: "Bundles of skills and servers" }),
  command({
    name: "cloud plugins list",
    section: "cloud",
    summary: "List the plugins installed in a project",
    arguments: {},
    flags: pluginsListFlags,
    examples: [{ command: "fettle cloud plugins list", does: "With their active versions" }],
    load: () => import("../commands/cloud-plugins-list.ts"),
  }),
  command({
    name: "cloud plugins version",
    section: "cloud",
    summary: "Show one version of a plugin, its skills and servers",
    arguments: {},
    flags: pluginsVersionFlags,
    examples: [{ command: "fettle cloud plugins version --version-id plv_...", does: "By id" }],
    load: () => import("../commands/cloud-plugins-version.ts"),
  }),
];
