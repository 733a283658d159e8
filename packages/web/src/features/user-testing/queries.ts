/** @module Reading visitors' sessions page by page. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

export type SessionFilter = "all" | "open" | "negative";

const queries = { all: {}, open: { state: "open" }, negative: { feedback: "negative" } } as const;

export const sessionsQuery = (projectId: string, scenarioId: string, filter: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: ["listUserTestingSessions", { projectId, scenarioId, query: { filter } }],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...queries[filter], ...(pageParam && { cursor: pageParam }) };
      return call("listUserTestingSessions", { projectId, scenarioId, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export interface VisitorSession {
  projectId: string;
  scenarioId: string;
  sessionId: string;
}

/** What was said, in the order it was; long ones come piece by piece. */
export const sessionQuery = (session: VisitorSession) =>
  infiniteQueryOptions({
    queryKey: ["getUserTestingSession", { ...session }],
    queryFn: ({ signal, pageParam }) =>
      call(
        "getUserTestingSession",
        { ...session, query: pageParam ? { cursor: pageParam } : {} },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
