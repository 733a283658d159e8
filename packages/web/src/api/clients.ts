/** @module Reads of clients, which several areas share. The private backing of a scenario is never asked for. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

export const clientsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["clients", projectId],
    queryFn: ({ signal }) => api.listClients({ projectId }, { signal }),
  });
