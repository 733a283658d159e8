/** @module Reads of environments, which several areas share. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

/** Archived ones are always read along: pages leave them out by themselves, and showing them costs no second read. */
export const environmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["environments", projectId],
    queryFn: ({ signal }) =>
      api.listEnvironments({ projectId, query: { includeArchived: "true" } }, { signal }),
  });
