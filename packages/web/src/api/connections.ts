/** @module Connection requests: starting one, and those of this account that are still open. Pages of both documents use them. */
import { api } from "./client.ts";

type StartBody = Parameters<typeof api.createServerConnection>[0]["body"];
export type Connection = Awaited<ReturnType<typeof api.getServerConnection>>;

export function startConnection(body: StartBody): Promise<Connection> {
  return api.createServerConnection({ body });
}

export async function listOpenConnections(signal: AbortSignal): Promise<Connection[]> {
  return (await api.listServerConnections({ query: { status: "open" } }, { signal })).items;
}

export function cancelConnection(requestId: string): Promise<Connection> {
  return api.cancelServerConnection({ requestId });
}
