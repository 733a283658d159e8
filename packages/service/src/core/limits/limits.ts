/** @module Every limit on how often, and the functions that apply them. Who is limited by what is decided where the caller is known. */
import { ApiError, limits } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { oneRow } from "../db/one-row.ts";
import type { Transaction } from "../db/pool.ts";
import { type Bucket, type Taken, takeSql } from "./bucket.ts";

const perMinute = (name: string, requests: number): Bucket => ({
  name,
  capacity: requests,
  refill: requests,
  seconds: 60,
});

/** Limits that no operator needs to turn. The API key's is made by `keyBucket`, from the configuration. */
export const buckets = {
  session: perMinute("session", limits.rate.session.perMinute),
  sessionAddress: perMinute("address", limits.rate.session.perMinutePerAddress),
  browser: perMinute("browser", limits.rate.browser.perMinute),
  browserAddress: perMinute("browser-address", limits.rate.browser.perMinutePerAddress),
  guest: perMinute("guest", limits.rate.guest.perMinute),
  /** Guessing a password: by address and account together, by either alone, and by a browser that has signed in before. */
  signInTogether: { name: "sign-in", capacity: 10, refill: 1, seconds: 30 },
  signInAddress: { name: "sign-in-address", capacity: 60, refill: 1, seconds: 5 },
  signInAccount: { name: "sign-in-account", capacity: 300, refill: 1, seconds: 6 },
  signInDevice: { name: "sign-in-device", capacity: 10, refill: 1, seconds: 30 },
  /** Guessing the current password with somebody's session. */
  passwordChange: { name: "password-change", capacity: 10, refill: 1, seconds: 30 },
  /** Asking for letters about a forgotten password, by address. */
  forgottenPassword: { name: "forgotten-password", capacity: 10, refill: 1, seconds: 60 },
  /** Letters of one kind to one mailbox, whoever asks for them. */
  letters: { name: "letters", capacity: 5, refill: 1, seconds: 600 },
  /** Sign-ins begun at an OpenID provider, by address: each may make us ask the provider. */
  oidcStart: { name: "oidc-start", capacity: 60, refill: 1, seconds: 1 },
  /** Command lines that begin a login, and their exchanges of codes and refresh tokens, by address. */
  cliLogin: { name: "cli-login", capacity: 30, refill: 1, seconds: 2 },
  /** Making anonymous bearers, so that minting new ones is no way around their limit. */
  guestMint: { name: "guest-mint", capacity: 10, refill: 1, seconds: 60 },
  /** Launches of journeys, each of which may be a hundred sessions: by organization. */
  journeyLaunch: perMinute("journey-launch", swarmLimits.launchesPerMinute),
  /** Trying links that lead nowhere: by address. */
  visitWrongLink: perMinute("visit-wrong-link", limits.userTesting.opensPerMinute.wrongLink),
  /** What visitors do: each one's own, and of all in one scenario who share an address. A class has one address. */
  visitOpen: perMinute("visit-open", limits.userTesting.opensPerMinute.visitor),
  visitOpenAddress: perMinute("visit-open-address", limits.userTesting.opensPerMinute.address),
  visitTurn: perMinute("visit-turn", limits.userTesting.turnsPerMinute.visitor),
  visitTurnAddress: perMinute("visit-turn-address", limits.userTesting.turnsPerMinute.address),
  visitWidget: perMinute("visit-widget", limits.userTesting.widgetAsksPerMinute.visitor),
  visitWidgetAddress: perMinute("visit-widget-address", limits.userTesting.widgetAsksPerMinute.address),
} as const satisfies Record<string, Bucket>;

export type BucketName = keyof typeof buckets;

/** One API key: bursts up to the capacity, then one at a time. */
export function keyBucket({ keyPerMinute, keyBurst }: { keyPerMinute: number; keyBurst: number }): Bucket {
  return { name: "key", capacity: keyBurst, refill: 1, seconds: 60 / keyPerMinute };
}

/**
 * Takes one token, or says how long to wait.
 *
 * @example
 * const taken = await takeToken(app.pool, "signInDevice", deviceId);
 * if (!taken.allowed) throw tooManyRequests(taken.retryAfter);
 */
export async function takeToken(
  pool: Pick<Pool, "query">,
  bucket: BucketName,
  owner: string,
): Promise<Taken> {
  const { rows } = await pool.query<{ allowed: boolean; retry_after: number }>({
    name: `take_${bucket}`,
    text: takeSql(buckets[bucket], "(SELECT $1::text AS owner) AS asked"),
    values: [owner],
  });
  const row = oneRow(rows);
  return { allowed: row.allowed, retryAfter: row.retry_after };
}

/** The same inside a transaction, which gives the token back when it fails. */
export async function takeTokenIn(tx: Transaction, bucket: BucketName, owner: string): Promise<Taken> {
  const statement = takeSql(buckets[bucket], "(SELECT $1::text AS owner) AS asked");
  const [before = "", after = ""] = statement.split("$1");
  const { rows } = await tx.execute<{ allowed: boolean; retry_after: number }>(
    sql`${sql.raw(before)}${owner}${sql.raw(after)}`,
  );
  return { allowed: oneRow(rows).allowed, retryAfter: oneRow(rows).retry_after };
}

/**
 * Takes one token, or throws 429.
 *
 * @example
 * await requireToken(app.pool, "signInDevice", deviceId);
 */
export async function requireToken(
  pool: Pick<Pool, "query">,
  bucket: BucketName,
  owner: string,
): Promise<void> {
  const taken = await takeToken(pool, bucket, owner);
  if (!taken.allowed) throw tooManyRequests(taken.retryAfter);
}

export function tooManyRequests(retryAfter: number): ApiError {
  return new ApiError(
    "RATE_LIMITED",
    `Too many requests. Try again in ${retryAfter} s.`,
    { retryAfter, retryAfterMs: retryAfter * 1000 },
    retryAfter,
  );
}

/** Forgets callers who have not been seen for an hour: by then every bucket is full again. */
export async function forgetIdleBuckets(pool: Pick<Pool, "query">): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM rate_limits WHERE refilled_at < clock_timestamp() - interval '1 hour'",
  );
  return rowCount ?? 0;
}
