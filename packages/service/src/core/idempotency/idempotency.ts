/**
 * @module Makes a repeated call one effect. The answer is remembered in the transaction that made the effect, so a
 * process killed at any moment leaves both or neither, and the repetition does it for the first time or replays it.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, limits, type OperationDeclaration } from "@fettle/contract/core";
import { eq, lt, sql } from "drizzle-orm";
import type { Database, Querier, Transaction } from "../db/pool.ts";
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

/** The key a request carries; blank or overlong counts as none. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of headerNames) {
    const value = headers[name];
    const key = typeof value === "string" ? value.trim() : "";
    if (key.length > 0 && key.length <= limits.idempotency.maxKeyLength) return key;
  }
  return undefined;
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

/**
 * Runs `work` once per key and body; later calls are given its answer. Only a success is remembered: a refusal changed
 * nothing, so the same request may be tried again.
 *
 * @example
 * const { answer, isReplay } = await runOnce(app.db, now, attempt, (tx) => createProject(tx, body));
 */
export async function runOnce(
  db: Database,
  now: number,
  attempt: Attempt,
  work: (db: Transaction) => Promise<Answer>,
): Promise<{ answer: Answer; isReplay: boolean }> {
  const scopeHash = scopeOf(attempt);
  const bodyHash = hash(attempt.body);
  return db.transaction(async (tx) => {
    await claim(tx, scopeHash);
    const held = await findAnswer(tx, now, scopeHash);
    if (held) {
      if (held.bodyHash !== bodyHash) {
        throw refused("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another body.");
      }
      return { answer: { status: held.status, body: held.body }, isReplay: true };
    }
    const answer = await work(tx);
    const row = { scopeHash, bodyHash, ...answer, createdAt: new Date(now) };
    await tx
      .insert(idempotentAnswers)
      .values(row)
      .onConflictDoUpdate({ target: idempotentAnswers.scopeHash, set: row });
    return { answer, isReplay: false };
  });
}

/** Whether the call was made under its key already: making it again changes nothing. */
export async function wasAnswered(
  db: Querier,
  now: number,
  attempt: Omit<Attempt, "body">,
): Promise<boolean> {
  return (await findAnswer(db, now, scopeOf(attempt))) !== undefined;
}

const scopeOf = ({ actor, operationId, parent, key }: Omit<Attempt, "body">) =>
  hash([actor, operationId, parent, key]);

async function findAnswer(db: Querier, now: number, scopeHash: string) {
  const [held] = await db.select().from(idempotentAnswers).where(eq(idempotentAnswers.scopeHash, scopeHash));
  return held && held.createdAt.getTime() > now - limits.idempotency.rememberMs ? held : undefined;
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
  if (!rows[0]?.claimed) {
    throw refused("IDEMPOTENCY_IN_FLIGHT", "A request with this idempotency key is still running.");
  }
}

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
