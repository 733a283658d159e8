/** @module One kind of limit, the token bucket, and the SQL that takes from it exactly once however many processes ask. */

/** Holds `capacity` tokens; `refill` of them come back every `seconds`. A fixed window is a bucket that refills whole. */
export interface Bucket {
  name: string;
  capacity: number;
  refill: number;
  seconds: number;
}

/** What a take was told. `retryAfter` is whole seconds, at least 1, until a token is there. */
export interface Taken {
  allowed: boolean;
  retryAfter: number;
}

/**
 * The body of a statement (or of a `WITH` part) that takes one token for each row of `from`, which offers an `owner` text.
 * The row is locked before the clock is read, so takes at the same instant are counted one after the other.
 * The numbers come from our own configuration, never from a request, hence text and not parameters.
 */
export function takeSql({ name, capacity, refill, seconds }: Bucket, from: string): string {
  return `
    INSERT INTO rate_limits AS held (id, tokens, refilled_at, allowed)
    SELECT '${name}:' || owner, ${capacity - 1}, clock_timestamp(), true FROM ${from}
    ON CONFLICT (id) DO UPDATE SET (tokens, refilled_at, allowed) = (
      SELECT greatest(filled - 1, 0),
             CASE WHEN filled >= ${capacity} THEN now ELSE since + steps * interval '${seconds} seconds' END,
             filled >= 1
      FROM (SELECT clock_timestamp() AS now) AS clock,
           -- A clock set back must not lock a caller out until it has caught up again.
           LATERAL (SELECT least(held.refilled_at, now) AS since) AS origin,
           LATERAL (SELECT floor(extract(epoch FROM now - since) / ${seconds}) AS steps) AS passed,
           LATERAL (SELECT least(held.tokens + steps * ${refill}, ${capacity}) AS filled) AS refilled
    )
    RETURNING allowed, ${retryAfterSql(seconds)} AS retry_after`;
}

function retryAfterSql(seconds: number): string {
  return `greatest(1, ceil(extract(epoch FROM refilled_at - clock_timestamp()) + ${seconds}))::int`;
}
