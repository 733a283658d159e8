/** @module `cloud plugins`: read-only; they are installed in the web app. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { style } from "../../output/text.ts";
import { group } from "../../program/command.ts";

export const cloudPluginsCommands = [
  group({ name: "cloud plugins", section: "cloud", summary: "Bundles of skills and servers" }),
  operationCommand({
    operation: "listProjectPlugins",
    name: "cloud plugins list",
    summary: "List the plugins installed in a project",
    examples: { "With their active versions": "fettle cloud plugins list" },
    shows: {
      noun: "plugin",
      table: {
        ID: "id",
        NAME: ({ name, displayName }) => displayName ?? name,
        "ACTIVE VERSION": ({ activeVersionId }) => activeVersionId ?? style.dim("none"),
        ENABLED: ({ enabled }) => (enabled ? "yes" : style.yellow("no")),
      },
      shrinks: ["NAME"],
    },
    next: ({ items }) => {
      const active = items.find(({ activeVersionId }) => activeVersionId !== null);
      return active && `fettle cloud plugins version --version-id ${active.activeVersionId}`;
    },
  }),
  operationCommand({
    operation: "getPluginVersion",
    name: "cloud plugins version",
    summary: "Show one version of a plugin, its skills and servers",
    asks: "plugin version",
    flags: {
      "version-id": {
        parameter: "pluginVersionId",
        value: "id",
        help: "The version (activeVersionId of list)",
      },
    },
    examples: { "By id": "fettle cloud plugins version --version-id plv_..." },
    shows: "outline",
  }),
];
