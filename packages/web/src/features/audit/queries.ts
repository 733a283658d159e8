/** @module Reading the audit log, page by page. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

export interface AuditFilter {
  action?: string;
  userId?: string;
  since?: number;
}

export const auditQuery = (organizationId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["listAuditLog", { organizationId, query: filter }],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, ...(pageParam !== "" && { cursor: pageParam }) };
      return call("listAuditLog", { organizationId, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
