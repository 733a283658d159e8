/** @module Reading findings across runs page by page. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

export type FindingFilter = "open" | "dismissed";

export const findingsQuery = (projectId: string, filter: FindingFilter) =>
  infiniteQueryOptions({
    queryKey: ["listFindings", { projectId, query: { filter } }],
    queryFn: ({ signal, pageParam }) => {
      const dismissed = filter === "dismissed" ? "true" : "false";
      return call(
        "listFindings",
        { projectId, query: { dismissed, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      );
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
