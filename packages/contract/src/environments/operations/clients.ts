/** @module Operations of the Clients tag: how the service presents itself to servers; `/hosts` stays as the deprecated alias. */
import { z } from "zod";
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import {
  Client,
  ClientCreateRequest,
  ClientDeleted,
  ClientDeleteRequest,
  ClientDetail,
  ClientDuplicateRequest,
  ClientServersRequest,
  ClientTemplate,
  ClientUpdateRequest,
  Host,
  HostDetail,
  HostServersRequest,
  HostServersSet,
  HostUpdateRequest,
} from "../client.ts";

const tag = "Clients";

const backing = z.strictObject({
  includePrivateBacking: z
    .stringbool()
    .default(false)
    .describe("Also clients that exist only behind a user-testing scenario"),
});

export const listClientTemplates = operation({
  id: "listClientTemplates",
  tag,
  method: "GET",
  path: "/client-templates",
  access: access.any,
  summary: "List the templates a client can be made from",
  description: "Lists the ready-made client configurations that `createClient` takes as `template`.",
  cli: "fettle cloud clients templates",
  built: true,
  output: page(ClientTemplate),
});

export const listClients = operation({
  id: "listClients",
  tag,
  method: "GET",
  path: "/projects/{projectId}/clients",
  access: access.project.read,
  summary: "List a project's clients",
  description:
    "Lists every client of the project by name. Clients that back a single environment are left out unless `includePrivateBacking` is set.",
  cli: "fettle cloud clients list",
  built: true,
  query: backing,
  output: page(Client),
});

export const createClient = operation({
  id: "createClient",
  tag,
  method: "POST",
  path: "/projects/{projectId}/clients",
  access: access.project.read,
  summary: "Create a client from a template or a config",
  description:
    "Creates a client from a template, from a config, or from a template with changes. Names are unique in a project.",
  effect: "person",
  cli: "fettle cloud clients create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: ClientCreateRequest,
  output: ClientDetail,
});

export const getClient = operation({
  id: "getClient",
  tag,
  method: "GET",
  path: "/projects/{projectId}/clients/{client}",
  access: access.project.read,
  summary: "Read one client, by id or name, with its resolved config and impact",
  description: "Reads one client with its whole config. The path takes an id or a name.",
  cli: "fettle cloud clients get",
  errors: ["CONFLICT"],
  built: true,
  query: backing,
  output: ClientDetail,
});

export const updateClient = operation({
  id: "updateClient",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/clients/{client}",
  access: access.project.read,
  summary: "Rename a client or change its config, if it is still what the caller last read",
  description:
    "Changes a client. Send the `configId` you last read as `expectedConfigId`: if someone changed the config since, the answer is 409 and nothing changes.",
  effect: "person",
  cli: "fettle cloud clients update",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ClientUpdateRequest,
  output: ClientDetail,
});

export const deleteClient = operation({
  id: "deleteClient",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/clients/{client}",
  access: access.project.read,
  elevated: "project admin when force is set and live environments use the client",
  summary: "Delete a client that nothing refers to, or by force",
  description:
    "Deletes a client. One that live environments use is refused with 409 unless `force` is true, which takes a project admin.",
  cli: "fettle cloud clients delete",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ClientDeleteRequest,
  output: ClientDeleted,
});

export const setClientServers = operation({
  id: "setClientServers",
  tag,
  method: "POST",
  path: "/projects/{projectId}/clients/{client}/servers",
  access: access.project.admin,
  summary: "Replace the servers a client is attached to",
  description:
    "Replaces the servers that a client talks to. Send the `configId` you last read as `expectedConfigId`.",
  effect: "person",
  cli: "fettle cloud clients servers",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ClientServersRequest,
  output: ClientDetail,
});

export const duplicateClient = operation({
  id: "duplicateClient",
  tag,
  method: "POST",
  path: "/projects/{projectId}/clients/{client}/duplicate",
  access: access.project.admin,
  summary: "Copy a client; the copy shares its config",
  description: "Copies a client under a new name, with its config and servers.",
  effect: "person",
  cli: "fettle cloud clients duplicate",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ClientDuplicateRequest,
  output: ClientDetail,
});

export const listHosts = operation({
  id: "listHosts",
  tag,
  method: "GET",
  path: "/projects/{projectId}/hosts",
  access: access.project.read,
  summary: "List a project's clients in the older shape",
  description: "Lists the project's clients under their older name.",
  deprecated: { successor: "listClients" },
  built: true,
  output: page(Host),
});

export const createHost = operation({
  id: "createHost",
  tag,
  method: "POST",
  path: "/projects/{projectId}/hosts",
  access: access.project.read,
  summary: "Create a client in the older shape",
  description: "Creates a client under its older name.",
  effect: "person",
  status: 201,
  idempotent: true,
  deprecated: { successor: "createClient" },
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: ClientCreateRequest,
  output: HostDetail,
});

export const getHost = operation({
  id: "getHost",
  tag,
  method: "GET",
  path: "/projects/{projectId}/hosts/{hostId}",
  access: access.project.read,
  summary: "Read one client by id in the older shape",
  description: "Reads one client under its older name.",
  deprecated: { successor: "getClient" },
  built: true,
  output: HostDetail,
});

export const updateHost = operation({
  id: "updateHost",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/hosts/{hostId}",
  access: access.project.read,
  summary: "Rename a client or replace its config, last write wins",
  description:
    "Changes a client's name or config under its older name, without the check for stale writes that `updateClient` has.",
  effect: "person",
  deprecated: { successor: "updateClient" },
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: HostUpdateRequest,
  output: HostDetail,
});

export const deleteHost = operation({
  id: "deleteHost",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/hosts/{hostId}",
  access: access.project.read,
  elevated: "project admin when force is set and live environments use the client",
  summary: "Delete a client, by force if asked",
  description:
    "Deletes a client under its older name. One that live environments use is refused with 409 unless `force` is true.",
  deprecated: { successor: "deleteClient" },
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ClientDeleteRequest,
  output: ClientDeleted,
});

export const setHostServers = operation({
  id: "setHostServers",
  tag,
  method: "POST",
  path: "/projects/{projectId}/hosts/{hostId}/servers",
  access: access.project.admin,
  summary: "Replace the servers a client is attached to, in the older shape",
  description: "Replaces the servers of a client under its older name.",
  effect: "person",
  deprecated: { successor: "setClientServers" },
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: HostServersRequest,
  output: HostServersSet,
});

export const duplicateHost = operation({
  id: "duplicateHost",
  tag,
  method: "POST",
  path: "/projects/{projectId}/hosts/{hostId}/duplicate",
  access: access.project.admin,
  summary: "Copy a client in the older shape",
  description: "Copies a client under its older name.",
  effect: "person",
  status: 201,
  idempotent: true,
  deprecated: { successor: "duplicateClient" },
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: ClientDuplicateRequest,
  output: HostDetail,
});
