/** @module The rules of environments: their lifecycle, and a revision that every writer must have read. */

import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import type {
  AdhocEnvironment,
  AdhocEnvironmentRequest,
  Environment,
  EnvironmentCreateRequest,
  EnvironmentNameRequest,
  EnvironmentUpdateRequest,
  ExpectedRevision,
} from "@fettle/contract/environments";
import { must } from "@fettle/contract/formats";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId, type WithId } from "../../core/id.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { isInstalled } from "../../core/tables/plugins.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { authorOf } from "../../people/accounts/author.ts";
import { requirePinnable } from "./pins.ts";
import * as store from "./store.ts";

export async function listEnvironments(
  db: Querier,
  projectId: ProjectId,
  includeArchived: boolean,
): Promise<Environment[]> {
  return (await store.listNamed(db, projectId, includeArchived)).map(toNamed);
}

export async function createEnvironment(
  app: App,
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  request: EnvironmentCreateRequest,
): Promise<WithId<"environment", Environment>> {
  const { name, description, ...stack } = request;
  return refusingTakenName(name, () =>
    inTransaction(db, async (tx) => {
      const columns = toColumns(stack);
      await requirePinnable(tx, projectId, columns);
      const row = await store.insertEnvironment(tx, {
        ...newRow(app, projectId, userId),
        ...columns,
        hostId: stack.hostId,
        name,
        description: description || null,
      });
      await announceInProject(app, tx, projectId, "environments");
      return toNamed(row);
    }),
  );
}

export async function updateEnvironment(
  app: App,
  db: Querier,
  userId: UserId,
  environment: store.EnvironmentRow,
  request: EnvironmentUpdateRequest,
): Promise<Environment> {
  const { expectedRevision, name, description, ...stack } = request;
  return refusingTakenName(name ?? environment.name ?? "", () =>
    inTransaction(db, async (tx) => {
      // The state is looked at before the pins: nobody should mend a pin of something that cannot be edited.
      await requireState(tx, environment, expectedRevision, "live");
      const columns = toColumns(stack);
      await requirePinnable(tx, environment.projectId, columns);
      return change(app, tx, userId, environment, expectedRevision, "live", {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: description || null }),
        ...columns,
      });
    }),
  );
}

export async function archiveEnvironment(
  app: App,
  db: Querier,
  userId: UserId,
  environment: store.EnvironmentRow,
  expectedRevision: ExpectedRevision,
): Promise<Environment> {
  return inTransaction(db, (tx) =>
    change(app, tx, userId, environment, expectedRevision, "live", { archivedAt: new Date(app.now()) }),
  );
}

/**
 * Pins of plugin versions that are gone for good are dropped: an uninstalled plugin never comes back, a new upload is
 * another plugin. Whatever else is amiss, resolving says.
 */
export async function restoreEnvironment(
  app: App,
  db: Querier,
  userId: UserId,
  environment: store.EnvironmentRow,
  expectedRevision: ExpectedRevision,
): Promise<Environment> {
  const { projectId, name, pluginVersionIds } = environment;
  return refusingTakenName(name ?? "", () =>
    inTransaction(db, async (tx) => {
      const known = await store.findPluginVersions(tx, projectId, pluginVersionIds ?? []);
      const installed = new Set(
        known.filter(({ plugin }) => isInstalled(plugin)).map(({ version }) => version.id),
      );
      const remaining = pluginVersionIds?.filter((id) => installed.has(id));
      return change(app, tx, userId, environment, expectedRevision, "archived", {
        archivedAt: null,
        pluginVersionIds: remaining?.length ? remaining : null,
      });
    }),
  );
}

/** The same stack is the same environment, whoever asks and however often, also from several processes at once. */
export async function ensureAdhoc(
  app: App,
  db: Querier,
  project: Pick<ProjectContext, "id" | "isAdmin">,
  userId: UserId,
  request: AdhocEnvironmentRequest,
): Promise<{ environment: AdhocEnvironment; created: boolean }> {
  if (request.pluginVersionIds && !project.isAdmin) {
    throw new ApiError("FORBIDDEN", "Pinning plugin versions needs the role admin in the project.", {
      reason: "role_too_low",
      requiredRole: "admin",
    });
  }
  const columns = toColumns(request);
  const fingerprint = fingerprintOf(request);
  return inTransaction(db, async (tx) => {
    await requirePinnable(tx, project.id, columns);
    const made = await store.insertAdhoc(tx, {
      ...newRow(app, project.id, userId),
      ...columns,
      hostId: request.hostId,
      fingerprint,
    });
    const row = made ?? (await store.findAdhoc(tx, project.id, fingerprint));
    // Named between the two statements: the stack is free again, so the caller may ask anew.
    if (!row) throw conflict("ENV_REVISION_CONFLICT", "The environment was just given a name. Ask again.");
    return { environment: toAdhoc(row), created: made !== undefined };
  });
}

export async function nameEnvironment(
  app: App,
  db: Querier,
  userId: UserId,
  environment: store.EnvironmentRow,
  request: EnvironmentNameRequest,
): Promise<Environment> {
  const { expectedRevision, name, description } = request;
  return refusingTakenName(name, () =>
    inTransaction(db, (tx) =>
      change(app, tx, userId, environment, expectedRevision, "adhoc", {
        name,
        ...(description !== undefined && { description: description || null }),
        fingerprint: null,
      }),
    ),
  );
}

