/** @module Reading one address: at once, again when asked, and by itself when the server says that it has changed. */
import type { ApiError } from "@fettle/contract/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { failureOf } from "../../api/failure.ts";
import type { ServerAddress } from "../../api/server-calls.ts";
import { changesOf, noteRead } from "../../api/server-changes.ts";
import { type ResourceContents, readingQuery } from "./queries.ts";

export interface Reading {
  now: ResourceContents[] | undefined;
  /** What it held before, where that was something else. */
  before: ResourceContents[] | undefined;
  at: number;
  busy: boolean;
  failure: ApiError | undefined;
  again: () => void;
}

export function useReading(address: ServerAddress, uri: string | undefined): Reading {
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery({
    ...readingQuery(address, uri ?? ""),
    enabled: uri !== undefined,
  });
  const [seen, setSeen] = useState<{
    uri?: string | undefined;
    now?: ResourceContents[];
    before?: ResourceContents[];
  }>({});
  // The same contents stay the same object, so another one is another content.
  if (data !== undefined && data !== seen.now)
    setSeen({ uri, now: data, ...(seen.uri === uri && seen.now && { before: seen.now }) });

  const { subscribe, get } = changesOf(address.serverId);
  const updatedAt =
    useSyncExternalStore(subscribe, () => (uri === undefined ? 0 : get().updated.get(uri))) ?? 0;
  const isOld = dataUpdatedAt > 0 && updatedAt >= dataUpdatedAt;
  useEffect(() => {
    if (isOld) void refetch({ cancelRefetch: false });
  }, [isOld, refetch]);
  useEffect(() => {
    if (uri !== undefined && dataUpdatedAt > updatedAt) noteRead(address.serverId, uri);
  }, [address.serverId, uri, dataUpdatedAt, updatedAt]);
  return {
    now: data,
    before: seen.uri === uri ? seen.before : undefined,
    at: dataUpdatedAt,
    busy: isFetching,
    failure: error ? failureOf(error) : undefined,
    again: () => void refetch(),
  };
}
