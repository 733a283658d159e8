/** @module Forgets what models cost longer ago than anybody can ask for. */
import { limits } from "@fettle/contract/core";
import { lt } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../core/app.ts";
import { defineJob } from "../core/jobs/define.ts";
import { modelBudgetDays, modelHolds, modelIntents, modelSpend } from "../core/tables/models.ts";
import { dayOf } from "./budget.ts";

const dayMs = 24 * 60 * 60 * 1000;

export async function pruneSpend({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  const { day, startsAt } = dayOf(now() - limits.models.spendDays.max * dayMs);
  await db.delete(modelSpend).where(lt(modelSpend.at, new Date(startsAt)));
  await db.delete(modelIntents).where(lt(modelIntents.at, new Date(startsAt)));
  await db.delete(modelBudgetDays).where(lt(modelBudgetDays.day, day));
  // Of a launch that died: nothing is taken from a day that is over.
  await db.delete(modelHolds).where(lt(modelHolds.day, dayOf(now() - dayMs).day));
}

export const pruneSpendJob = defineJob({
  name: "models.prune-spend",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "17 3 * * *", input: {} },
  run: ({ app }) => pruneSpend(app),
});
