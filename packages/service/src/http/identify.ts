/** @module Who is calling: turns a credential into a caller, and takes that caller's rate-limit token in the same round trip. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@fettle/contract";
import type { Pool } from "pg";
import { hashToken, recogniseToken } from "../accounts/tokens.ts";
import { takeSql } from "../limits/bucket.ts";
import { buckets, keyBucket, tooManyRequests } from "../limits/limits.ts";
import type { Caller } from "./bind.ts";
import type { Credentials } from "./credentials.ts";

export interface Identified {
  headers: IncomingHttpHeaders;
  ip: string;
}

/** The caller, or `nobody`; throws 401 for a credential that is there and does not hold, 429 when the caller is too fast. */
export type Identify = (request: Identified) => Promise<Caller>;

interface Options {
  pool: Pick<Pool, "query">;
  credentials: Credentials;
  limits: { keyPerMinute: number; keyBurst: number };
  /** Told when noting the last use of a credential fails; the call itself goes on. */
  onTouchFailure(error: unknown): void;
}

/** How stale "last used" may get, so that a busy key does not write its row on every call. */
const touchEvery = "1 minute";

const unauthorized = (message: string, reason?: string) =>
  new ApiError("UNAUTHORIZED", message, reason ? { reason } : undefined);

/** Lookup is by hash, which gives nothing to time; this also closes the comparison inside the index. */
function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [, token] = /^bearer +([^ ]+) *$/i.exec(authorization) ?? [];
  // A header that is there but says nothing we know must not fall through to the cookie.
  return token ?? "";
}

interface Limited {
  allowed: boolean | null;
  retry_after: number | null;
}

interface KeyRow extends Limited {
  id: string;
  key_hash: string;
  user_id: string;
  organization_id: string | null;
  is_member: boolean;
  is_live: boolean;
  is_stale: boolean;
}

interface BearerRow extends Limited {
  id: string;
  hash: string;
  user_id: string | null;
  is_stale: boolean;
}

