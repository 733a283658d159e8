/**
 * @module Makes a repeated call one effect. The answer is remembered in the transaction that made the effect, so a
 * process killed at any moment leaves both or neither, and the repetition does it for the first time or replays it.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, limits, type OperationDeclaration } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import { eq, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../app.ts";
import type { Querier, Transaction } from "../db/pool.ts";
import { idempotentAnswers } from "../tables/idempotency.ts";

export interface Answer {
  status: number;
  body: unknown;
}

export interface Attempt {
  key: string;
  /** Who calls: one person's key means nothing to another's. */
  actor: string;
  operationId: string;
  /** The ids in the path: the parent that the new thing belongs to. */
  parent: Record<string, string>;
  body: unknown;
}

const headerNames = ["idempotency-key", "x-fettle-idempotency-key"] as const;

/** The key a request carries. A blank one is refused: whoever sends it believes that a repetition is safe. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headerNames.map((name) => headers[name]).find((one) => one !== undefined);
  if (given === undefined) return undefined;
  const key = String(given).trim();
  if (key === "") {
    throw new ApiError(
      "VALIDATION_ERROR",
      "The Idempotency-Key is empty. Send a key, or leave the header out.",
      {
        code: "IDEMPOTENCY_KEY_EMPTY",
      },
    );
  }
  const { maxKeyLength } = limits.idempotency;
  if (key.length <= maxKeyLength) return key;
  const message = `An idempotency key has at most ${maxKeyLength} characters; this one has ${key.length}.`;
  throw new ApiError("VALIDATION_ERROR", message, { code: "IDEMPOTENCY_KEY_TOO_LONG" });
}

/** The body of an operation that takes the key there: said in the header alone, it counts as said in the body. */
export function withKeyOfHeader(
  { idempotent, body: schema }: OperationDeclaration,
  { headers, body = {} }: { headers: IncomingHttpHeaders; body?: unknown },
): unknown {
  const fields = schema && "shape" in schema ? (schema.shape as object) : {};
  if (idempotent !== "own" || !("idempotencyKey" in fields)) return body;
  if (typeof body !== "object" || body === null || "idempotencyKey" in body) return body;
  const idempotencyKey = idempotencyKeyOf(headers);
  return idempotencyKey === undefined ? body : { ...body, idempotencyKey };
}

/** Two keys would leave open which of them a repetition is known by. */
export function refuseTwoKeys(headers: IncomingHttpHeaders, inBody: string | undefined): void {
  const inHeader = idempotencyKeyOf(headers);
  if (inHeader === undefined || inBody === undefined || inHeader === inBody.trim()) return;
  const message =
    "The Idempotency-Key header holds another key than the body: give one, or the same in both.";
  throw new ApiError("VALIDATION_ERROR", message, {
    code: "IDEMPOTENCY_KEYS_DIFFER",
    path: "body.idempotencyKey",
  });
}

type Parts = Pick<App, "db" | "vault" | "now">;
type Once = { answer: Answer; isReplay: boolean };

/**
 * Runs `work` once per key and body; later calls are given its answer. Only a success is remembered: a refusal changed
 * nothing, so the same request may be tried again.
 *
 * @example
 * const { answer, isReplay } = await runOnce(app, attempt, (tx) => createProject(tx, body));
 */
export async function runOnce(
  parts: Parts,
  attempt: Attempt,
  work: (db: Transaction) => Promise<Answer>,
): Promise<Once> {
  const scopeHash = scopeOf(attempt);
  return parts.db.transaction(async (tx) => {
    const before = await findSame(parts, tx, attempt, scopeHash);
    if (before) return before;
    const answer = await work(tx);
    await remember(parts, tx, attempt, scopeHash, answer);
    return { answer, isReplay: false };
  });
}

/**
 * The same for work that asks somebody else and may take minutes, which no transaction should: the key is claimed, the work done,
 * and its answer remembered. A process that dies in between leaves the claim, so the key is refused for a while and never does it twice.
 */
export async function runClaimed(parts: Parts, attempt: Attempt, work: () => Promise<Answer>): Promise<Once> {
  const scopeHash = scopeOf(attempt);
  const before = await parts.db.transaction(async (tx) => {
    const same = await findSame(parts, tx, attempt, scopeHash);
    if (!same) await remember(parts, tx, attempt, scopeHash, underWay);
    return same;
  });
  if (before) return before;
  try {
    const answer = await work();
    await remember(parts, parts.db, attempt, scopeHash, answer);
    return { answer, isReplay: false };
  } catch (error) {
    await parts.db.delete(idempotentAnswers).where(eq(idempotentAnswers.scopeHash, scopeHash));
    throw error;
  }
}

