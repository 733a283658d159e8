/** @module Binds what pages ask about findings across runs. */
import type { Bindings } from "../core/routing/bind.ts";
import * as registry from "./registry.ts";

export const findingBindings = {
  listFindings: ({ app, project, query: { cursor, limit, ...filter } }) =>
    registry.listFindings(app, { projectId: project.id, ...filter }, { cursor, limit }),
  getFinding: ({ app, project, params }) => registry.readFinding(app, keyOf(project, params)),
  dismissFinding: ({ app, caller, project, params }) =>
    registry.setDismissed(app, keyOf(project, params), caller.userId),
  restoreFinding: ({ app, project, params }) => registry.setDismissed(app, keyOf(project, params), null),
} satisfies Partial<Bindings>;

const keyOf = (
  { id: projectId }: { id: registry.FindingKey["projectId"] },
  { familyId, findingId }: { familyId: string; findingId: string },
): registry.FindingKey => ({ projectId, familyId, findingId });
