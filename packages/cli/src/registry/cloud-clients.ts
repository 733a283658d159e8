/** @module Declares `cloud clients`: how the service presents itself to servers. */
import { themes } from "@fettle/contract";
import { noFlags } from "./cli.ts";
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { documentFlags, platformFlags } from "./shared-flags.ts";

const theClient = flags({
  client: { kind: "text", value: "id-or-name", help: "The client" },
  host: { kind: "text", value: "id-or-name", hidden: true, help: "The old spelling of --client" },
});
const expectedConfigId = {
  kind: "text",
  value: "id",
  help: "The configId you last read; a client changed since is left alone",
} as const;

export const clientsListFlags = flags({ ...platformFlags });
export const clientFlags = flags({ ...theClient, ...platformFlags });
export const clientsCreateFlags = flags({
  name: { kind: "text", value: "name", required: true, help: "Its name" },
  template: { kind: "text", value: "id", help: "A known host to start from; see templates" },
  theme: { kind: "choice", value: "theme", choices: themes, help: "Of the template" },
  ...documentFlags,
  ...platformFlags,
});
export const clientsUpdateFlags = flags({
  ...theClient,
  name: { kind: "text", value: "name", help: "A new name; needs --expected-name" },
  "expected-name": { kind: "text", value: "name", help: "The name you last read" },
  "expected-config-id": expectedConfigId,
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
  ...documentFlags,
  ...platformFlags,
});
export const clientsServersFlags = flags({
  ...theClient,
  "server-ids": {
    kind: "text",
    value: "id,...",
    mayBeBlank: true,
    required: true,
    help: "All servers it is attached to",
  },
  "optional-server-ids": { kind: "text", value: "id,...", mayBeBlank: true, help: "Those it can do without" },
  "expected-config-id": { ...expectedConfigId, required: true },
  ...platformFlags,
});
export const clientsDuplicateFlags = flags({
  ...theClient,
  name: { kind: "text", value: "name", help: "Of the copy" },
  ...platformFlags,
});
export const clientsDeleteFlags = flags({
  ...theClient,
  force: { kind: "boolean", help: "Although something still refers to it; needs project admin then" },
  ...platformFlags,
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
    summary: "List what a client can be made from",
    description: ["Asks no deployment and needs no credential."],
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud clients templates", does: "Works offline" }],
    load: () => import("../commands/cloud-clients-templates.ts"),
  }),
  command({
    name: "cloud clients list",
    section: "cloud",
    summary: "List a project's clients",
    arguments: {},
    flags: clientsListFlags,
    examples: [{ command: "fettle cloud clients list --project Bookshop", does: "Clients of one project" }],
    load: () => import("../commands/cloud-clients-list.ts"),
  }),
  command({
    name: "cloud clients get",
    section: "cloud",
    summary: "Show a client's config, its configId and what an edit would follow",
    arguments: {},
    flags: clientFlags,
    examples: [{ command: "fettle cloud clients get --client Claude", does: "By id or name" }],
    load: () => import("../commands/cloud-clients-get.ts"),
  }),
  command({
    name: "cloud clients create",
    section: "cloud",
    summary: "Create a client from a template or a config",
    arguments: {},
    flags: clientsCreateFlags,
    examples: [
      { command: "fettle cloud clients create --name Claude --template claude", does: "Like a known host" },
      { command: "fettle cloud clients create --name Mine --file config.json", does: "From a whole config" },
    ],
    load: () => import("../commands/cloud-clients-create.ts"),
  }),
  command({
    name: "cloud clients update",
    section: "cloud",
    summary: "Rename a client or change its config, if it is still as you last read it",
    description: [
      "A config edit takes --set temperature=0 and --unset harness, or a whole config by --file or --json.",
    ],
    arguments: {},
    flags: clientsUpdateFlags,
    examples: [
      {
        command: "fettle cloud clients update --client A --expected-config-id cfg_1 --json -",
        does: "Replace the config",
      },
      {
        command: "fettle cloud clients update --client A --expected-name A --name B",
        does: "Rename",
      },
    ],
    load: () => import("../commands/cloud-clients-update.ts"),
  }),
  command({
    name: "cloud clients servers",
    section: "cloud",
    summary: "Replace the servers a client is attached to",
    description: ["Servers that are not named are detached. Needs project admin."],
    arguments: {},
    flags: clientsServersFlags,
    examples: [
      {
        command: "fettle cloud clients get --client A",
        does: "Read the configId to send with it",
      },
    ],
    load: () => import("../commands/cloud-clients-servers.ts"),
  }),
  command({
    name: "cloud clients duplicate",
    section: "cloud",
    summary: "Copy a client; the copy shares its config",
    description: ["Needs project admin."],
    arguments: {},
    flags: clientsDuplicateFlags,
    examples: [{ command: "fettle cloud clients duplicate --client Claude --name Copy", does: "Copy" }],
    load: () => import("../commands/cloud-clients-duplicate.ts"),
  }),
  command({
    name: "cloud clients delete",
    section: "cloud",
    summary: "Delete a client that nothing refers to",
    arguments: {},
    flags: clientsDeleteFlags,
    examples: [{ command: "fettle cloud clients delete --client Claude", does: "Delete" }],
    load: () => import("../commands/cloud-clients-delete.ts"),
  }),
];
