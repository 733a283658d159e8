/** @module Takes out of findings what somebody said, once it is erased or too old; what was counted stays. */
import type { ProjectId } from "@fettle/contract/core";
import type { ActionableFinding } from "@fettle/contract/insights";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Querier } from "../core/db/pool.ts";
import { evalIterations } from "../core/tables/eval-runs.ts";
import { insightFacts, insightFindings, insights } from "../core/tables/insights.ts";
import { journeyAttempts } from "../core/tables/journey-runs.ts";
import { updateFinding } from "./registry-store.ts";
import { updateInsights } from "./store.ts";

type IsForgotten = (sessionId: string) => boolean;

function without(finding: ActionableFinding, isForgotten: IsForgotten): ActionableFinding {
  const evidence = finding.evidence.filter(({ sessionId }) => !sessionId || !isForgotten(sessionId));
  return { ...finding, evidence };
}

/** A session of this family, wherever it is quoted. */
export async function forgetSession(
  db: Querier,
  { projectId, familyId }: { projectId: ProjectId; familyId: string },
  sessionId: string,
): Promise<void> {
  const isIt: IsForgotten = (one) => one === sessionId;
  const mention = `%${sessionId}%`;
  await db
    .delete(insightFacts)
    .where(and(eq(insightFacts.unitKind, "session"), eq(insightFacts.unitId, sessionId)));
  const envelopes = await db
    .select({ kind: insights.scopeKind, id: insights.scopeId, analysis: insights.analysis })
    .from(insights)
    .where(
      and(
        eq(insights.projectId, projectId),
        eq(insights.familyId, familyId),
        sql`${insights.analysis}::text like ${mention}`,
      ),
    );
  for (const { analysis, ...key } of envelopes) {
    if (!analysis) continue;
    const findings = analysis.findings.map((finding) => without(finding, isIt));
    await updateInsights(db, key, { analysis: { ...analysis, findings } });
  }
  const { findingId, finding } = insightFindings;
  const rows = await db
    .select({ findingId, finding })
    .from(insightFindings)
    .where(
      and(
        eq(insightFindings.projectId, projectId),
        eq(insightFindings.familyId, familyId),
        sql`${finding}::text like ${mention}`,
      ),
    );
  for (const row of rows) {
    const change = { finding: without(row.finding, isIt) };
    await updateFinding(db, { projectId, familyId, findingId: row.findingId }, change);
  }
}

/** What is quoted of runs that were deleted: of iterations, and of synthetic visitors' sessions. */
export async function forgetDeletedRuns(db: Querier): Promise<void> {
  const { rows } = await db.execute<Quoting>(sql`
    select project_id as "projectId", family_id as "familyId", finding_id as "findingId", finding, gone
    from ${insightFindings} as held, lateral (
      select array_agg(coalesce(quote ->> 'iterationId', quote ->> 'sessionId')) as gone
      from json_array_elements(held.finding -> 'evidence') as quote
      where (quote ->> 'iterationId' is not null
          and not exists (select 1 from ${evalIterations} as unit where unit.id = quote ->> 'iterationId'))
        or (starts_with(quote ->> 'sessionId', 'synth_')
          and not exists (select 1 from ${journeyAttempts} as unit where unit.id = quote ->> 'sessionId'))
    ) as quoted
    where gone is not null`);
  for (const { finding, gone, ...key } of rows) {
    const isGone = (id: string | undefined) => id !== undefined && gone.includes(id);
    const evidence = finding.evidence.filter(
      ({ sessionId, iterationId }) => !isGone(iterationId) && !isGone(sessionId),
    );
    await updateFinding(db, key, { finding: { ...finding, evidence } });
  }
}

type Quoting = Pick<
  typeof insightFindings.$inferSelect,
  "projectId" | "familyId" | "findingId" | "finding"
> & {
  gone: string[];
};

/** Problems that nobody has seen since keep their counts, and quote no session any more. */
export async function forgetQuotesBefore(db: Querier, before: Date): Promise<void> {
  const { projectId, familyId, findingId, finding } = insightFindings;
  const rows = await db
    .select({ projectId, familyId, findingId, finding })
    .from(insightFindings)
    .where(and(lt(insightFindings.lastSeenAt, before), sql`${finding}::text like '%"sessionId"%'`));
  for (const { finding: told, ...key } of rows) {
    await updateFinding(db, key, { finding: without(told, () => true) });
  }
}
