/** @module Reads and writes by the operation's name: keys, options and what a write makes stale all follow from its declaration. */
import type { CallOptions } from "@fettle/contract/client";
import type { Bootstrap } from "@fettle/contract/people";
import { QueryClient, type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { type Service, service } from "./client.ts";
import { failureOf, isOffline } from "./failure.ts";
import { sessionEnded } from "./session.ts";
import {
  type Asked,
  type Change,
  changeBy,
  isDeletion,
  isStale,
  type OperationId,
  whereWithin,
} from "./topics.ts";

export type InputOf<Id extends OperationId> = NonNullable<Parameters<Service[Id]>[0]>;
export type AnswerOf<Id extends OperationId> = Awaited<ReturnType<Service[Id]>>;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The client itself waits and repeats when the service is busy; here only a lost connection is worth another try.
      retry: (count, error) => isOffline(failureOf(error)) && count < 2,
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { retry: false },
  },
});

/** A live answer is asked for, never refreshed by itself: each one is a call to somebody's server. */
export const askedFor = { staleTime: "static", gcTime: Number.POSITIVE_INFINITY, retry: false } as const;

interface Rules {
  staleTime?: number | "static";
  gcTime?: number;
  retry?: false;
  refetchInterval?: number;
}

/** How reads differ from the usual. */
const rules: { [Id in OperationId]?: Rules } = {
  getBootstrap: { staleTime: 60_000 },
  listClientTemplates: { staleTime: "static" },
  /** A report never changes once it is there. */
  getConformanceSuiteReport: { staleTime: "static" },
  getReadinessReport: { staleTime: "static" },
  /** Asked anew whenever it is looked at: what it depends on changes in other places. */
  resolveEnvironment: { staleTime: 0, retry: false },
  checkSkill: { staleTime: "static", gcTime: 0 },
  checkEvalSuiteDocument: { staleTime: "static", gcTime: 0 },
  estimateEvalRun: { staleTime: 0, gcTime: 0, retry: false },
  estimateJourneyRun: { staleTime: 0, gcTime: 0, retry: false },
  /** A run without a rubric has none, and never will. */
  getJourneyRunScorecard: { retry: false },
  /** A host comes and goes without a word in the live stream, so whoever looks is told by asking. */
  listTunnels: { refetchInterval: 5_000 },
  checkServerCompat: askedFor,
  runDoctor: askedFor,
};

export function call<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  options?: CallOptions,
): Promise<AnswerOf<Id>> {
  // Each method takes what its own name says; of a name not yet known only all of them together.
  const method = service[id] as (input: InputOf<Id>, options?: CallOptions) => Promise<AnswerOf<Id>>;
  return method(input, options);
}

/** What a read is made of, where its key or its answer is to be another. */
export function reading<Id extends OperationId>(id: Id, input: InputOf<Id>) {
  return {
    ...rules[id],
    queryKey: [id, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(id, input, { signal }),
  };
}

/**
 * @example
 * await queryClient.ensureQueryData(operationOptions("getProject", { projectId }));
 */
export function operationOptions<Id extends OperationId>(id: Id, input: InputOf<Id>) {
  return queryOptions(reading(id, input));
}

export const bootstrapQuery = queryOptions({
  ...reading("getBootstrap", {}),
  queryFn: async ({ client, queryKey, signal }) => {
    const now = await call("getBootstrap", {}, { signal });
    const before = client.getQueryData<Bootstrap>(queryKey);
    // Signed out elsewhere: the page keeps whom it knew, so that signing in again finds it as it was.
    if (!before?.user || now.user) return now;
    sessionEnded.set(true);
    return before;
  },
});

/**
 * @example
 * const servers = useOperation("listProjectServers", { projectId }).data?.items;
 */
export function useOperation<Id extends OperationId, Data = AnswerOf<Id>>(
  id: Id,
  input: InputOf<Id>,
  options: { enabled?: boolean; select?: (answer: AnswerOf<Id>) => Data } = {},
) {
  return useQuery<AnswerOf<Id>, Error, Data, QueryKey>({
    ...reading(id, input),
    enabled: isKnown(input),
    ...options,
  });
}

/** What is named by nothing is not asked for: it is not known yet, or of a page that is being left. */
const isKnown = ({ body: _, ...asked }: { body?: unknown }) => !JSON.stringify(asked).includes('""');

/** Reads anew what the change concerns: at once where it is shown, otherwise when it is looked at again. */
export function refresh(change: Change): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isStale(change, ...askedOf(queryKey)),
  });
}

/**
 * A write. What it may have changed is read anew before it is done; what it deleted is forgotten, for reading that would only
 * answer "not found".
 *
 * @example
 * await change("deleteProject", { projectId });
 */
export async function change<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  options?: CallOptions,
): Promise<AnswerOf<Id>> {
  const answer = await call(id, input, options);
  if (isDeletion(id)) {
    queryClient.removeQueries({
      predicate: ({ queryKey }) => whereWithin(id, input, ...askedOf(queryKey)) !== undefined,
    });
  }
  await refresh(changeBy(id, input));
  return answer;
}

/** Drops what was read below the thing an operation's path names. */
export function forgetBelow<Id extends OperationId>(id: Id, input: InputOf<Id>): void {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => whereWithin(id, input, ...askedOf(queryKey)) === "below",
  });
}

/** Every key begins with an operation and what was asked of it. */
function askedOf(queryKey: QueryKey): [OperationId, Asked] {
  return [queryKey[0] as OperationId, queryKey[1] as Asked];
}
