/** @module What an organization's models cost: today, by day, by project and by model. */
import { limits, type ModelSpend, type OrganizationId } from "@fettle/contract";
import { and, count, desc, eq, gte, type SQL, sql, sum } from "drizzle-orm";
import type { App } from "../app.ts";
import { modelSpend } from "../tables/models.ts";
import { projects } from "../tables/projects.ts";
import { dayOf, deploymentCapUsd, readCapUsd, readDay } from "./budget.ts";

const number = (value: SQL<string | null>) => sql<number>`coalesce(${value}, 0)`.mapWith(Number);

const amounts = {
  calls: count(),
  inputTokens: number(sum(modelSpend.inputTokens)),
  outputTokens: number(sum(modelSpend.outputTokens)),
  knownUsd: number(sum(modelSpend.costUsd)),
  pricedCalls: count(modelSpend.costUsd),
};

type Amounts = Record<keyof typeof amounts, number>;

const dayMs = 24 * 60 * 60 * 1000;

export async function readSpend(app: App, organizationId: OrganizationId, days: number): Promise<ModelSpend> {
  await app.models.settlements.flush();
  const { startsAt, resetsAt } = dayOf(app.now());
  const since = (at: number) =>
    and(eq(modelSpend.organizationId, organizationId), gte(modelSpend.at, new Date(at)));
  const whole = since(startsAt - (days - 1) * dayMs);
  const day = sql<string>`to_char(${modelSpend.at} at time zone 'UTC', 'YYYY-MM-DD')`;
  const spent = desc(sql`coalesce(sum(${modelSpend.costUsd}), 0)`);
  const [today] = await app.db.select(amounts).from(modelSpend).where(since(startsAt));
  const byDay = await app.db
    .select({ day, ...amounts })
    .from(modelSpend)
    .where(whole)
    .groupBy(day)
    .orderBy(desc(day));
  const byProject = await app.db
    .select({ projectId: modelSpend.projectId, name: projects.name, ...amounts })
    .from(modelSpend)
    .leftJoin(projects, eq(projects.id, modelSpend.projectId))
    .where(whole)
    .groupBy(modelSpend.projectId, projects.name)
    .orderBy(spent, desc(count()))
    .limit(limits.models.spendRows);
  const byModel = await app.db
    .select({ model: modelSpend.model, ...amounts })
    .from(modelSpend)
    .where(whole)
    .groupBy(modelSpend.model)
    .orderBy(spent, desc(count()))
    .limit(limits.models.spendRows);
  const { heldUsd } = await readDay(app, organizationId);
  return {
    // Without a group there is always one row.
    today: told(today!),
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

function told({ calls, inputTokens, outputTokens, knownUsd, pricedCalls }: Amounts) {
  return {
    calls,
    inputTokens,
    outputTokens,
    costUsd: calls > 0 && pricedCalls === 0 ? null : knownUsd,
    unpricedCalls: calls - pricedCalls,
  };
}
