/** @module Reads of saved servers, which every server area shares. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

export const serversQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["servers", projectId],
    queryFn: ({ signal }) => api.listProjectServers({ projectId }, { signal }),
  });

export const serverQuery = (projectId: string, serverId: string) =>
  queryOptions({
    queryKey: ["server", projectId, serverId],
    queryFn: ({ signal }) => api.getProjectServer({ projectId, serverId }, { signal }),
  });

/** A live answer is asked for, never refreshed by itself: each one is a call to somebody's server. */
export const askedFor = { staleTime: "static", gcTime: Number.POSITIVE_INFINITY, retry: false } as const;
