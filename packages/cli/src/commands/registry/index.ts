/** @module `registry`: servers that directories and organizations know, and installing them into a project. */
import { registryLimits } from "@fettle/contract/servers";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor, limitOf } from "../../cloud/paging-flags.ts";
import { style } from "../../output/text.ts";
import { command, group } from "../../program/command.ts";
import { installArguments, installFlags } from "./flags.ts";

const at = (time: number | null) => (time === null ? style.dim("never") : new Date(time).toISOString());

export const registryCommands = [
  group({
    name: "registry",
    section: "cloud",
    hosted: true,
    summary: "Find servers in directories, and install them",
    description: ["Searching needs no account: a guest token will do. Installing opens no connection."],
  }),
  operationCommand({
    operation: "listRegistryDirectorySources",
    name: "registry sources",
    summary: "List the directories this deployment mirrors",
    asks: "directories",
    examples: { "Where do entries come from?": "fettle registry sources" },
    shows: {
      noun: "directory",
      table: {
        SOURCE: "source",
        SERVERS: "liveCount",
        "READ AT": ({ lastSyncedAt }) => at(lastSyncedAt),
        FAULT: ({ lastFault }) => (lastFault === null ? "-" : style.yellow(lastFault)),
      },
      shrinks: ["FAULT"],
    },
    next: () => "fettle registry search",
  }),
  operationCommand({
    operation: "searchRegistryDirectory",
    name: "registry search",
    summary: "Search the directories, or browse them",
    asks: "directory",
    flags: {
      q: { field: "q", isArgument: true, help: "Words that all have to occur; none: browse" },
      source: { field: "source", help: "One directory (registry sources)" },
      connectable: { field: "connectableOnly", help: "Only what can be installed" },
      "row-type": { field: "rowType", help: "Has an address, is a package, or neither" },
      "endpoint-kind": { field: "endpointKind", help: "One address, a choice, or a tenant's own" },
      "verified-tier": { field: "verifiedTier", help: "What is known of who wrote it" },
      limit: limitOf(registryLimits.listed),
      cursor,
    },
    // All of it may be very long.
    body: (_, fields) => ({ limit: registryLimits.listed.fallback, ...fields }),
    examples: {
      "By words": "fettle registry search weather --connectable",
      "One directory": "fettle registry search --source samples",
    },
    shows: {
      noun: "server",
      table: {
        ID: "id",
        NAME: "serverName",
        SOURCE: "source",
        ENDPOINT: ({ endpointKind, unavailableReason }) =>
          unavailableReason === null ? (endpointKind ?? "-") : style.dim(unavailableReason),
        DESCRIPTION: "description",
      },
      shrinks: ["DESCRIPTION", "NAME"],
    },
    next: ({ items: [first] }) => first && `fettle registry show ${first.id}`,
  }),
  operationCommand({
    operation: "getRegistryDirectoryServer",
    name: "registry show",
    summary: "Show one entry of a directory",
    asks: "directory entry",
    flags: {
      idOrName: { parameter: "idOrName", isArgument: true, help: "Its id or name; with --source its name" },
      source: { field: "source", help: "The directory" },
    },
    examples: {
      "By name": "fettle registry show fettle.samples/bookshop",
      "Of one directory": "fettle registry show com.example/shop --source file",
    },
    shows: "outline",
    next: ({ id, unavailableReason, endpointKind, remoteUrlOptions, remoteUrlHint }) => {
      if (unavailableReason === "package_only") return "fettle cloud tunnel --help";
      if (unavailableReason !== null) return undefined;
      const url = endpointKind === "fixed" ? undefined : (remoteUrlOptions?.[0] ?? remoteUrlHint);
      return `fettle registry install ${id}${url === undefined ? "" : ` --endpoint-url '${url}'`}`;
    },
  }),
  operationCommand({
    operation: "listRegistryServers",
    name: "registry servers",
    summary: "List the cards a project may install",
    flags: { scope: { field: "scope", help: "Of the deployment, of the organization, or all" } },
    examples: { "The organization's own": "fettle registry servers --scope organization" },
    shows: {
      noun: "card",
      table: {
        ID: "id",
        NAME: "name",
        SCOPE: "scope",
        STATUS: ({ status }) => (status === "approved" ? status : style.yellow(status)),
        ADDRESS: ({ transport }) => transport.url,
      },
      shrinks: ["ADDRESS", "NAME"],
    },
    next: ({ items: [first] }) => first && `fettle registry install ${first.id} --card`,
  }),
  operationCommand({
    operation: "listRegistryConnections",
    name: "registry connections",
    summary: "List what a project has installed from registries",
    description: ["Deleting a server removes it from here; there is nothing else to uninstall."],
    examples: { "What came from where?": "fettle registry connections" },
    shows: {
      noun: "server",
      table: {
        SERVER: "serverId",
        NAME: "serverName",
        KIND: "kind",
        ADDRESS: ({ endpointUrl }) => endpointUrl ?? "-",
        INSTALLED: ({ connectedAt }) => at(connectedAt),
      },
      shrinks: ["ADDRESS", "NAME"],
    },
  }),
  command({
    name: "registry install",
    section: "cloud",
    operations: ["installRegistryDirectoryServer", "installRegistryServer"],
    summary: "Install an entry or a card as a project server",
    description: [
      "Writes a saved server that remembers where it came from, and opens no connection. Installed again, it is enabled and stays as it is. To uninstall, delete the server.",
    ],
    arguments: installArguments,
    flags: installFlags,
    examples: [
      { command: "fettle registry install cts_...", does: "An entry with one address" },
      {
        command: "fettle registry install cts_... --endpoint-url https://eu.example.com/mcp",
        does: "One of its addresses",
      },
      { command: "fettle registry install rcd_... --card", does: "A card" },
    ],
    load: () => import("./install.ts"),
  }),
];
