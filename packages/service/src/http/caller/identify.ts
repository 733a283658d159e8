/** @module Who is calling: turns a credential into a caller, and takes that caller's rate-limit token in the same round trip. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, type ProjectId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { oneRow } from "../../core/db/one-row.ts";
import { keyBucket, tooManyRequests } from "../../core/limits/limits.ts";
import { networkOf } from "../../core/limits/network.ts";
import type { Caller } from "../../core/routing/bind.ts";
import type { WantedAlong } from "../../core/routing/read-along.ts";
import { readSession } from "../../people/accounts/sign-in/sessions.ts";
import { hashToken, recogniseToken } from "../../people/accounts/tokens.ts";
import type { ProjectTies } from "../../people/projects/standing-sql.ts";
import {
  type BearerRow,
  cliSessionFinding,
  findGuest,
  type KeyRow,
  keyFinding,
  type Limited,
  limitSession,
  type Statement,
  type Tied,
  touchCliSession,
  touchKey,
} from "./credential-sql.ts";

export interface Identified {
  headers: IncomingHttpHeaders;
  ip: string;
}

export interface Identity {
  /** Or `nobody`. */
  caller: Caller;
  /** What the caller is to the project asked about, when that was read along; null when there is no such project. */
  ties?: ProjectTies | null;
  /** The thing in the project, when it was read along. */
  thing?: { found: unknown };
}

/** Throws 401 for a credential that is there and does not hold, 429 when the caller is too fast. */
export type Identify = (
  request: Identified,
  projectId?: ProjectId,
  wanted?: WantedAlong,
) => Promise<Identity>;

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

export function createIdentify(app: App): Identify {
  const { pool, log } = app;
  const findingKey = keyFinding(keyBucket(app.config.limits));

  /** Nobody waits for it, and a call that went well does not fail for it. */
  function touch(statement: Statement, id: string): void {
    const failed = (error: unknown) => log.warn("could not note a credential's last use", { error });
    pool.query({ ...statement, values: [id] }).catch(failed);
  }

  function refuseWhenLimited(row: Limited): void {
    if (row.allowed === false) throw tooManyRequests(row.retry_after ?? 1);
  }

  async function identifyKey(
    key: string,
    projectId: ProjectId | undefined,
    wanted: WantedAlong | undefined,
  ): Promise<Identity> {
    const hash = hashToken(key);
    const { rows } = await pool.query<KeyRow>(
      projectId === undefined
        ? { ...findingKey.alone, values: [hash] }
        : wanted
          ? { ...findingKey.withThing(wanted.reading), values: [hash, projectId, wanted.id] }
          : { ...findingKey.inProject, values: [hash, projectId] },
    );
    const row = rows[0];
    if (!row || !isSameHash(row.key_hash, hash) || !row.is_live) {
      throw unauthorized("This API key is not valid. It may have been revoked.");
    }
    if (row.organization_id === null || !row.is_member) {
      throw unauthorized("This API key belongs to no organization any more.", "ORPHANED_KEY");
    }
    refuseWhenLimited(row);
    if (row.is_stale) touch(touchKey, row.id);
    const caller = {
      kind: "key",
      userId: row.user_id,
      organizationId: row.organization_id,
      keyId: row.id,
    } as const;
    return { caller, ...(projectId !== undefined && { ties: tiesOf(row), ...thingOf(row, wanted) }) };
  }

  async function identifyCliSession(
    token: string,
    ip: string,
    projectId: ProjectId | undefined,
    wanted: WantedAlong | undefined,
  ): Promise<Identity> {
    const row =
      projectId === undefined
        ? await findBearer(cliSessionFinding.alone, token, [ip])
        : wanted
          ? await findBearer(cliSessionFinding.withThing(wanted.reading), token, [ip, projectId, wanted.id])
          : await findBearer(cliSessionFinding.inProject, token, [ip, projectId]);
    if (!row?.user_id) throw unauthorized("This sign-in has ended. Run `fettle cloud login` again.");
    refuseWhenLimited(row);
    if (row.is_stale) touch(touchCliSession, row.id);
    const caller = { kind: "session", userId: row.user_id, sessionId: row.id, via: "cli" } as const;
    return { caller, ...(projectId !== undefined && { ties: tiesOf(row), ...thingOf(row, wanted) }) };
  }

  async function identifyGuest(token: string): Promise<Caller> {
    const row = await findBearer(findGuest, token, []);
    if (!row) throw unauthorized("This guest token is not valid.");
    refuseWhenLimited(row);
    return { kind: "guest", guestId: row.id };
  }

  async function findBearer(statement: Statement, token: string, rest: string[]) {
    const hash = hashToken(token);
    const { rows } = await pool.query<BearerRow>({ ...statement, values: [hash, ...rest] });
    const row = rows[0];
    return row && isSameHash(row.hash, hash) ? row : undefined;
  }

  async function identifyBrowser(request: Identified): Promise<Caller> {
    const session = await readSession(app, request.headers);
    if (!session) return { kind: "nobody" };
    const { rows } = await pool.query<Limited>({
      ...limitSession,
      values: [session.sessionId, addressOf(request)],
    });
    refuseWhenLimited(oneRow(rows));
    return { kind: "session", ...session, via: "browser" };
  }

  return async (request, projectId, wanted) => {
    const bearer = bearerOf(request.headers);
    if (bearer === undefined) return { caller: await identifyBrowser(request) };
    switch (recogniseToken(bearer)) {
      case "apiKey":
        return identifyKey(bearer, projectId, wanted);
      case "cliAccess":
        return identifyCliSession(bearer, addressOf(request), projectId, wanted);
      case "guest":
        return { caller: await identifyGuest(bearer) };
      default:
        throw unauthorized("This credential is not one of ours.");
    }
  };
}

/** The row holds the thing's columns besides its own. */
function thingOf(row: object, wanted: WantedAlong | undefined): Pick<Identity, "thing"> {
  return wanted ? { thing: { found: wanted.reading.read(row as Record<string, unknown>) } } : {};
}

function tiesOf({
  organizationId,
  visibility,
  organizationRole = null,
  grant = null,
}: Tied): ProjectTies | null {
  return organizationId && visibility ? { organizationId, visibility, organizationRole, grant } : null;
}

/** A caller that hung up meanwhile has no address any more; the answer reaches nobody, but the count must not fail. */
function addressOf({ ip }: { ip: string | undefined }): string {
  return networkOf(ip ?? "gone");
}
