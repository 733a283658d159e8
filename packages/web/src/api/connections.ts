/** @module Connection requests: starting one, and those of this account that are still open. Pages of both documents use them. */
import { service } from "./client.ts";

type StartBody = Parameters<typeof service.createServerConnection>[0]["body"];
export type Connection = Awaited<ReturnType<typeof service.getServerConnection>>;

export function startConnection(body: StartBody): Promise<Connection> {
  return service.createServerConnection({ body });
}

export async function listOpenConnections(signal: AbortSignal): Promise<Connection[]> {
  return (await service.listServerConnections({ query: { status: "open" } }, { signal })).items;
}

export function cancelConnection(requestId: string): Promise<Connection> {
  return service.cancelServerConnection({ requestId });
}
