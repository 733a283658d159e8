/** @module Binds the operations on saved servers. */
import type { ServerId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import { toServer } from "./saved.ts";
import { createServer, deleteServer, listServers, updateServer } from "./servers.ts";
import { findServer } from "./store.ts";

/** The saved server a path names, if it is in the path's project. */
export const theServer = ({ app, project, params }: InProject<{ serverId: ServerId }>) =>
  findServer(app.db, project.id, params.serverId);

export const serverBindings = {
  listProjectServers: ({ app, project, query }) => listServers(app, project.id, query),
  createProjectServer: ({ app, db, caller, project, body }) =>
    createServer(app, db, project.id, caller.userId, body),
  getProjectServer: bindResource(theServer, ({ app }, row) => toServer(app.vault, row)),
  updateProjectServer: bindResource(theServer, ({ app, db, caller, body }, row) =>
    updateServer(app, db, row, caller.userId, body),
  ),
  deleteProjectServer: bindResource(theServer, ({ app, db, query }, row) =>
    deleteServer(app, db, row, query.expectedUpdatedAt),
  ),
} satisfies Partial<Bindings>;
