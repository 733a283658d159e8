/** @module Conformance runs and their reports. */
import type { ConformanceRunStartRequest, ConformanceSuite } from "@fettle/contract";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

const perPage = "50";

/** Newest first; of one server, or of all when it is empty. */
export const runsQuery = (projectId: string, serverId: string) =>
  infiniteQueryOptions({
    queryKey: ["conformance", projectId, "list", serverId],
    queryFn: ({ signal, pageParam }) =>
      api.listConformanceRuns(
        {
          projectId,
          query: { limit: perPage, ...(serverId && { serverId }), ...(pageParam && { cursor: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const runQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: ["conformance", projectId, "one", runId],
    queryFn: ({ signal }) => api.getConformanceRun({ projectId, runId }, { signal }),
  });

/** A report never changes once it is there. */
export const suiteReportQuery = (projectId: string, runId: string, suiteKind: ConformanceSuite) =>
  queryOptions({
    queryKey: ["conformance-report", projectId, runId, suiteKind],
    queryFn: ({ signal }) => app.getConformanceSuiteReport({ projectId, runId, suiteKind }, { signal }),
    staleTime: "static",
  });

const stale = (projectId: string) => queryClient.invalidateQueries({ queryKey: ["conformance", projectId] });

export async function startRun(projectId: string, serverId: string, body: ConformanceRunStartRequest) {
  const started = await api.startConformanceRun({ projectId, serverId, body });
  await stale(projectId);
  return started;
}

export async function cancelRun(projectId: string, runId: string) {
  const run = await api.cancelConformanceRun({ projectId, runId });
  await stale(projectId);
  return run;
}
