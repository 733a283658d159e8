/**
 * @module The prepared SQL that finds a credential and takes its rate-limit token, each in one round trip; and, for a call
 * about a project, reads in the same one what the caller is to it.
 */
import type { ApiKeyId, OrganizationId, UserId } from "@fettle/contract/core";
import { type Bucket, takeSql } from "../../core/limits/bucket.ts";
import { buckets } from "../../core/limits/limits.ts";
import type { ReadAlong } from "../../core/routing/read-along.ts";
import { type ProjectTies, tiesSql } from "../../people/projects/standing-sql.ts";

/** How stale "last used" may get, so that a busy credential does not write its row on every call. */
const touchEvery = "1 minute";

/** Null when no token was asked for, because the credential does not hold. */
export interface Limited {
  allowed: boolean | null;
  retry_after: number | null;
}

/** With the `InProject` statements; every field null when there is no such project. */
export type Tied = { [Field in keyof ProjectTies]?: ProjectTies[Field] | null };

export interface KeyRow extends Limited, Tied {
  id: ApiKeyId;
  key_hash: string;
  user_id: UserId;
  organization_id: OrganizationId | null;
  is_member: boolean;
  is_live: boolean;
  is_stale: boolean;
}

export interface BearerRow extends Limited, Tied {
  id: string;
  hash: string;
  user_id: UserId | null;
  is_stale: boolean;
}

export interface Statement {
  name: string;
  text: string;
}

/** The statement alone, with the caller's ties to the project that a parameter names, and with a thing in it that the last one names. */
interface Finding {
  alone: Statement;
  inProject: Statement;
  withThing(reading: ReadAlong<unknown>): Statement;
}

/** `text` makes the statement from what is selected and joined besides; a token can only be taken at its top level. */
function finding(
  name: string,
  { thing, ...ties }: { project: string; user: string; boundTo: string; thing: string },
  text: (columns: string, join: string) => string,
): Finding {
  const join = `LEFT JOIN LATERAL (${tiesSql(ties)}) AS ties ON true`;
  const withThings = new Map<ReadAlong<unknown>, Statement>();
  return {
    alone: { name, text: text("", "") },
    inProject: { name: `${name}_in_project`, text: text(", ties.*", join) },
    withThing(reading) {
      const known = withThings.get(reading);
      if (known) return known;
      const body = reading.sql({ ...ties, id: thing });
      const joins = `${join} LEFT JOIN LATERAL (${body}) AS thing ON true`;
      const statement = { name: `${name}_with_${reading.name}`, text: text(", ties.*, thing.*", joins) };
      withThings.set(reading, statement);
      return statement;
    },
  };
}

const isLiveKey = "key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now())";

/** A revoked key is found and told apart, so that it takes no token; being read each time, it is dead on every process at once. */
export function keyFinding(bucket: Bucket): Finding {
  // A key without an organization is bound to none, rather than to any.
  const ties = {
    project: "$2",
    user: "found.user_id",
    boundTo: "coalesce(found.organization_id, '')",
    thing: "$3",
  };
  return finding(
    "find_api_key",
    ties,
    (columns, join) => `
      WITH found AS MATERIALIZED (
        SELECT key.id, key.key_hash, key.user_id, key.organization_id,
               membership.user_id IS NOT NULL AS is_member,
               ${isLiveKey} AS is_live,
               key.last_used_at IS NULL OR key.last_used_at < now() - interval '${touchEvery}' AS is_stale
        FROM api_keys AS key
        LEFT JOIN organization_members AS membership
          ON membership.organization_id = key.organization_id AND membership.user_id = key.user_id
        WHERE key.key_hash = $1
      ), taken AS (${takeSql(bucket, "(SELECT id AS owner FROM found WHERE is_live AND is_member) AS asked")})
      SELECT found.*, taken.allowed, taken.retry_after${columns}
      FROM found LEFT JOIN taken ON true ${join}`,
  );
}

/** Both of a session's limits in one row: refused by either, the longer wait counts. */
const bothLimits = `
  by_session.allowed AND by_address.allowed AS allowed,
  greatest(CASE WHEN by_session.allowed THEN 1 ELSE by_session.retry_after END,
           CASE WHEN by_address.allowed THEN 1 ELSE by_address.retry_after END) AS retry_after`;

export const cliSessionFinding = finding(
  "find_cli_session",
  { project: "$3", user: "found.user_id", boundTo: "NULL::text", thing: "$4" },
  (columns, join) => `
    WITH found AS MATERIALIZED (
      SELECT session.id, token.token_hash AS hash, session.user_id,
             session.last_used_at < now() - interval '${touchEvery}' AS is_stale
      FROM cli_tokens AS token
      JOIN cli_sessions AS session ON session.id = token.session_id AND session.expires_at > now()
      WHERE token.token_hash = $1 AND token.kind = 'access' AND token.expires_at > now()
    ), by_session AS (${takeSql(buckets.session, "(SELECT id AS owner FROM found) AS asked")}
    ), by_address AS (${takeSql(buckets.sessionAddress, "(SELECT $2::text AS owner FROM found) AS asked")})
    SELECT found.*, ${bothLimits}${columns}
    FROM found CROSS JOIN by_session CROSS JOIN by_address ${join}`,
);

/**
 * The body of a lateral part that finds whose credential an id is (a key's, a command line's or a browser's sign-in), while it
 * holds; no row otherwise. For what must end with the credential that began it.
 */
export function liveCredentialSql(id: string): string {
  return `
    SELECT key.user_id, key.organization_id AS bound_to
    FROM api_keys AS key
    JOIN organization_members AS membership
      ON membership.organization_id = key.organization_id AND membership.user_id = key.user_id
    WHERE key.id = ${id} AND ${isLiveKey}
    UNION ALL SELECT user_id, NULL FROM cli_sessions WHERE id = ${id} AND expires_at > now()
    UNION ALL SELECT user_id, NULL FROM sessions WHERE id = ${id} AND expires_at > now()`;
}

export const findGuest = {
  name: "find_guest",
  text: `
    WITH found AS MATERIALIZED (
      SELECT id, token_hash AS hash, NULL::text AS user_id, false AS is_stale
      FROM guest_tokens WHERE token_hash = $1 AND expires_at > now()
    ), taken AS (${takeSql(buckets.guest, "(SELECT id AS owner FROM found) AS asked")})
    SELECT found.*, taken.allowed, taken.retry_after FROM found, taken`,
};

export const limitSession = {
  name: "limit_session",
  text: `
    WITH by_session AS (${takeSql(buckets.browser, "(SELECT $1::text AS owner) AS asked")}
    ), by_address AS (${takeSql(buckets.browserAddress, "(SELECT $2::text AS owner) AS asked")})
    SELECT ${bothLimits} FROM by_session, by_address`,
};

export const touchKey = {
  name: "touch_api_key",
  text: "UPDATE api_keys SET last_used_at = now() WHERE id = $1",
};

export const touchCliSession = {
  name: "touch_cli_session",
  text: "UPDATE cli_sessions SET last_used_at = now() WHERE id = $1",
};
