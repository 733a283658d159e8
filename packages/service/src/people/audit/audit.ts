/** @module Reading the audit log, and removing what is older than the operator keeps. */
import { isKeyOf, type OrganizationId } from "@fettle/contract/core";
import type { AuditEntry, AuditPage, AuditQuery } from "@fettle/contract/notices";
import { operationTable } from "@fettle/contract/operations";
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { placeById } from "../../core/db/keyset.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { cutPage, readCursor } from "../../core/routing/page.ts";
import { auditEntries } from "../../core/tables/audit.ts";

export async function listAuditLog(
  app: App,
  organizationId: OrganizationId,
  { action, userId, projectId, since, until, cursor, limit }: AuditQuery,
): Promise<AuditPage> {
  const { id, at } = auditEntries;
  const before = cursor === undefined ? undefined : readCursor(cursor, ["id"])[0];
  const rows = await app.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        action === undefined ? undefined : eq(auditEntries.action, action),
        userId && eq(auditEntries.userId, userId),
        projectId && eq(auditEntries.projectId, projectId),
        since === undefined ? undefined : gte(at, new Date(since)),
        until === undefined ? undefined : lt(at, new Date(until)),
        // A place in the order of ids: whether it is still anybody's does not matter.
        before === undefined ? undefined : lt(placeById(id), before),
      ),
    )
    .orderBy(desc(placeById(id)))
    .limit(limit + 1);
  const { shown, next } = cutPage(rows, limit, (last) => last.id);
  return {
    items: shown.map(toEntry),
    keptDays: app.config.auditDays,
    ...next,
  };
}

type Row = typeof auditEntries.$inferSelect;

function toEntry({ organizationId: _, at, userId, userName, action, ...row }: Row): AuditEntry {
  return {
    ...row,
    at: at.getTime(),
    action,
    what: wordsOf(action),
    by: userId === null ? null : { userId, name: userName ?? "" },
  };
}

/** What is no operation of the API. */
const otherWords: Record<string, string> = {
  signIn: "Sign in",
  signInFailed: "Try to sign in, with a wrong password",
  adminSignInLink: "Make a link that signs in (fettle admin)",
  adminSignOut: "Sign out everywhere (fettle admin)",
};

const wordsOf = (action: string): string =>
  otherWords[action] ?? (isKeyOf(operationTable, action) ? operationTable[action].summary : action);

const dayMs = 24 * 60 * 60 * 1_000;

export const pruneAuditJob = defineJob({
  name: "audit.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "37 * * * *", input: {} },
  run: async ({ app }) => pruneAudit(app),
});

export async function pruneAudit({ db, now, config }: Pick<App, "db" | "now" | "config">): Promise<void> {
  await db.delete(auditEntries).where(lt(auditEntries.at, new Date(now() - config.auditDays * dayMs)));
}
