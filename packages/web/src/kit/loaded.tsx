/** @module A read and its states: skeleton, failure, or the content. Content that once arrived stays while a later read fails. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureOf } from "../api/failure.ts";
import { FailureView } from "./failure-view.tsx";
import { Loading } from "./loading.tsx";

/** As much of a read as its states need; one that is put together of several has it, too. */
export type Read<Data> = Pick<UseQueryResult<Data>, "data" | "isError" | "error"> & {
  refetch: () => unknown;
};

export interface LoadedProps<Data> {
  query: Read<Data>;
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
