/** @module Operations of the Registry tag: directories, cards, and installing from them. */
import { access, operation } from "../operation.ts";

const tag = "Registry";

export const searchRegistryDirectory = operation({
  id: "searchRegistryDirectory",
  tag,
  method: "GET",
  path: "/registry/directory-servers",
  access: access.guest,
  summary: "Search or browse the server directories",
});

export const getRegistryDirectoryServer = operation({
  id: "getRegistryDirectoryServer",
  tag,
  method: "GET",
  path: "/registry/directory-servers/{idOrName}",
  access: access.guest,
  summary: "Read one directory entry, by id or name",
  errors: ["VALIDATION_ERROR"],
});

export const listRegistryDirectorySources = operation({
  id: "listRegistryDirectorySources",
  tag,
  method: "GET",
  path: "/registry/directory-sources",
  access: access.guest,
  summary: "List the directories that are mirrored",
});

export const listRegistryServers = operation({
  id: "listRegistryServers",
  tag,
  method: "GET",
  path: "/projects/{projectId}/registry/servers",
  access: access.project.read,
  summary: "List the server cards a project may install",
});

export const listRegistryConnections = operation({
  id: "listRegistryConnections",
  tag,
  method: "GET",
  path: "/projects/{projectId}/registry/connections",
  access: access.project.read,
  summary: "List what a project has installed from registries",
});

export const installRegistryDirectoryServer = operation({
  id: "installRegistryDirectoryServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/registry/directory-installs",
  access: access.project.read,
  summary: "Install a directory entry as a project server",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const installRegistryServer = operation({
  id: "installRegistryServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/registry/installs",
  access: access.project.read,
  summary: "Install a server card as a project server",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});
