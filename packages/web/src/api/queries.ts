/** @module The query cache and its rules, and the reads that more than one area shares: who I am, my projects, the members. */
import type { Bootstrap } from "@fettle/contract";
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { api, app } from "./client.ts";
import { failureOf, isOffline } from "./failure.ts";
import { sessionEnded } from "./session.ts";

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

export const bootstrapQuery = queryOptions({
  queryKey: ["bootstrap"],
  queryFn: async ({ client, queryKey, signal }) => {
    const now = await app.getBootstrap({}, { signal });
    const before = client.getQueryData<Bootstrap>(queryKey);
    // Signed out elsewhere: the page keeps whom it knew, so that signing in again finds it as it was.
    if (!before?.user || now.user) return now;
    sessionEnded.set(true);
    return before;
  },
  staleTime: 60_000,
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId],
    queryFn: ({ signal }) => api.getProject({ projectId }, { signal }),
  });

export const projectsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["projects", organizationId],
    queryFn: ({ signal }) => api.listProjects({ query: { organizationId } }, { signal }),
  });

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }) => app.listMembers({ organizationId }, { signal }),
  });
