/** @module Adds entries to the audit log. Names are taken as they are now; of what was sent only the names of fields, and a few words that are no secret. */
import {
  idOf,
  type OperationDeclaration,
  type OrganizationId,
  type ProjectId,
  type UserId,
} from "@fettle/contract/core";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { Call } from "../../core/routing/bind.ts";
import type { Place } from "../../core/routing/held-role.ts";
import { organizationMembers, users } from "../../core/tables/accounts.ts";
import { auditEntries } from "../../core/tables/audit.ts";
import { plugins } from "../../core/tables/plugins.ts";
import { projects } from "../../core/tables/projects.ts";

type Entry = Omit<typeof auditEntries.$inferInsert, "id" | "organizationId" | "userName">;

/** In one organization; or, for what a person does to their own account, in each they belong to. */
async function write(
  app: Pick<App, "now">,
  db: Querier,
  organizationId: OrganizationId | undefined,
  entry: Entry,
  /** Whose organizations these are. */
  ofUser = entry.userId,
): Promise<void> {
  const [person] = entry.userId
    ? await db.select({ name: users.name }).from(users).where(eq(users.id, entry.userId))
    : [];
  const memberships =
    organizationId === undefined
      ? await db
          .select({ id: organizationMembers.organizationId })
          .from(organizationMembers)
          .where(ofUser ? eq(organizationMembers.userId, ofUser) : sql`false`)
      : [{ id: organizationId }];
  const rows = memberships.map(({ id }) => ({
    ...entry,
    id: newId("auditEntry", app.now()),
    organizationId: id,
    userName: person?.name ?? null,
  }));
  if (rows.length > 0) await db.insert(auditEntries).values(rows);
}

export async function recordSignIn(
  app: Pick<App, "now">,
  db: Querier,
  { userId, ipAddress }: { userId: UserId; ipAddress: string },
): Promise<void> {
  const at = new Date(app.now());
  await write(app, db, undefined, { at, action: "signIn", userId, way: "browser", ipAddress });
}

/** Somebody who did not know this person's password: who it was is not known. */
export async function recordFailedSignIn(
  app: Pick<App, "now">,
  db: Querier,
  { person, ipAddress }: { person: { id: UserId; email: string }; ipAddress: string },
): Promise<void> {
  const at = new Date(app.now());
  const about = { targetId: person.id, targetName: person.email };
  await write(
    app,
    db,
    undefined,
    { at, action: "signInFailed", userId: null, way: "browser", ipAddress, ...about },
    person.id,
  );
}

/** What an operator did to this person's account on the machine itself. */
export async function recordAdmin(
  app: Pick<App, "now">,
  db: Querier,
  action: "adminSignInLink" | "adminSignOut",
  person: { id: UserId; email: string },
  fields: readonly string[],
): Promise<void> {
  const at = new Date(app.now());
  const about = { targetId: person.id, targetName: person.email, fields: [...fields] };
  await write(app, db, undefined, { at, action, userId: null, way: "operator", ...about }, person.id);
}

const Named = z.object({
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
});
const named = (value: unknown) => Named.catch({}).parse(value);

/** Fields whose values are words of ours, or whom it was about. */
const plainFields = ["role", "email", "enabled", "visibility", "mode"];
const longestWord = 320;

function detailOf(body: unknown): Record<string, string> {
  const entries = Object.entries(fieldsOf(body)).flatMap(([name, value]) =>
    plainFields.includes(name) && (typeof value === "string" || typeof value === "boolean")
      ? [[name, String(value).slice(0, longestWord)]]
      : [],
  );
  return Object.fromEntries(entries);
}

const fieldsOf = (body: unknown) => z.record(z.string(), z.unknown()).catch({}).parse(body);

/** The organization and project of a call: those of its path, or those that its answer or its body names. */
async function placeOf(
  db: Querier,
  operation: OperationDeclaration,
  call: Call<OperationDeclaration>,
  output: unknown,
): Promise<{ organizationId?: OrganizationId; projectId?: ProjectId }> {
  // Wider than the declaration's own types: here all operations are alike.
  const { project, organization } = call as Place;
  if (organization) return { organizationId: organization.id };
  if (project) return { organizationId: project.organizationId, projectId: project.id };
  const said = Said.catch({}).parse({ ...fieldsOf(call.body), ...fieldsOf(output) });
  if (said.organizationId !== undefined) return { organizationId: said.organizationId };
  if (operation.id === "createOrganization")
    return { organizationId: idOf<"organization">().parse(named(output).id) };
  if (said.projectId === undefined) return {};
  const { projectId } = said;
  const [row] = await db
    .select({ organizationId: projects.organizationId })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row ? { ...row, projectId } : {};
}

/** A version of a plugin has no name of its own. */
async function pluginName(db: Querier, output: unknown): Promise<string | null> {
  const { pluginId } = OfPlugin.catch({}).parse(output);
  if (pluginId === undefined) return null;
  const [row] = await db.select({ name: plugins.name }).from(plugins).where(eq(plugins.id, pluginId));
  return row?.name ?? null;
}

const OfPlugin = z.object({ pluginId: idOf<"plugin">().optional().catch(undefined) });

const Said = z.object({
  organizationId: idOf<"organization">().optional().catch(undefined),
  projectId: idOf<"project">().optional().catch(undefined),
});

/** What a call did, once it has: with the transaction that keeps its effect, where there is one. */
export async function recordCall(
  operation: OperationDeclaration,
  call: Call<OperationDeclaration>,
  found: unknown,
  output: unknown,
): Promise<void> {
  const { app, db, caller, request } = call;
  if (caller.kind !== "key" && caller.kind !== "session") return;
  const { organizationId, projectId = null } = await placeOf(db, operation, call, output);
  const { projectId: ofPath, organizationId: _, ...params } = call.params as Record<string, string>;
  const made = named(output);
  const what = {
    targetId: Object.values(params).at(-1) ?? made.id ?? ofPath ?? null,
    targetName: named(found).name ?? made.name ?? named(call.body).name ?? (await pluginName(db, output)),
    detail: detailOf(call.body),
  };
  await write(app, db, organizationId, {
    at: new Date(app.now()),
    action: operation.id,
    userId: caller.userId,
    way: caller.kind === "key" ? "key" : caller.via,
    keyId: caller.kind === "key" ? caller.keyId : null,
    ipAddress: request.ip,
    projectId,
    fields: Object.keys(fieldsOf(call.body)),
    // What is written into every organization of a person names nothing of any.
    ...(organizationId !== undefined && what),
  });
}
