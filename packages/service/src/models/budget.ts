/**
 * @module The daily limit of an organization, and what counts against it. Money is set aside before a launch and before each call,
 * under the lock of the day's row, and the true cost takes its place: whatever runs at once cannot pass the limit together.
 */
import { ApiError, limits, type OrganizationId } from "@fettle/contract";
import { ModelError } from "@fettle/evals";
import { and, eq, sql } from "drizzle-orm";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { modelBudgetDays, modelBudgets, modelHolds } from "../tables/models.ts";

/** What calls are made for: what spending is told by. */
export interface SpendSource {
  /** Such as `evalRun`, `chat` or `judge`. */
  kind: string;
  id: string;
}

/** Money set aside on one day for one call. */
export interface Reservation {
  organizationId: OrganizationId;
  source: SpendSource;
  day: string;
  usd: number;
  /** How much of it came out of what the launch had set aside. */
  ofHold: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const creditUsd = 0.01;

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
}

/** The lower of the organization's and the operator's limit; null is none. */
export async function effectiveCapUsd(app: App, organizationId: OrganizationId): Promise<number | null> {
  const caps = [await readCapUsd(app, organizationId), deploymentCapUsd(app)].filter((cap) => cap !== null);
  return caps.length === 0 ? null : Math.min(...caps);
}

/**
 * Sets aside what a launch may cost, or refuses it with 429. Its calls, made for the same source, take from it; give back the
 * rest with `releaseHold` when it has ended. Without a limit nothing is set aside.
 *
 * @example
 * await holdForLaunch(app, { organizationId, source: { kind: "evalRun", id: runId }, usd: estimate.costUsd });
 */
export async function holdForLaunch(
  app: App,
  {
    organizationId,
    source,
    usd,
  }: { organizationId: OrganizationId; source: SpendSource; usd: number | null },
): Promise<void> {
  const cap = await effectiveCapUsd(app, organizationId);
  if (cap === null) return;
  if (usd === null) throw asApiError(priceUnknown("what this launch costs"));
  const { day } = dayOf(app.now());
  await app.db.transaction(async (tx) => {
    await lockDay(tx, organizationId, day);
    const refusal = await take(tx, { organizationId, day, usd, ofHold: 0, cap, now: app.now() });
    if (refusal) throw asApiError(refusal);
    await tx
      .insert(modelHolds)
      .values({ organizationId, day, sourceKind: source.kind, sourceId: source.id, leftUsd: usd })
      .onConflictDoUpdate({
        target: [modelHolds.organizationId, modelHolds.day, modelHolds.sourceKind, modelHolds.sourceId],
        set: { leftUsd: sql`${modelHolds.leftUsd} + ${usd}` },
      });
  });
}

/** Gives back what a launch has set aside and not used, on whichever day it began. */
export async function releaseHold(
  app: App,
  organizationId: OrganizationId,
  source: SpendSource,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const held = await tx.select().from(modelHolds).where(holdsOf(organizationId, source));
    for (const { day } of held) {
      await lockDay(tx, organizationId, day);
      const [released] = await tx
        .delete(modelHolds)
        .where(holdOf(organizationId, source, day))
        .returning();
      if (released) await addToDay(tx, { organizationId, day, spent: 0, held: -released.leftUsd });
    }
  });
}

/** Before a call. Throws MODEL_SPEND_LIMIT when it might pass the limit, MODEL_PRICE_UNKNOWN when nobody can tell. */
export async function reserveForCall(
  app: App,
  cap: number,
  call: { organizationId: OrganizationId; source: SpendSource; model: string; usd: number | null },
): Promise<Reservation> {
  const { organizationId, source, usd } = call;
  if (usd === null) throw priceUnknown(`what ${call.model} costs`);
  const { day } = dayOf(app.now());
  return app.db.transaction(async (tx) => {
    await lockDay(tx, organizationId, day);
    const hold = holdOf(organizationId, source, day);
    const [held] = await tx.select({ leftUsd: modelHolds.leftUsd }).from(modelHolds).where(hold);
    const ofHold = Math.min(usd, held?.leftUsd ?? 0);
    const refusal = await take(tx, { organizationId, day, usd, ofHold, cap, now: app.now() });
    if (refusal) throw refusal;
    if (ofHold > 0)
      await tx
        .update(modelHolds)
        .set({ leftUsd: sql`${modelHolds.leftUsd} - ${ofHold}` })
        .where(hold);
    return { organizationId, source, day, usd, ofHold };
  });
}

