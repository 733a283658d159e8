/** @module Reading and changing clients. A change names what its author last read; what is no longer so is told, not overwritten. */
import type { ApiError, ClientDetail } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { clientsQuery } from "../../api/clients.ts";
import { failureOf } from "../../api/failure.ts";
import { queryClient } from "../../api/queries.ts";

type CreateBody = Parameters<typeof api.createClient>[0]["body"];
type UpdateBody = Parameters<typeof api.updateClient>[0]["body"];
type ServersBody = Parameters<typeof api.setClientServers>[0]["body"];

export interface ClientAddress {
  projectId: string;
  clientId: string;
}

export const templatesQuery = queryOptions({
  queryKey: ["client-templates"],
  queryFn: ({ signal }) => api.listClientTemplates({}, { signal }),
  staleTime: "static",
});

/** By id: a name may be another client's by the time it is read again. */
export const clientQuery = ({ projectId, clientId }: ClientAddress) =>
  queryOptions({
    queryKey: ["client", projectId, clientId],
    queryFn: ({ signal }) => api.getClient({ projectId, client: clientId }, { signal }),
  });

export async function createClient(projectId: string, body: CreateBody, idempotencyKey: string) {
  const client = await api.createClient({ projectId, body }, { idempotencyKey });
  await noteChanged(projectId, client);
  return client;
}

export async function duplicateClient(
  { projectId, clientId }: ClientAddress,
  name: string,
  idempotencyKey: string,
) {
  const client = await api.duplicateClient(
    { projectId, client: clientId, body: { name } },
    { idempotencyKey },
  );
  await noteChanged(projectId, client);
  return client;
}

export async function deleteClient({ projectId, clientId }: ClientAddress, force: boolean) {
  await api.deleteClient({ projectId, client: clientId, body: force ? { force } : {} });
  queryClient.removeQueries({ queryKey: ["client", projectId, clientId] });
  await queryClient.invalidateQueries(clientsQuery(projectId));
}

/** How a change ended. `conflict` and `impact` carry the client as it is now; nothing was written then. */
export type Saved = { kind: "saved" | "conflict" | "impact"; client: ClientDetail };

export function updateClient(address: ClientAddress, body: UpdateBody): Promise<Saved> {
  return settle(address, () =>
    api.updateClient({ projectId: address.projectId, client: address.clientId, body }),
  );
}

export function setServers(address: ClientAddress, body: ServersBody): Promise<Saved> {
  return settle(address, () =>
    api.setClientServers({ projectId: address.projectId, client: address.clientId, body }),
  );
}

async function settle(address: ClientAddress, write: () => Promise<ClientDetail>): Promise<Saved> {
  try {
    const client = await write();
    await noteChanged(address.projectId, client);
    return { kind: "saved", client };
  } catch (error) {
    const kind = refusalKinds[refusalCode(failureOf(error))];
    if (!kind) throw error;
    return { kind, client: await queryClient.fetchQuery({ ...clientQuery(address), staleTime: 0 }) };
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

async function noteChanged(projectId: string, client: ClientDetail): Promise<void> {
  queryClient.setQueryData(clientQuery({ projectId, clientId: client.id }).queryKey, client);
  await queryClient.invalidateQueries(clientsQuery(projectId));
}
