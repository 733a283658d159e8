/**
 * @module The daily limit of an organization. Money is set aside before a launch and before each call, and the true cost takes its
 * place: whatever runs at once cannot pass the limit together.
 */
import { ApiError, limits, type OrganizationId } from "@fettle/contract/core";
import { ModelError } from "@fettle/evals";
import { and, eq } from "drizzle-orm";
import type { App } from "../core/app.ts";
import type { Querier, Transaction } from "../core/db/pool.ts";
import { modelBudgetDays, modelBudgets } from "../core/tables/models.ts";
import * as store from "./budget-store.ts";

export { releaseHold } from "./budget-store.ts";

/** Money set aside on one day for one call. */
export interface Reservation extends store.Purse {
  usd: number;
  /** It came out of what the launch had set aside. */
  isOfHold: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;
export const creditUsd = 0.01;

/** Days are UTC's, for everybody. */
export function dayOf(now: number): { day: string; startsAt: number; resetsAt: number } {
  const startsAt = Math.floor(now / dayMs) * dayMs;
  return { day: new Date(startsAt).toISOString().slice(0, 10), startsAt, resetsAt: startsAt + dayMs };
}

export function deploymentCapUsd({ config }: Pick<App, "config">): number | null {
  const { creditsPerDay } = config.models.limits;
  return creditsPerDay === undefined ? null : creditsPerDay * creditUsd;
}

export async function readCapUsd(app: App, organizationId: OrganizationId): Promise<number | null> {
  const [row] = await app.db
    .select({ cap: modelBudgets.dailyCapUsd })
    .from(modelBudgets)
    .where(eq(modelBudgets.organizationId, organizationId));
  return row?.cap ?? null;
}

export async function setCapUsd(
  app: App,
  organizationId: OrganizationId,
  dailyCapUsd: number | null,
): Promise<void> {
  const values = { dailyCapUsd, updatedAt: new Date(app.now()) };
  await app.db
    .insert(modelBudgets)
    .values({ organizationId, ...values })
    .onConflictDoUpdate({ target: modelBudgets.organizationId, set: values });
  app.models.changed(organizationId);
}

/** The lower of the organization's and the operator's limit; null is none. */
export async function effectiveCapUsd(app: App, organizationId: OrganizationId): Promise<number | null> {
  const caps = [await readCapUsd(app, organizationId), deploymentCapUsd(app)].filter((cap) => cap !== null);
  return caps.length === 0 ? null : Math.min(...caps);
}

/** Sets aside what a launch may cost, or refuses it with 429. Null is unknown. */
export type HoldForLaunch = (tx: Transaction, source: store.SpendSource, usd: number | null) => Promise<void>;

/**
 * Sets money aside in the transactions of launches: what is not launched after all has taken nothing. Calls made for the same
 * source take from it; give back the rest with `releaseHold` when it has ended. Without a limit nothing is set aside. Last in a
 * transaction: every call of the organization waits until it is over.
 *
 * @example
 * const hold = await holderOf(app, organizationId);
 * await app.db.transaction(async (tx) => {
 *   await hold(tx, { kind: "evalRun", id: runId }, estimate.costUsd);
 * });
 */
export async function holderOf(app: App, organizationId: OrganizationId): Promise<HoldForLaunch> {
  const cap = await effectiveCapUsd(app, organizationId);
  if (cap === null) return async () => {};
  // What is over and not written down yet may have cost less than was set aside.
  await app.models.settlements.flush();
  return async (tx, source, usd) => {
    if (usd === 0) return;
    if (usd === null) throw asApiError(priceUnknown("what this launch costs"));
    const { day } = dayOf(app.now());
    if (await store.takeForLaunch(tx, { organizationId, day, source }, usd, cap)) return;
    throw asApiError(limitReached(app, await sumsOfDay(app, tx, organizationId), usd, cap));
  };
}

/** Before a call. Throws MODEL_SPEND_LIMIT when it might pass the limit, MODEL_PRICE_UNKNOWN when nobody can tell. */
export async function reserveForCall(
  app: App,
  cap: number,
  call: { organizationId: OrganizationId; source: store.SpendSource; model: string; usd: number | null },
): Promise<Reservation> {
  const { organizationId, source, usd } = call;
  if (usd === null) throw priceUnknown(`what ${call.model} costs`);
  const purse = { organizationId, source, day: dayOf(app.now()).day };
  if (await store.takeFromHold(app.pool, purse, usd)) return { ...purse, usd, isOfHold: true };
  const reservation = { ...purse, usd, isOfHold: false };
  if (await store.takeFromDay(app.pool, purse, usd, cap)) return reservation;
  // What is over may have cost less than was set aside, and what the launch has left may be just what is missing.
  await app.models.settlements.flush();
  await store.releaseHold(app.db, organizationId, source);
  if (await store.takeFromDay(app.pool, purse, usd, cap)) return reservation;
  throw limitReached(app, await readDay(app, organizationId), usd, cap);
}

/** What counts today. */
export async function readDay(app: App, organizationId: OrganizationId) {
  await app.models.settlements.flush();
  return sumsOfDay(app, app.db, organizationId);
}

async function sumsOfDay(app: App, db: Querier, organizationId: OrganizationId) {
  const { day } = dayOf(app.now());
  const [row] = await db
    .select({ spentUsd: modelBudgetDays.spentUsd, heldUsd: modelBudgetDays.heldUsd })
    .from(modelBudgetDays)
    .where(and(eq(modelBudgetDays.organizationId, organizationId), eq(modelBudgetDays.day, day)));
  return row ?? { spentUsd: 0, heldUsd: 0 };
}

/** What the day has left for launches; null where there is no limit. */
export async function dayLeft(app: App, organizationId: OrganizationId) {
  const limitUsd = await effectiveCapUsd(app, organizationId);
  if (limitUsd === null) return null;
  const { spentUsd, heldUsd } = await readDay(app, organizationId);
  const { resetsAt } = dayOf(app.now());
  return { leftUsd: Math.max(0, limitUsd - spentUsd - heldUsd), limitUsd, resetsAt };
}

function limitReached(
  app: App,
  { spentUsd: spent, heldUsd: held }: Awaited<ReturnType<typeof readDay>>,
  usd: number,
  cap: number,
): ModelError {
  const now = app.now();
  const { resetsAt } = dayOf(now);
  const details = {
    ledger: "modelCredits",
    limit: "modelCredits",
    currentValue: credits(spent + held),
    allowedValue: credits(cap),
    resetsAt,
  };
  const message = `The organization's daily limit for models is ${dollars(cap)}: ${dollars(spent)} are spent, ${dollars(held)} set aside for what is under way, and this may cost ${dollars(usd)}.`;
  return new ModelError("MODEL_SPEND_LIMIT", message, {
    hint: "Wait for the next day (UTC), or ask an admin of the organization to raise the limit.",
    details,
    retryAfterMs: resetsAt - now,
  });
}

function priceUnknown(what: string): ModelError {
  return new ModelError(
    "MODEL_PRICE_UNKNOWN",
    `The organization has a daily limit for models, and ${what} is unknown.`,
    {
      hint: "An admin gives the model's price under Settings, Models, or lifts the limit.",
    },
  );
}

/** The refusals of a budget, as the API tells them. */
export function asApiError({ code, message, hint, details, retryAfterMs }: ModelError): ApiError {
  const told = { code, ...details, ...(hint !== undefined && { hint }) };
  if (code !== "MODEL_SPEND_LIMIT" || retryAfterMs === undefined)
    return new ApiError("CONFLICT", message, told);
  const wait = Math.min(limits.rate.maxRetryAfterSeconds, Math.max(1, Math.ceil(retryAfterMs / 1000)));
  return new ApiError("RATE_LIMITED", message, { ...told, retryAfter: wait }, wait);
}

/** To a hundredth of one: what a person reads. */
function credits(usd: number): number {
  return Math.round((usd / creditUsd) * 100) / 100;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd >= 1 ? 2 : 4)}`;
}