/** Puts the true cost in the place of what was set aside; what the launch had set aside for it and it did not take is the launch's again. */
export async function settle(tx: Transaction, reservation: Reservation, spentUsd: number): Promise<void> {
  const { organizationId, source, day, usd, ofHold } = reservation;
  const back = Math.max(0, ofHold - spentUsd);
  await lockDay(tx, organizationId, day);
  const { rowCount } =
    back === 0
      ? { rowCount: 0 }
      : await tx
          .update(modelHolds)
          .set({ leftUsd: sql`${modelHolds.leftUsd} + ${back}` })
          .where(holdOf(organizationId, source, day));
  // The launch may have ended meanwhile; then nobody waits for the rest.
  const returned = rowCount === 1 ? back : 0;
  await addToDay(tx, { organizationId, day, spent: spentUsd, held: returned - usd });
}

export async function addToDay(
  tx: Transaction,
  change: { organizationId: OrganizationId; day: string; spent: number; held: number },
): Promise<void> {
  const { organizationId, day, spent, held } = change;
  await tx
    .insert(modelBudgetDays)
    .values({ organizationId, day, spentUsd: spent, heldUsd: Math.max(0, held) })
    .onConflictDoUpdate({
      target: [modelBudgetDays.organizationId, modelBudgetDays.day],
      set: {
        spentUsd: sql`${modelBudgetDays.spentUsd} + ${spent}`,
        heldUsd: sql`greatest(0, ${modelBudgetDays.heldUsd} + ${held})`,
      },
    });
}

/** What counts today. */
export async function readDay(app: App, organizationId: OrganizationId) {
  const { day } = dayOf(app.now());
  const [row] = await app.db
    .select({ spentUsd: modelBudgetDays.spentUsd, heldUsd: modelBudgetDays.heldUsd })
    .from(modelBudgetDays)
    .where(and(eq(modelBudgetDays.organizationId, organizationId), eq(modelBudgetDays.day, day)));
  return row ?? { spentUsd: 0, heldUsd: 0 };
}

/** Every change of a day waits for the one before it. */
async function lockDay(tx: Transaction, organizationId: OrganizationId, day: string): Promise<void> {
  await tx.insert(modelBudgetDays).values({ organizationId, day }).onConflictDoNothing();
  await tx
    .select({ day: modelBudgetDays.day })
    .from(modelBudgetDays)
    .where(and(eq(modelBudgetDays.organizationId, organizationId), eq(modelBudgetDays.day, day)))
    .for("no key update");
}

/** Sets the money aside, or says why not; the refusal writes nothing. What the launch holds is set aside already. */
async function take(
  tx: Transaction,
  asked: {
    organizationId: OrganizationId;
    day: string;
    usd: number;
    ofHold: number;
    cap: number;
    now: number;
  },
): Promise<ModelError | undefined> {
  const { organizationId, day, usd, ofHold, cap, now } = asked;
  const own = and(eq(modelBudgetDays.organizationId, organizationId), eq(modelBudgetDays.day, day));
  // Subtracted there, where it is exact.
  const more = sql`${usd}::numeric - ${ofHold}::numeric`;
  const { rowCount } = await tx
    .update(modelBudgetDays)
    .set({ heldUsd: sql`${modelBudgetDays.heldUsd} + ${more}` })
    .where(and(own, sql`${modelBudgetDays.spentUsd} + ${modelBudgetDays.heldUsd} + ${more} <= ${cap}`));
  if (rowCount === 1) return undefined;
  const [row] = await tx.select().from(modelBudgetDays).where(own);
  return limitReached({ usd, cap, now, spent: row?.spentUsd ?? 0, held: row?.heldUsd ?? 0 });
}

function holdsOf(organizationId: OrganizationId, source: SpendSource) {
  return and(
    eq(modelHolds.organizationId, organizationId),
    eq(modelHolds.sourceKind, source.kind),
    eq(modelHolds.sourceId, source.id),
  );
}

function holdOf(organizationId: OrganizationId, source: SpendSource, day: string) {
  return and(holdsOf(organizationId, source), eq(modelHolds.day, day));
}

function limitReached(facts: {
  usd: number;
  cap: number;
  spent: number;
  held: number;
  now: number;
}): ModelError {
  const { usd, cap, spent, held, now } = facts;
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
