/** @module Operations of the Registry tag: directories, cards, and installing from them. */
import { z } from "zod";
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import {
  DirectoryInstallRequest,
  DirectoryNameQuery,
  DirectoryPage,
  DirectoryQuery,
  DirectoryServer,
  DirectorySource,
  RegistryCard,
  RegistryConnection,
  RegistryInstalled,
  RegistryInstallRequest,
} from "../registry/registry.ts";
import { cardScopes } from "../registry/words.ts";

const tag = "Registry";

export const searchRegistryDirectory = operation({
  id: "searchRegistryDirectory",
  tag,
  method: "GET",
  path: "/registry/directory-servers",
  access: access.guest,
  summary: "Search or browse the server directories",
  description: "Searches the mirrored directories. Without `q` it lists everything, most verified first.",
  cli: "fettle registry search",
  built: true,
  errors: ["VALIDATION_ERROR"],
  query: DirectoryQuery,
  output: DirectoryPage,
});

export const getRegistryDirectoryServer = operation({
  id: "getRegistryDirectoryServer",
  tag,
  method: "GET",
  path: "/registry/directory-servers/{idOrName}",
  access: access.guest,
  summary: "Read one directory entry, by id or name",
  description:
    "Reads one directory entry with its addresses and versions. A name that several directories have needs `source`.",
  errors: ["VALIDATION_ERROR"],
  cli: "fettle registry show",
  built: true,
  query: DirectoryNameQuery,
  output: DirectoryServer,
});

export const listRegistryDirectorySources = operation({
  id: "listRegistryDirectorySources",
  tag,
  method: "GET",
  path: "/registry/directory-sources",
  access: access.guest,
  summary: "List the directories that are mirrored",
  description: "Lists the directories that are mirrored, with when each was last read.",
  cli: "fettle registry sources",
  built: true,
  output: page(DirectorySource),
});

export const listRegistryServers = operation({
  id: "listRegistryServers",
  tag,
  method: "GET",
  path: "/projects/{projectId}/registry/servers",
  access: access.project.read,
  summary: "List the server cards a project may install",
  description:
    "Lists the server cards that the project may install: the organization's own and those shared with everyone.",
  cli: "fettle registry servers",
  built: true,
  errors: ["VALIDATION_ERROR"],
  query: z.strictObject({ scope: z.enum([...cardScopes, "all"]).default("all") }),
  output: page(RegistryCard),
});

export const listRegistryConnections = operation({
  id: "listRegistryConnections",
  tag,
  method: "GET",
  path: "/projects/{projectId}/registry/connections",
  access: access.project.read,
  summary: "List what a project has installed from registries",
  description: "Lists which servers of a project were installed from a directory or a card.",
  cli: "fettle registry connections",
  built: true,
  output: page(RegistryConnection),
});

export const installRegistryDirectoryServer = operation({
  id: "installRegistryDirectoryServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/registry/directory-installs",
  access: access.project.read,
  summary: "Install a directory entry as a project server",
  description:
    "Saves a directory's entry as a server of the project. Headers that the entry asks for and that were not sent are answered in `missingHeaders`.",
  effect: "person",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle registry install",
  built: true,
  body: DirectoryInstallRequest,
  output: RegistryInstalled,
});

export const installRegistryServer = operation({
  id: "installRegistryServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/registry/installs",
  access: access.project.read,
  summary: "Install a server card as a project server",
  description: "Saves a server card of the organization as a server of the project.",
  effect: "outside",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle registry install",
  built: true,
  body: RegistryInstallRequest,
  output: RegistryInstalled,
});
