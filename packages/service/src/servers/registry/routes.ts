/** @module Binds the operations of registries. */
import { holdsOrganizationRole } from "@fettle/contract/core";
import type { Bindings, Call, ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import { listCards, removeCard, saveCard } from "./cards.ts";
import { listDirectorySources, readDirectory, searchDirectory } from "./directory.ts";
import { type Installing, installCard, installEntry, listConnections } from "./installs.ts";

type InProject = Pick<Call<never>, "app" | "db"> & { project: ProjectContext; caller: SignedInCaller };

const installing = ({ app, db, project, caller }: InProject): Installing => ({
  app,
  db,
  projectId: project.id,
  organizationId: project.organizationId,
  userId: caller.userId,
  seesOthers: caller.kind === "session",
});

export const registryBindings = {
  searchRegistryDirectory: ({ app, query }) => searchDirectory(app, query),
  getRegistryDirectoryServer: ({ app, params, query }) => readDirectory(app, params.idOrName, query.source),
  listRegistryDirectorySources: async ({ app }) => ({ items: await listDirectorySources(app) }),
  listRegistryServers: async ({ app, project, query }) => ({
    items: await listCards(app, project.organizationId, query.scope),
  }),
  listRegistryConnections: async ({ app, project }) => ({ items: await listConnections(app, project.id) }),
  installRegistryDirectoryServer: (call) => installEntry(installing(call), call.body),
  installRegistryServer: (call) => installCard(installing(call), call.body),
  saveRegistryCard: ({ app, caller, organization, params, body }) => {
    const isAdmin = holdsOrganizationRole(organization.role, "admin");
    const place = { organizationId: organization.id, userId: caller.userId, isAdmin };
    return saveCard(app, place, params.cardName, body);
  },
  removeRegistryCard: async ({ app, organization, params: { cardName } }) => {
    await removeCard(app, organization.id, cardName);
    return { name: cardName, removed: true };
  },
} satisfies Partial<Bindings>;
