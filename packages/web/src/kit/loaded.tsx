/** @module A read and its states: skeleton, failure, or the content. Content that once arrived stays while a later read fails. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureOf } from "../api/failure.ts";
import { FailureView } from "./failure-view.tsx";
import { Loading } from "./loading.tsx";

export interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** What is being read, as in "the members". */
  what: string;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return <FailureView failure={failureOf(query.error)} what={what} onRetry={() => query.refetch()} />;
  }
  return <Loading what={what}>{skeleton}</Loading>;
}
