/** @module Entries of directories, page by page. */
import type { EndpointKind } from "@fettle/contract/servers";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

/** What is looked for; empty ones are left out. */
export interface Search {
  q: string;
  source: string;
  endpointKind: string;
  connectable: boolean;
}

export const directoryQuery = ({ q, source, endpointKind, connectable }: Search) => {
  const asked = {
    ...(q.trim() && { q: q.trim() }),
    ...(source && { source }),
    ...(isEndpointKind(endpointKind) && { endpointKind }),
    ...(connectable && { connectableOnly: "true" as const }),
  };
  return infiniteQueryOptions({
    queryKey: ["searchRegistryDirectory", { query: asked }],
    queryFn: ({ signal, pageParam }) =>
      call(
        "searchRegistryDirectory",
        { query: { ...asked, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
};

const isEndpointKind = (text: string): text is EndpointKind =>
  text === "fixed" || text === "options" || text === "tenant";
