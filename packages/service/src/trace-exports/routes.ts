/** @module Binds the export of traces. Where a page ends is told in headers, so that the body is nothing but OTLP. */
import { ApiError, type EvalIterationId, type ProjectId } from "@fettle/contract";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Querier } from "../db/pool.ts";
import type { Bindings } from "../routing/bind.ts";
import { evalIterations, evalIterationTraces, evalRuns } from "../tables/eval-runs.ts";
import { type Exported, toOtlp } from "./otlp.ts";

interface Place {
  at: Date;
  id: EvalIterationId;
}

export const traceExportBindings = {
  exportTracesOtlp: async ({ app, project, query, reply }) => {
    const { cursor, limit, sourceTypes, includeContent } = query;
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const isAsked = sourceTypes === undefined || sourceTypes.includes("eval");
    const rows = isAsked ? await listTraces(app.db, project.id, after, limit + 1) : [];
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    if (rows.length > limit && last) {
      reply.header("x-fettle-next-cursor", writeCursor({ at: last.createdAt, id: last.iterationId }));
    } else reply.header("x-fettle-export-complete", "true");
    return toOtlp(shown, { includeContent });
  },
} satisfies Partial<Bindings>;

/** In the order in which they were kept, so that whoever comes again with the last cursor gets what is new. */
async function listTraces(
  db: Querier,
  projectId: ProjectId,
  after: Place | undefined,
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

const writeCursor = ({ at, id }: Place) => Buffer.from(`${at.getTime()} ${id}`).toString("base64url");

function readCursor(cursor: string): Place {
  const [, at, id] = /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at: new Date(Number(at)), id: id as EvalIterationId };
  throw new ApiError("VALIDATION_ERROR", "This is not a cursor of this export.", {
    path: "query.cursor",
    code: "BAD_CURSOR",
  });
}
