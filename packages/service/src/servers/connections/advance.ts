/** @module Moving a request on: the step, the word about it to the owner's pages, and the job that takes it further. */
import type { ServerConnectionId } from "@fettle/contract/core";
import type { ConnectionError } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { moveRequest, type RequestRow } from "./store.ts";
import type { TransitionName } from "./transitions.ts";

type Change = Parameters<typeof moveRequest>[3];

/** Undefined when the request has meanwhile gone another way; then nothing has happened. */
export async function advance(
  app: App,
  tx: Transaction,
  id: ServerConnectionId,
  name: TransitionName,
  change: Change = {},
): Promise<RequestRow | undefined> {
  const row = await moveRequest(tx, id, name, change, new Date(app.now()));
  if (!row) return undefined;
  await app.events.publish(
    `account:${row.userId}`,
    "server-connection",
    { connectionRequestId: id, status: row.status },
    { inTransaction: tx },
  );
  return row;
}

export function fail(
  app: App,
  tx: Transaction,
  id: ServerConnectionId,
  error: ConnectionError,
): Promise<RequestRow | undefined> {
  return advance(app, tx, id, "fail", { error });
}
