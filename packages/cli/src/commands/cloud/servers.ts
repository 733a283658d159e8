/** @module `cloud projects servers`: the saved servers of a project, and how they get there. */

import { droppedNotice } from "@fettle/contract/servers";
import { type OperationCommand, operationCommand } from "../../cloud/operation-command.ts";
import { style } from "../../output/text.ts";
import { command } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import {
  image,
  server,
  serversConnectFlags,
  serversImportArguments,
  serversImportFlags,
} from "./servers-flags.ts";

const request = { parameter: "requestId", value: "id", help: "The connection request (scr_...)" } as const;

const requestText = {
  load: async () => (await import("../../cloud/connection-request.ts")).requestText,
};

const header = {
  kind: "text",
  value: "name: value",
  repeats: true,
  help: "Header to send; kept encrypted, never shown again",
} as const;

const body = {
  kind: "text",
  value: "json",
  help: "All fields the API takes: JSON, @path, or -; flags win",
} as const;

const addFlags = flags({
  name: { kind: "text", value: "name", help: "Its name, unlike any other in the project" },
  url: { kind: "text", value: "url", help: "Its address" },
  header,
  disabled: { kind: "boolean", help: "Save it switched off" },
});

const changeFlags = flags({
  name: { kind: "text", value: "name", help: "A new name" },
  url: { kind: "text", value: "url", help: "A new address" },
  header: { ...header, help: "Header to send; these replace all it had" },
  "clear-headers": { kind: "boolean", help: "Send no headers any more" },
  enable: { kind: "boolean", help: "Switch it on" },
  disable: { kind: "boolean", help: "Switch it off" },
});

const list = {
  operation: "listProjectServers",
  shows: {
    noun: "server",
    namesProject: true,
    table: {
      ID: "id",
      NAME: "name",
      TRANSPORT: "transportType",
      URL: ({ url }) => url ?? style.dim("a command"),
      ENABLED: ({ enabled }) => (enabled ? "yes" : style.yellow("no")),
    },
    shrinks: ["NAME", "URL"],
  },
  next: ({ items: [first] }) =>
    first ? `fettle cloud projects servers get --server ${first.id}` : "fettle cloud projects servers import",
} satisfies Partial<OperationCommand<"listProjectServers">>;

const add = "fettle cloud projects servers add --name Shop";

