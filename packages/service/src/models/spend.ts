/** @module What an organization's models cost: today, by day, by project and by model. */
import { limits, type OrganizationId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { ModelSpend } from "@fettle/contract/models";
import { and, count, desc, eq, gte, type SQL, sql, sum } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { App } from "../core/app.ts";
import { modelIntents, modelSpend } from "../core/tables/models.ts";
import { projects } from "../core/tables/projects.ts";
import { dayOf, deploymentCapUsd, readCapUsd, readDay } from "./budget.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Settled calls and those that are not, from one snapshot: a call that is being settled is in one of the two. */
function callsSince({ db }: Pick<App, "db">, organizationId: OrganizationId, at: number) {
  const since = (table: typeof modelSpend | typeof modelIntents) =>
    and(eq(table.organizationId, organizationId), gte(table.at, new Date(at)));
  const settled = db
    .select({
      projectId: modelSpend.projectId,
      model: modelSpend.model,
      at: modelSpend.at,
      inputTokens: modelSpend.inputTokens,
      outputTokens: modelSpend.outputTokens,
      costUsd: modelSpend.costUsd,
      estimateUsd: sql<number | null>`null::numeric`.as("estimate_usd"),
      isSettled: sql<boolean>`true`.as("is_settled"),
    })
    .from(modelSpend)
    .where(since(modelSpend));
  const unsettled = db
    .select({
      projectId: modelIntents.projectId,
      model: modelIntents.model,
      at: modelIntents.at,
      inputTokens: sql<number | null>`null::integer`.as("input_tokens"),
      outputTokens: sql<number | null>`null::integer`.as("output_tokens"),
      costUsd: sql<number | null>`null::numeric`.as("cost_usd"),
      estimateUsd: modelIntents.estimateUsd,
      isSettled: sql<boolean>`false`.as("is_settled"),
    })
    .from(modelIntents)
    .where(since(modelIntents));
  return unionAll(settled, unsettled).as("calls");
}

type Calls = ReturnType<typeof callsSince>;

const number = (value: SQL<string | null>) => sql<number>`coalesce(${value}, 0)`.mapWith(Number);

const amountsOf = (calls: Calls) => ({
  calls: count(),
  settledCalls: sql<number>`count(*) filter (where ${calls.isSettled})`.mapWith(Number),
  inputTokens: number(sum(calls.inputTokens)),
  outputTokens: number(sum(calls.outputTokens)),
  knownUsd: number(sum(calls.costUsd)),
  pricedCalls: count(calls.costUsd),
  estimatedUsd: number(sum(calls.estimateUsd)),
  estimatedCalls: count(calls.estimateUsd),
});

type Amounts = Record<keyof ReturnType<typeof amountsOf>, number>;

export async function readSpend(app: App, organizationId: OrganizationId, days: number): Promise<ModelSpend> {
  await app.models.settlements.flush();
  const { startsAt, resetsAt } = dayOf(app.now());
  const ofToday = callsSince(app, organizationId, startsAt);
  const calls = callsSince(app, organizationId, startsAt - (days - 1) * dayMs);
  const amounts = amountsOf(calls);
  const day = sql<string>`to_char(${calls.at} at time zone 'UTC', 'YYYY-MM-DD')`;
  const spent = desc(sql`coalesce(sum(${calls.costUsd}), 0)`);
  const [today] = await app.db.select(amountsOf(ofToday)).from(ofToday);
  const byDay = await app.db
    .select({ day, ...amounts })
    .from(calls)
    .groupBy(day)
    .orderBy(desc(day));
  const byProject = await app.db
    .select({ projectId: calls.projectId, name: projects.name, ...amounts })
    .from(calls)
    .leftJoin(projects, eq(projects.id, calls.projectId))
    .groupBy(calls.projectId, projects.name)
    .orderBy(spent, desc(count()))
    .limit(limits.models.spendRows);
  const byModel = await app.db
    .select({ model: calls.model, ...amounts })
    .from(calls)
    .groupBy(calls.model)
    .orderBy(spent, desc(count()))
    .limit(limits.models.spendRows);
  const { heldUsd } = await readDay(app, organizationId);
  return {
    today: told(must(today, "the one row of a sum without groups")),
    dailyCapUsd: await readCapUsd(app, organizationId),
    deploymentCapUsd: deploymentCapUsd(app),
    reservedUsd: heldUsd,
    resetsAt,
    days,
    byDay: byDay.map((row) => ({ day: row.day, ...told(row) })),
    byProject: byProject.map((row) => ({ projectId: row.projectId, name: row.name, ...told(row) })),
    byModel: byModel.map((row) => ({ model: row.model, ...told(row) })),
  };
}

/** A sum of nothing is zero; a sum in which nothing is known is unknown. */
const sumOf = (rows: number, known: number, usd: number) => (rows > 0 && known === 0 ? null : usd);

function told(row: Amounts) {
  const { calls, settledCalls, inputTokens, outputTokens } = row;
  const unsettledCalls = calls - settledCalls;
  return {
    calls,
    inputTokens,
    outputTokens,
    costUsd: sumOf(settledCalls, row.pricedCalls, row.knownUsd),
    unpricedCalls: settledCalls - row.pricedCalls,
    unsettledCalls,
    unsettledUsd: sumOf(unsettledCalls, row.estimatedCalls, row.estimatedUsd),
  };
}
