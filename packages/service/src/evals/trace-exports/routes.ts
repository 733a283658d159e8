/** @module Binds the export of traces. Where a page ends is told in headers, so that the body is nothing but OTLP. */
import type { EvalIterationId, ProjectId } from "@fettle/contract/core";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import type { Bindings } from "../../core/routing/bind.ts";
import { cutPage, type PlaceOf, readPlace, sealCursor, writeCursor } from "../../core/routing/page.ts";
import { evalIterations, evalIterationTraces, evalRuns } from "../../core/tables/eval-runs.ts";
import { type Exported, toOtlp } from "./otlp.ts";

export const traceExportBindings = {
  exportTracesOtlp: async ({ app, project, query, reply }) => {
    const { cursor, limit, sourceTypes, includeContent } = query;
    const after = readPlace<"evalIteration">(cursor);
    const isAsked = sourceTypes === undefined || sourceTypes.includes("eval");
    const rows = isAsked ? await listTraces(app.db, project.id, after, limit + 1) : [];
    const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.iterationId));
    if (next.nextCursor !== undefined) {
      reply.header(
        "x-fettle-next-cursor",
        sealCursor({ list: "exportTracesOtlp", ids: { projectId: query.projectId } }, next.nextCursor),
      );
    } else reply.header("x-fettle-export-complete", "true");
    return toOtlp(shown, { includeContent });
  },
} satisfies Partial<Bindings>;

/** In the order in which they were kept, so that whoever comes again with the last cursor gets what is new. */
async function listTraces(
  db: Querier,
  projectId: ProjectId,
  after: PlaceOf<"evalIteration"> | undefined,
  limit: number,
): Promise<(Exported & { iterationId: EvalIterationId })[]> {
  const { createdAt, iterationId, trace } = evalIterationTraces;
  const { caseKey, title, result, startedAt, durationMs } = evalIterations;
  const beyond =
    after && sql`(${createdAt}, ${iterationId}) > (${after.at.toISOString()}::timestamptz, ${after.id})`;
  const rows = await db
    .select({
      iterationId,
      runId: evalRuns.id,
      suiteId: evalRuns.suiteId,
      caseKey,
      title,
      result,
      startedAt,
      createdAt,
      durationMs,
      trace,
    })
    .from(evalIterationTraces)
    .innerJoin(evalIterations, eq(evalIterations.id, iterationId))
    .innerJoin(evalRuns, eq(evalRuns.id, evalIterations.runId))
    .where(and(eq(evalRuns.projectId, projectId), beyond))
    .orderBy(asc(createdAt), asc(iterationId))
    .limit(limit);
  // Traces are the engine's, or reported ones, whose spans are lists of objects too.
  return rows.map((row) => ({ ...row, trace: row.trace as Exported["trace"] }));
}
