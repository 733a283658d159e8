/** @module Servers saved in a project. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export const serversQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["servers", projectId],
    queryFn: ({ signal }) => api.listProjectServers({ projectId }, { signal }),
  });
