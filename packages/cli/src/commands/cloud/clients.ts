/** @module `cloud clients`: how the service presents itself to servers. */
import { usageError } from "../../cli-error.ts";
import { type Fields, operationCommand } from "../../cloud/operation-command.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { noFlags } from "../../program/shared-flags.ts";

const client = {
  parameter: "client",
  value: "id-or-name",
  oldSpelling: "host",
  foundByApi: "client",
  help: "The client",
} as const;
const expectedConfigId = {
  field: "expectedConfigId",
  value: "id",
  help: "The configId you last read; a client changed since is left alone",
} as const;

export const settingFlags = flags({
  set: {
    kind: "text",
    value: "field=value",
    repeats: true,
    variadic: true,
    help: "Set a field, read by its type; objects are replaced whole",
  },
  unset: {
    kind: "text",
    value: "field",
    repeats: true,
    variadic: true,
    help: "Put a field's default back, or clear it",
  },
});

export const cloudClientsCommands = [
  group({
    name: "cloud clients",
    section: "cloud",
    aliases: ["hosts"],
    summary: "How the service presents itself to MCP servers",
  }),
  command({
    name: "cloud clients templates",
    section: "cloud",
    operations: ["listClientTemplates"],
    summary: "List what a client can be made from",
    description: ["Asks no deployment and needs no credential."],
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud clients templates", does: "Works offline" }],
    load: () => import("./clients-templates.ts"),
  }),
  operationCommand({
    operation: "listClients",
    name: "cloud clients list",
    summary: "List a project's clients",
    examples: { "Clients of one project": "fettle cloud clients list --project Bookshop" },
    shows: {
      noun: "client",
      table: { ID: "id", NAME: "name", MODEL: "modelId", SERVERS: "serverCount" },
      shrinks: ["NAME", "MODEL"],
    },
    next: ({ items: [first] }) =>
      first
        ? `fettle cloud clients get --client ${first.id}`
        : "fettle cloud clients create --name Claude --template claude",
  }),
  operationCommand({
    operation: "getClient",
    name: "cloud clients get",
    summary: "Show a client's config, its configId and what an edit would follow",
    flags: { client },
    examples: { "By id or name": "fettle cloud clients get --client Claude" },
    shows: "outline",
  }),
  operationCommand({
    operation: "createClient",
    name: "cloud clients create",
    summary: "Create a client from a template or a config",
    flags: {
      name: { field: "name", help: "Its name" },
      template: { field: "template", value: "id", help: "A known host to start from" },
      theme: { field: "theme", help: "Of the template" },
    },
    document: "config",
    examples: {
      "Like a known host": "fettle cloud clients create --name Claude --template claude",
      "From a whole config": "fettle cloud clients create --name Mine --file config.json",
    },
    body: (_call, fields) => templateOrConfig(fields),
    shows: { done: "Created" },
    next: ({ id }) => `fettle cloud clients get --client ${id}`,
  }),
  operationCommand({
    operation: "updateClient",
    name: "cloud clients update",
    summary: "Rename a client or change its config, if it is still as you last read it",
    description: [
      "A config edit takes --set temperature=0 and --unset harness, or a whole config by --file or --json.",
    ],
    flags: {
      client,
      name: { field: "name", help: "A new name; needs --expected-name" },
      "expected-name": { field: "expectedName", value: "name", help: "The name you last read" },
      "expected-config-id": expectedConfigId,
      ...settingFlags,
    },
    document: "config",
    changes: true,
    examples: {
      "Replace the config": "fettle cloud clients update --client A --expected-config-id cfg_1 --json -",
      Rename: "fettle cloud clients update --client A --expected-name A --name B",
    },
    body: async (call, fields) => (await import("../../cloud/client-settings.ts")).settingsBody(call, fields),
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "setClientServers",
    name: "cloud clients servers",
    summary: "Replace the servers a client is attached to",
    description: ["Servers that are not named are detached. Needs project admin."],
    flags: {
      client,
      "server-ids": {
        field: "serverIds",
        commas: true,
        value: "id,...",
        help: "All servers it is attached to",
      },
      "optional-server-ids": {
        field: "optionalServerIds",
        commas: true,
        value: "id,...",
        help: "Those it can do without",
      },
      "expected-config-id": expectedConfigId,
    },
    examples: { "Read the configId to send with it": "fettle cloud clients get --client A" },
    shows: { done: "Attached" },
  }),
  operationCommand({
    operation: "duplicateClient",
    name: "cloud clients duplicate",
    summary: "Copy a client; the copy shares its config",
    description: ["Needs project admin."],
    flags: { client, name: { field: "name", help: "Of the copy" } },
    examples: { Copy: "fettle cloud clients duplicate --client Claude --name Copy" },
    shows: { done: "Created" },
  }),
  operationCommand({
    operation: "deleteClient",
    name: "cloud clients delete",
    summary: "Delete a client that nothing refers to",
    flags: {
      client,
      force: { field: "force", help: "Although something still refers to it; needs project admin then" },
    },
    examples: { Delete: "fettle cloud clients delete --client Claude" },
    shows: { done: "Deleted" },
  }),
];

function templateOrConfig(fields: Fields): Fields {
  if ((fields.template === undefined) === (fields.config === undefined)) {
    throw usageError("Say what to make it from: --template, or a config by --file or --json.");
  }
  if (fields.theme !== undefined && fields.template === undefined) {
    throw usageError("--theme goes with --template.");
  }
  return fields;
}
