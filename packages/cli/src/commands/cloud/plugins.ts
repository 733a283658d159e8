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
    examples: [{ command: "fettle cloud plugins list", does: "With their active versions" }],
    shows: {
      noun: "plugin",
      table: [
        { header: "ID", cell: ({ id }) => id },
        { header: "NAME", shrinks: true, cell: ({ name, displayName }) => style.bold(displayName ?? name) },
        { header: "ACTIVE VERSION", cell: ({ activeVersionId }) => activeVersionId ?? style.dim("none") },
        { header: "ENABLED", cell: ({ enabled }) => (enabled ? "yes" : style.yellow("no")) },
      ],
    },
    next: ({ items }) => (items.length === 0 ? undefined : "fettle cloud plugins version --version-id <id>"),
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
    examples: [{ command: "fettle cloud plugins version --version-id plv_...", does: "By id" }],
    shows: "outline",
  }),
];
