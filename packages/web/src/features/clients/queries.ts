/** @module Changing clients. A change names what its author last read; what is no longer so is told, not overwritten. */
import type { ApiError } from "@fettle/contract/core";
import type { ClientDetail } from "@fettle/contract/environments";
import { failureOf } from "../../api/failure.ts";
import { change, type InputOf, operationOptions, queryClient } from "../../api/operation.ts";

export interface ClientAddress {
  projectId: string;
  clientId: string;
}

/** How a change ended. `conflict` and `impact` carry the client as it is now; nothing was written then. */
export type Saved = { kind: "saved" | "conflict" | "impact"; stored: ClientDetail };

/** By id: a name may be another client's by the time it is read again. */
export async function saveClient<Id extends "updateClient" | "setClientServers">(
  id: Id,
  { projectId, clientId }: ClientAddress,
  body: InputOf<Id>["body"],
): Promise<Saved> {
  const address = { projectId, client: clientId };
  try {
    // Both take the same address; which body goes with which is said above.
    return { kind: "saved", stored: await change(id, { ...address, body }) };
  } catch (error) {
    const kind = refusalKinds[refusalCode(failureOf(error))];
    if (!kind) throw error;
    const read = { ...operationOptions("getClient", address), staleTime: 0 };
    return { kind, stored: await queryClient.fetchQuery(read) };
  }
}

const refusalKinds: Record<string, "conflict" | "impact" | undefined> = {
  STALE_NAME: "conflict",
  STALE_CONFIG_ID: "conflict",
  STALE_IMPACT: "impact",
};

function refusalCode(failure: ApiError): string {
  return failure.code === "CONFLICT" ? String(failure.details?.code) : "";
}
