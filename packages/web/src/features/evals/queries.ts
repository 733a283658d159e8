/** @module Reading eval runs page by page and a case's repetitions, and saving a suite over nobody else's edit. */
import type { EvalIteration, EvalSuiteEdition } from "@fettle/contract/evals";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.ts";
import { call, change, type InputOf, operationOptions, queryClient } from "../../api/operation.ts";

import type { Place } from "./matrix.ts";

const perPage = "50";

/** The runs of a suite, newest first. */
export const suiteRunsQuery = (projectId: string, suiteId: string) =>
  infiniteQueryOptions({
    queryKey: ["listEvalRuns", { projectId, query: { suiteId } }],
    queryFn: ({ signal, pageParam }) => {
      const query = { suiteId, limit: perPage, ...(pageParam && { cursor: pageParam }) };
      return call("listEvalRuns", { projectId, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A case has fewer repetitions than a page holds. */
const ofOneCase = "200";

/** One repetition of a case, by its place among those of its model. */
export const repetitionQuery = (
  where: { projectId: string; runId: string },
  { caseKey, model, number }: { caseKey: string; model: string | null; number: number },
) => ({
  ...operationOptions("listEvalRunIterations", { ...where, query: { caseKey, limit: ofOneCase } }),
  select: ({ items }: { items: EvalIteration[] }) =>
    items.filter((each) => each.model === model).find(({ iterationNumber }) => iterationNumber === number) ??
    null,
});

/** Where a repetition that is known by its id stands in the run; null: it is not in it. */
export const placeQuery = (where: { projectId: string; runId: string }, iterationId: string) =>
  queryOptions({
    queryKey: ["listEvalRunIterations", where, "place", iterationId],
    queryFn: async ({ signal }): Promise<Place | null> => {
      let cursor: string | undefined;
      do {
        const query = { limit: ofOneCase, ...(cursor && { cursor }) };
        const page = await call("listEvalRunIterations", { ...where, query }, { signal });
        const found = page.items.find(({ id }) => id === iterationId);
        if (found) return { caseKey: found.caseKey, model: found.model, number: found.iterationNumber };
        cursor = page.nextCursor;
      } while (cursor);
      return null;
    },
    staleTime: "static",
  });

/** How a save ended. `conflict` carries the suite as it is stored now, and nothing was written. */
export async function saveSuite(
  address: { projectId: string; suiteId: string },
  body: InputOf<"saveEvalSuiteDocument">["body"],
): Promise<{ kind: "saved" | "conflict"; stored: EvalSuiteEdition }> {
  try {
    return { kind: "saved", stored: await change("saveEvalSuiteDocument", { ...address, body }) };
  } catch (error) {
    const { code, details } = failureOf(error);
    if (code !== "CONFLICT" || details?.code !== "STALE_SUITE") throw error;
    const read = { ...operationOptions("getEvalSuiteDocument", address), staleTime: 0 };
    return { kind: "conflict", stored: await queryClient.fetchQuery(read) };
  }
}
