/** @module `cloud server-groups`: frozen sets of saved servers, which environments pin. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { style, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";

export const cloudServerGroupsCommands = [
  group({ name: "cloud server-groups", section: "cloud", summary: "Frozen sets of saved servers" }),
  operationCommand({
    operation: "listServerGroups",
    name: "cloud server-groups list",
    summary: "List a project's server groups",
    examples: { "Ids for --server-group": "fettle cloud server-groups list" },
    shows: {
      noun: "server group",
      table: { ID: "id", NAME: "name", SERVERS: ({ serverNames }) => serverNames.join(", ") },
      shrinks: ["NAME", "SERVERS"],
    },
    next: ({ items }) =>
      items.length === 0
        ? "fettle cloud server-groups create --help"
        : "fettle cloud environments ensure-adhoc --help",
  }),
  operationCommand({
    operation: "createServerGroup",
    name: "cloud server-groups create",
    summary: "Freeze a set of saved servers under a name",
    description: ["A group never changes. Needs project admin."],
    flags: {
      name: { field: "name", help: "Its name" },
      server: { field: "serverIds", find: "server", value: "id-or-name", help: "The saved servers in it" },
      description: { field: "description", value: "text", help: "What it is for" },
    },
    examples: {
      "Two servers by name": "fettle cloud server-groups create --name Shops --server Bookshop 'Toy shop'",
    },
    shows: {
      text: ({ id, name, serverNames }) =>
        text`${style.green("✓")} Froze ${serverNames.join(", ")} as ${style.bold(name)} ${style.dim(`(${id})`)}`,
    },
  }),
];
