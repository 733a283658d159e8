/** @module Conformance runs, page by page, and as files. */
import type { ConformanceExportFormat } from "@fettle/contract/servers";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

const perPage = "50";

/** Newest first; of one server, or of all when it is empty. */
export const runsQuery = (projectId: string, serverId: string) =>
  infiniteQueryOptions({
    queryKey: ["listConformanceRuns", { projectId, query: { serverId } }],
    queryFn: ({ signal, pageParam }) => {
      const query = {
        limit: perPage,
        ...(serverId && { serverId }),
        ...(pageParam && { cursor: pageParam }),
      };
      return call("listConformanceRuns", { projectId, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const exportRun = (address: { projectId: string; runId: string }, format: ConformanceExportFormat) =>
  call("exportConformanceRun", { ...address, query: { format } });