/** No status of HTTP: what was claimed has no answer yet. */
const underWay: Answer = { status: 0, body: null };

/** One at a time for each key: what was answered under it, if it was used for the same. */
async function findSame(
  parts: Parts,
  tx: Transaction,
  { body }: Attempt,
  scopeHash: string,
): Promise<Once | undefined> {
  await claim(tx, scopeHash);
  const held = await findAnswer(tx, parts.now(), scopeHash);
  if (!held) return undefined;
  if (held.bodyHash !== hash(body)) {
    throw refused("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another body.");
  }
  if (held.status === underWay.status) throw inFlight();
  return { answer: { status: held.status, body: opened(parts, scopeHash, held.body) }, isReplay: true };
}

async function remember(
  { vault, now }: Parts,
  db: Querier,
  attempt: Attempt,
  scopeHash: string,
  { status, body }: Answer,
): Promise<void> {
  // Some answers hold a credential that is shown once.
  const sealed = vault.seal(new Secret(JSON.stringify(body ?? null)), placeOf(scopeHash));
  const row = {
    scopeHash,
    bodyHash: hash(attempt.body),
    status,
    body: { sealed },
    createdAt: new Date(now()),
  };
  await db
    .insert(idempotentAnswers)
    .values(row)
    .onConflictDoUpdate({ target: idempotentAnswers.scopeHash, set: row });
}

const placeOf = (scopeHash: string) => `idempotent_answers/${scopeHash}/body`;
const Sealed = z.strictObject({ sealed: z.string() });

/** An answer of an earlier version lies open. */
function opened({ vault }: Parts, scopeHash: string, body: unknown): unknown {
  const { data } = Sealed.safeParse(body);
  return data ? JSON.parse(vault.open(data.sealed, placeOf(scopeHash)).reveal()) : body;
}

/** Whether the call was made under its key already: making it again changes nothing. */
export async function wasAnswered(
  db: Querier,
  now: number,
  attempt: Omit<Attempt, "body">,
): Promise<boolean> {
  const held = await findAnswer(db, now, scopeOf(attempt));
  return held !== undefined && held.status !== underWay.status;
}

const scopeOf = ({ actor, operationId, parent, key }: Omit<Attempt, "body">) =>
  hash([actor, operationId, parent, key]);

async function findAnswer(db: Querier, now: number, scopeHash: string) {
  const [held] = await db.select().from(idempotentAnswers).where(eq(idempotentAnswers.scopeHash, scopeHash));
  const { claimMs, rememberMs } = limits.idempotency;
  const keptMs = held?.status === underWay.status ? claimMs : rememberMs;
  return held && held.createdAt.getTime() > now - keptMs ? held : undefined;
}

/** Of what is kept with its key for longer than an answer: the same key with another request is refused. */
export function requireSameRequest(
  held: { requestHash: string | null } | undefined,
  requestHash: string,
  what: "launch" | "body",
  named: Record<string, string> = {},
): void {
  if (!held || held.requestHash === requestHash) return;
  const code = "IDEMPOTENCY_KEY_REUSED";
  throw new ApiError("CONFLICT", `This idempotency key was used with another ${what}.`, { code, ...named });
}

/** Held until the transaction ends, and gone with the connection of a process that dies. */
async function claim(tx: Transaction, scopeHash: string): Promise<void> {
  const { rows } = await tx.execute<{ claimed: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${scopeHash}, 0)) as claimed`,
  );
  if (!rows[0]?.claimed) throw inFlight();
}

const inFlight = () =>
  refused("IDEMPOTENCY_IN_FLIGHT", "A request with this idempotency key is still running.");

function refused(code: string, message: string): ApiError {
  return new ApiError("CONFLICT", message, { code });
}

function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(value)))
    .digest("hex");
}

/** The same object is the same request, in whatever order its fields were written. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, inner]) => [key, sortKeys(inner)]);
}

/** Forgets answers past their day. */
export async function forgetOldAnswers(db: Querier, now: number): Promise<number> {
  const before = new Date(now - limits.idempotency.rememberMs);
  const { rowCount } = await db.delete(idempotentAnswers).where(lt(idempotentAnswers.createdAt, before));
  return rowCount ?? 0;
}
