/** @module What the commands of `cloud servers` take. */
import { clashChoices } from "../../cloud/import/clash.ts";
import { importHostIds } from "../../cloud/import/places.ts";
import type { ArgumentTable } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { namedProjectFlags } from "../../program/shared-flags.ts";

export const server = {
  parameter: "serverId",
  find: "server",
  value: "id-or-name",
  help: "The saved server",
} as const;

export const image = {
  field: "sandboxImageId",
  find: "shared image",
  value: "id-or-name",
  help: "Of a stdio server: the shared image that its command runs in",
} as const;

export const serversImportArguments = {
  file: { help: "A host's configuration, or - for stdin; else the one in this folder" },
} as const satisfies ArgumentTable;

export const serversImportFlags = flags({
  from: { kind: "choice", choices: importHostIds, value: "host", help: "Read the file of this host" },
  only: {
    kind: "text",
    value: "name",
    repeats: true,
    variadic: true,
    help: "Import these alone",
  },
  "on-clash": {
    kind: "choice",
    choices: clashChoices,
    value: "rule",
    defaultNote: "skip",
    help: "When the project has a server of that name",
  },
  var: {
    kind: "text",
    value: "name=value",
    repeats: true,
    help: "Value of an open place; else the variable of that name",
  },
  image: {
    kind: "text",
    value: "id-or-name",
    help: "Shared image that the commands of the file run in; else they are reached through a tunnel",
  },
  "dry-run": { kind: "boolean", help: "Say what would be done, and do nothing" },
  yes: { kind: "boolean", help: "Do not ask" },
  ...namedProjectFlags,
});

export const serversConnectFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "The server's address" },
  server: { kind: "text", value: "id", help: "Which saved server, where several have the address" },
  name: { kind: "text", value: "name", help: "Name of a newly saved server" },
  reauthorize: { kind: "boolean", help: "Ask for consent again; earlier open requests end" },
  "no-browser": { kind: "boolean", help: "Print the link instead of opening a browser" },
  "no-wait": { kind: "boolean", help: "Print the request and exit" },
  project: {
    kind: "text",
    value: "id-or-name",
    help: "Project; else FETTLE_PROJECT, the link, your only one; else the page asks",
  },
});
