/** @module Binds what pages ask about findings across runs. */
import { ApiError, type Page, type ProjectFinding } from "@fettle/contract";
import type { App } from "../app.ts";
import type { Bindings } from "../routing/bind.ts";
import * as registry from "./registry.ts";
import * as store from "./registry-store.ts";

async function listFindings(
  app: App,
  filter: store.FindingFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<ProjectFinding>> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // One more than asked for tells whether there is another page.
  const rows = await store.listFindings(app.db, { ...filter, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(registry.toFinding),
    ...(rows.length > limit && last && { nextCursor: writeCursor(last) }),
  };
}

function writeCursor({ lastSeenAt, findingId, familyId }: store.FindingRow): string {
  return Buffer.from(`${lastSeenAt.getTime()} ${findingId} ${familyId}`).toString("base64url");
}

function readCursor(cursor: string): store.AfterFinding {
  const [, at, findingId, familyId] =
    /^(\d{1,15}) (\S{1,100}) (\S{1,100})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at && findingId && familyId) return { at: new Date(Number(at)), findingId, familyId };
  throw new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", {
    path: "query.cursor",
    code: "BAD_CURSOR",
  });
}

export const findingBindings = {
  listFindings: ({ app, project, query: { cursor, limit, ...filter } }) =>
    listFindings(app, { projectId: project.id, ...filter }, { cursor, limit }),
  getFinding: ({ app, project, params }) => registry.readFinding(app, keyOf(project, params)),
  dismissFinding: ({ app, caller, project, params }) =>
    registry.setDismissed(app, keyOf(project, params), caller.userId),
  restoreFinding: ({ app, project, params }) => registry.setDismissed(app, keyOf(project, params), null),
} satisfies Partial<Bindings>;

const keyOf = (
  { id: projectId }: { id: registry.FindingKey["projectId"] },
  { familyId, findingId }: { familyId: string; findingId: string },
): registry.FindingKey => ({ projectId, familyId, findingId });
