/** @module Binds the operations on clients, and their deprecated aliases on hosts, which name a client by id alone. */
import type { ClientId, ProjectId } from "@fettle/contract/core";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import {
  createClient,
  deleteClient,
  duplicateClient,
  findClient,
  listClients,
  readClient,
  setServers,
  updateClient,
} from "./clients.ts";
import { toHost, toHostDetail } from "./hosts.ts";
import * as store from "./store.ts";
import { listTemplates } from "./templates.ts";

type Place = Pick<Call<never>, "app"> & { project: { id: ProjectId } };

const theClient = ({ app, project, params }: Place & { params: { client: string } }) =>
  findClient(app.db, { projectId: project.id, idOrName: params.client });

const theHost = ({ app, project, params }: Place & { params: { hostId: ClientId } }) =>
  store.findClient(app.db, { projectId: project.id, id: params.hostId });

export const clientBindings = {
  listClientTemplates: async () => ({ items: await listTemplates() }),
  listClients: async ({ app, project, query }) => ({
    items: await listClients(app.db, { projectId: project.id, ...query }),
  }),
  createClient: ({ app, db, project, caller, body }) =>
    createClient(app, db, project.id, caller.userId, body),
  getClient: bindResource(
    ({ app, project, params, query }) =>
      findClient(app.db, { projectId: project.id, idOrName: params.client, ...query }),
    ({ db }, client) => readClient(db, client),
  ),
  updateClient: bindResource(theClient, ({ app, db, caller, body }, client) =>
    updateClient(app, db, caller.userId, client, body),
  ),
  deleteClient: bindResource(theClient, ({ app, db, project, body }, client) =>
    deleteClient(app, db, project, client, body),
  ),
  setClientServers: bindResource(theClient, ({ app, db, caller, body }, client) =>
    setServers(app, db, caller.userId, client, body),
  ),
  duplicateClient: bindResource(theClient, ({ app, db, caller, body }, client) =>
    duplicateClient(app, db, caller.userId, client, body.name),
  ),

  listHosts: async ({ app, project }) => ({
    items: (await listClients(app.db, { projectId: project.id })).map(toHost),
  }),
  createHost: async ({ app, db, project, caller, body }) =>
    toHostDetail(await createClient(app, db, project.id, caller.userId, body)),
  getHost: bindResource(theHost, async ({ db }, client) => toHostDetail(await readClient(db, client))),
  updateHost: bindResource(theHost, async ({ app, db, caller, body }, client) =>
    toHostDetail(await updateClient(app, db, caller.userId, client, body)),
  ),
  deleteHost: bindResource(theHost, ({ app, db, project, body }, client) =>
    deleteClient(app, db, project, client, body),
  ),
  setHostServers: bindResource(theHost, async ({ app, db, caller, body }, client) => {
    const detail = await setServers(app, db, caller.userId, client, body);
    return { ...toHostDetail(detail), hostId: detail.id, hostConfigId: detail.configId };
  }),
  duplicateHost: bindResource(theHost, async ({ app, db, caller, body }, client) =>
    toHostDetail(await duplicateClient(app, db, caller.userId, client, body.name)),
  ),
} satisfies Partial<Bindings>;
