/** @module Reading a server's history, page by page. */
import type { HistoryKind, HistoryOutcome } from "@fettle/contract/servers";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";
import type { ServerAddress } from "../../api/server-calls.ts";

export interface HistoryFilter {
  kind?: HistoryKind;
  outcome?: HistoryOutcome;
}

export const historyQuery = (address: ServerAddress, filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: ["listServerHistory", { ...address, query: filter }],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, ...(pageParam && { cursor: pageParam }) };
      return call("listServerHistory", { ...address, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
