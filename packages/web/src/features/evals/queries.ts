/** @module Reading eval runs page by page, and a case's repetitions. */
import type { EvalIteration } from "@fettle/contract";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call, operationOptions } from "../../api/operation.ts";

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
