/** @module Clients in their older shape, for the deprecated `/hosts` paths. */
import type { Client, ClientDetail, Host, HostDetail } from "@fettle/contract/environments";

export function toHost({ id, name, configId, modelId, serverCount, createdAt, updatedAt }: Client): Host {
  return { id, name, hostConfigId: configId, modelId, serverCount, createdAt, updatedAt };
}

export function toHostDetail({ id, name, config }: ClientDetail): HostDetail {
  return { id, name, config };
}