export function toEnvironment(row: store.EnvironmentRow): Environment | AdhocEnvironment {
  return row.name === null ? toAdhoc(row) : toNamed(row);
}

/** Writes at the expected revision; when that is no longer possible, says why. */
async function change(
  app: App,
  tx: Transaction,
  userId: UserId,
  { id, projectId }: store.EnvironmentRow,
  expectedRevision: ExpectedRevision,
  state: keyof typeof store.states,
  values: Partial<store.EnvironmentValues>,
): Promise<Environment> {
  const row = await store.changeAtRevision(tx, id, expectedRevision, state, {
    ...values,
    updatedAt: new Date(app.now()),
    updatedBy: userId,
  });
  if (!row) {
    const current = await store.findEnvironment(tx, projectId, id);
    if (!current) throw notFound("environment");
    throw refusalOf(current, expectedRevision, state) ?? staleRevision(current);
  }
  await announceInProject(app, tx, projectId, "environments");
  return toNamed(row);
}

async function requireState(
  tx: Transaction,
  { id, projectId }: store.EnvironmentRow,
  expectedRevision: ExpectedRevision,
  state: keyof typeof store.states,
): Promise<void> {
  const current = await store.findEnvironment(tx, projectId, id);
  if (!current) throw notFound("environment");
  const refusal = refusalOf(current, expectedRevision, state);
  if (refusal) throw refusal;
}

/** Why a change may not start from here; the state comes first, because reading again would not mend it. */
function refusalOf(
  current: store.EnvironmentRow,
  expectedRevision: ExpectedRevision,
  state: keyof typeof store.states,
): ApiError | undefined {
  const details = { currentRevision: current.revision };
  if (state === "adhoc" && current.name !== null) {
    return conflict("ENV_ALREADY_NAMED", `It is already called ${JSON.stringify(current.name)}.`, details);
  }
  if (state === "live" && current.name === null) {
    return conflict(
      "ENV_ADHOC",
      "An ad-hoc environment is what its content is. Give it a name first.",
      details,
    );
  }
  if (state === "live" && current.archivedAt) return conflict("ENV_ARCHIVED", "It is archived.", details);
  if (state === "archived" && !current.archivedAt) {
    return conflict("ENV_NOT_ARCHIVED", "It is not archived.", details);
  }
  return expectedRevision === "*" || current.revision === expectedRevision
    ? undefined
    : staleRevision(current);
}

function staleRevision({ revision }: store.EnvironmentRow): ApiError {
  const message = `It is at revision ${revision} by now. Read it again.`;
  return conflict("ENV_REVISION_CONFLICT", message, { currentRevision: revision });
}

function conflict(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("CONFLICT", message, { code, ...details });
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, "environments_name")) throw error;
    throw conflict("NAME_TAKEN", `Another live environment is called ${JSON.stringify(name)}.`, { name });
  }
}

type Stack = Omit<EnvironmentUpdateRequest, "expectedRevision" | "name" | "description">;

/** Only what was sent, so that an update leaves the rest alone. */
function toColumns({ skillSelection, ...columns }: Stack) {
  const sent = skillSelection === undefined ? {} : { skillIds: skillSelection?.skillIds ?? null };
  return { ...columns, ...sent };
}

function fingerprintOf(stack: AdhocEnvironmentRequest): string {
  return digestOf({
    hostId: stack.hostId,
    serverAttachmentId: stack.serverAttachmentId,
    modelId: stack.modelId,
    skillIds: stack.skillSelection?.skillIds.toSorted(),
    pluginVersionIds: stack.pluginVersionIds?.toSorted(),
    sandboxImageId: stack.sandboxImageId,
  });
}

function newRow(app: App, projectId: ProjectId, userId: UserId) {
  const now = new Date(app.now());
  const id = newId("environment", app.now());
  return { id, projectId, createdBy: userId, updatedBy: userId, createdAt: now, updatedAt: now };
}

function toNamed(row: store.EnvironmentRow): WithId<"environment", Environment> {
  return { ...sharedFields(row), name: must(row.name, "the name of a saved environment") };
}

function toAdhoc(row: store.EnvironmentRow): WithId<"environment", AdhocEnvironment> {
  return { ...sharedFields(row), name: null, adhoc: true };
}

function sharedFields(row: store.EnvironmentRow) {
  return {
    id: row.id,
    projectId: row.projectId,
    ...(row.description !== null && { description: row.description }),
    hostId: row.hostId,
    ...(row.serverAttachmentId !== null && { serverAttachmentId: row.serverAttachmentId }),
    ...(row.modelId !== null && { modelId: row.modelId }),
    ...(row.skillIds && { skillSelection: { mode: "explicit" as const, skillIds: row.skillIds } }),
    ...(row.pluginVersionIds && { pluginVersionIds: row.pluginVersionIds }),
    ...(row.sandboxImageId !== null && { sandboxImageId: row.sandboxImageId }),
    revision: row.revision,
    archived: row.archivedAt !== null,
    ...(row.archivedAt && { archivedAt: row.archivedAt.getTime() }),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    updatedBy: authorOf(row),
  };
}