export const cloudServersCommands = [
  operationCommand({
    ...list,
    name: "cloud projects servers",
    summary: "The MCP servers saved in a project",
    description: ["Without a command, lists them."],
    examples: { List: "fettle cloud projects servers --project Bookshop" },
  }),
  operationCommand({
    ...list,
    name: "cloud projects servers list",
    summary: "List them, without their secrets",
    examples: { "For a script": "fettle cloud projects servers list --format json" },
  }),
  operationCommand({
    operation: "getProjectServer",
    name: "cloud projects servers get",
    summary: "Show one",
    needsNamedProject: true,
    flags: { server },
    examples: { "By id or name": "fettle cloud projects servers get --server Shop" },
    shows: { load: async () => (await import("../../cloud/saved-server.ts")).serverFacts },
  }),
  operationCommand({
    operation: "createProjectServer",
    name: "cloud projects servers add",
    aliases: ["create"],
    summary: "Save a server by its address",
    description: [
      "A server that signs people in is better brought in by connect; one on your own machine by `fettle cloud tunnel`.",
    ],
    needsNamedProject: true,
    flags: { ...addFlags, image, body },
    examples: {
      "Without credentials": `${add} --url https://shop.example/mcp`,
      "With a header": `${add} --url $URL --header "X-Key: $KEY"`,
      "From a file": "fettle cloud projects servers add --body @shop.json",
      "A command that the project's image has": `${add} --image desk --body '{"command":"node","args":["/app/shop.js"]}'`,
    },
    body: async (call, typed) => (await import("../../cloud/server-fields.ts")).addedServer(call, typed),
    shows: { done: "Saved" },
    next: ({ id, transportType, sandboxImageId }) =>
      transportType === "stdio" && !sandboxImageId
        ? "fettle cloud tunnel --help"
        : `fettle cloud projects servers get --server ${id}`,
  }),
  operationCommand({
    operation: "updateProjectServer",
    name: "cloud projects servers update",
    summary: "Change one; only what is said changes",
    needsNamedProject: true,
    flags: { server, ...changeFlags, image, body },
    changes: true,
    examples: { "Switch it off": "fettle cloud projects servers update --server Shop --disable" },
    body: async (call, typed) => (await import("../../cloud/server-fields.ts")).changedServer(call, typed),
    shows: { done: "Changed" },
    warns: ({ credentialsDropped }) => droppedNotice(credentialsDropped),
  }),
  operationCommand({
    operation: "deleteProjectServer",
    name: "cloud projects servers remove",
    aliases: ["delete"],
    summary: "Remove one, and forget its secrets",
    needsNamedProject: true,
    flags: { server },
    examples: { "By id or name": "fettle cloud projects servers remove --server Shop" },
    shows: { done: "Removed" },
  }),
  command({
    name: "cloud projects servers import",
    section: "cloud",
    summary: "Save the servers of a configuration you already have",
    description: [
      "Reads .mcp.json, mcp.json and the formats of the common hosts (JSON with comments, TOML, YAML). Everything is checked before anything is saved; when saving fails half way, what was saved is taken back. On a terminal it shows the plan and asks.",
      "Headers and variables are kept encrypted and never printed. Open places, such as a dollar sign with a name in braces, are filled by --var or from the environment.",
      "A server started by a command is saved too. With --image the service runs it in a container of that image, as `fettle cloud images` builds and shares them; without, it runs in the project's only shared image, if there is one, or on your machine while `fettle cloud tunnel` does.",
    ],
    arguments: serversImportArguments,
    flags: serversImportFlags,
    examples: [
      { command: "fettle cloud projects servers import --dry-run", does: "What is in this folder's file?" },
      {
        command: "fettle cloud projects servers import --from cursor --only github",
        does: "One server of a host",
      },
      {
        command: "fettle cloud projects servers import --image desk",
        does: "Let the service run its commands",
      },
    ],
    load: () => import("./servers-import.ts"),
  }),
  command({
    name: "cloud projects servers connect",
    section: "cloud",
    operations: ["createServerConnection"],
    summary: "Bring a server in by its address, with consent where it asks for it",
    description: [
      "Looks at the server, asks for consent in the browser when it signs people in, proves that it works, and saves it. Ctrl-C stops the watching; the request goes on. Exits 0 when it is ready, and with --no-wait; 1 when it failed, expired or was cancelled, or watching was given up.",
      "Five requests may be open at once, each for an hour; ACTIVE_REQUEST_LIMIT names them.",
    ],
    arguments: {},
    flags: serversConnectFlags,
    examples: [
      {
        command: "fettle cloud projects servers connect --url https://shop.example/mcp",
        does: "Connect and wait",
      },
    ],
    load: () => import("./servers-connect.ts"),
  }),
  operationCommand({
    operation: "getServerConnection",
    name: "cloud projects servers connect-status",
    summary: "Show how far a connection request has come",
    asks: "connection request",
    flags: { request },
    examples: { "Look once": "fettle cloud projects servers connect-status --request scr_..." },
    shows: requestText,
  }),
  operationCommand({
    operation: "cancelServerConnection",
    name: "cloud projects servers connect-cancel",
    summary: "Cancel a connection request and free its place",
    description: ["One that has ended stays as it ended, and the exit code is 0."],
    asks: "connection request",
    flags: { request },
    examples: { Cancel: "fettle cloud projects servers connect-cancel --request scr_..." },
    shows: requestText,
  }),
];
