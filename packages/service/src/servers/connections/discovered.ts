/** @module Waits a moment for a new request's discovery, so that the answer that makes it can say whether a person is needed. */
import { limits, type ServerConnectionId, type UserId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { findRequest, type ShownRow } from "./store.ts";

/** The request as soon as its server has been looked at, or as it stands when that takes longer. */
export async function discovered(app: App, userId: UserId, id: ServerConnectionId): Promise<ShownRow> {
  const signal = AbortSignal.timeout(limits.connections.discoveryWaitMs);
  // The first item comes once we listen: what was decided before is read then, what is decided later is told.
  for await (const _told of app.events.subscribe({ topics: [`account:${userId}`], signal })) {
    const row = await findRequest(app.db, id);
    if (row && row.status !== "discovering") return row;
  }
  return stillThere(await findRequest(app.db, id));
}
