/** @module Binds the operations on server groups. */
import type { Bindings } from "../../core/routing/bind.ts";
import { createServerGroup, listServerGroups } from "./server-groups.ts";

export const serverGroupBindings = {
  listServerGroups: async ({ app, project }) => ({ items: await listServerGroups(app, project.id) }),
  createServerGroup: ({ app, db, caller, project, body }) =>
    createServerGroup(app, db, project.id, caller.userId, body),
} satisfies Partial<Bindings>;