export function createIdentify({ pool, credentials, limits, onTouchFailure }: Options): Identify {
  // A revoked key is found and told apart here, so that it costs its owner no token and is dead on every process at once.
  const findKey = {
    name: "find_api_key",
    text: `
      WITH found AS MATERIALIZED (
        SELECT key.id, key.key_hash, key.user_id, key.organization_id,
               membership.user_id IS NOT NULL AS is_member,
               key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now()) AS is_live,
               key.last_used_at IS NULL OR key.last_used_at < now() - interval '${touchEvery}' AS is_stale
        FROM api_keys AS key
        LEFT JOIN organization_members AS membership
          ON membership.organization_id = key.organization_id AND membership.user_id = key.user_id
        WHERE key.key_hash = $1
      ), taken AS (${takeSql(keyBucket(limits), "(SELECT id AS owner FROM found WHERE is_live AND is_member) AS asked")})
      SELECT found.*, taken.allowed, taken.retry_after FROM found LEFT JOIN taken ON true`,
  };

  const findCliSession = {
    name: "find_cli_session",
    text: `
      WITH found AS MATERIALIZED (
        SELECT session.id, token.token_hash AS hash, session.user_id,
               session.last_used_at < now() - interval '${touchEvery}' AS is_stale
        FROM cli_tokens AS token
        JOIN cli_sessions AS session ON session.id = token.session_id AND session.expires_at > now()
        WHERE token.token_hash = $1 AND token.kind = 'access' AND token.expires_at > now()
      ), by_session AS (${takeSql(buckets.session, "(SELECT id AS owner FROM found) AS asked")}
      ), by_address AS (${takeSql(buckets.sessionAddress, "(SELECT $2::text AS owner FROM found) AS asked")})
      SELECT found.*, by_session.allowed AND by_address.allowed AS allowed,
             greatest(CASE WHEN by_session.allowed THEN 1 ELSE by_session.retry_after END,
                      CASE WHEN by_address.allowed THEN 1 ELSE by_address.retry_after END) AS retry_after
      FROM found, by_session, by_address`,
  };

  const findGuest = {
    name: "find_guest",
    text: `
      WITH found AS MATERIALIZED (
        SELECT id, token_hash AS hash, NULL::text AS user_id, false AS is_stale
        FROM guest_tokens WHERE token_hash = $1 AND expires_at > now()
      ), taken AS (${takeSql(buckets.guest, "(SELECT id AS owner FROM found) AS asked")})
      SELECT found.*, taken.allowed, taken.retry_after FROM found, taken`,
  };

  const limitSession = {
    name: "limit_session",
    text: `
      WITH by_session AS (${takeSql(buckets.session, "(SELECT $1::text AS owner) AS asked")}
      ), by_address AS (${takeSql(buckets.sessionAddress, "(SELECT $2::text AS owner) AS asked")})
      SELECT by_session.allowed AND by_address.allowed AS allowed,
             greatest(CASE WHEN by_session.allowed THEN 1 ELSE by_session.retry_after END,
                      CASE WHEN by_address.allowed THEN 1 ELSE by_address.retry_after END) AS retry_after
      FROM by_session, by_address`,
  };

  function touch(table: "api_keys" | "cli_sessions", id: string): void {
    pool
      .query({
        name: `touch_${table}`,
        text: `UPDATE ${table} SET last_used_at = now() WHERE id = $1`,
        values: [id],
      })
      .catch(onTouchFailure);
  }

  function refuseWhenLimited(row: Limited): void {
    if (row.allowed === false) throw tooManyRequests(row.retry_after ?? 1);
  }

  async function identifyKey(key: string): Promise<Caller> {
    const hash = hashToken(key);
    const { rows } = await pool.query<KeyRow>({ ...findKey, values: [hash] });
    const row = rows[0];
    if (!row || !isSameHash(row.key_hash, hash) || !row.is_live) {
      throw unauthorized("This API key is not valid. It may have been revoked.");
    }
    if (row.organization_id === null || !row.is_member) {
      throw unauthorized("This API key belongs to no organization any more.", "ORPHANED_KEY");
    }
    refuseWhenLimited(row);
    if (row.is_stale) touch("api_keys", row.id);
    return { kind: "key", userId: row.user_id, organizationId: row.organization_id, keyId: row.id };
  }

  async function identifyCliSession(token: string, ip: string): Promise<Caller> {
    const row = await findBearer(findCliSession, token, [ip]);
    if (!row?.user_id) throw unauthorized("This sign-in has ended. Run `fettle cloud login` again.");
    refuseWhenLimited(row);
    if (row.is_stale) touch("cli_sessions", row.id);
    return { kind: "session", userId: row.user_id, sessionId: row.id, via: "cli" };
  }

  async function identifyGuest(token: string): Promise<Caller> {
    const row = await findBearer(findGuest, token, []);
    if (!row) throw unauthorized("This guest token is not valid.");
    refuseWhenLimited(row);
    return { kind: "guest", guestId: row.id };
  }

  async function findBearer(statement: { name: string; text: string }, token: string, rest: string[]) {
    const hash = hashToken(token);
    const { rows } = await pool.query<BearerRow>({ ...statement, values: [hash, ...rest] });
    const row = rows[0];
    return row && isSameHash(row.hash, hash) ? row : undefined;
  }

  async function identifyBrowser(request: Identified): Promise<Caller> {
    const session = await credentials.readSession(request);
    if (!session) return { kind: "nobody" };
    const { rows } = await pool.query<Limited>({ ...limitSession, values: [session.sessionId, request.ip] });
    refuseWhenLimited(rows[0]!);
    return { kind: "session", ...session, via: "browser" };
  }

  return async (request) => {
    const bearer = bearerOf(request.headers);
    if (bearer === undefined) return identifyBrowser(request);
    switch (recogniseToken(bearer)) {
      case "apiKey":
        return identifyKey(bearer);
      case "cliAccess":
        return identifyCliSession(bearer, request.ip);
      case "guest":
        return identifyGuest(bearer);
      default:
        throw unauthorized("This credential is not one of ours.");
    }
  };
}
