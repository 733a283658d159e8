/** @module The rules of suites: how one is made, changed, owned by a file, and deleted. */

import {
  ApiError,
  type EnvironmentId,
  type ExpectedUpdatedAt,
  type Id,
  limits,
  type UserId,
} from "@fettle/contract/core";
import type {
  EvalSuiteCreated,
  EvalSuiteCreateRequest,
  EvalSuiteDetail,
  EvalSuiteEnvironmentAttached,
  EvalSuiteSettings,
  EvalSuiteUpdateRequest,
  FileSuiteSync,
  FileSuiteSynced,
} from "@fettle/contract/evals";
import { predicateSchema } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { requireAsRead } from "../../core/routing/as-read.ts";
import type { ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findHosts, findServers, requireEnvironments } from "../../environments/targets/named.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { addTests } from "./cases.ts";
import { isOfFile, refuseFileOwned } from "./file-owned.ts";
import { requirePinHolds } from "./schedule.ts";
import * as store from "./store.ts";
import { usualSettings, viewSuite } from "./suite-view.ts";
import { nextSuiteUpdate, sharedSuite, touch } from "./touch.ts";

export async function createSuite(
  app: App,
  db: Querier,
  project: Pick<ProjectContext, "id">,
  caller: SignedInCaller,
  request: EvalSuiteCreateRequest,
): Promise<EvalSuiteCreated> {
  return inTransaction(db, async (tx) => {
    const servers = await findServers(tx, project.id, request.serverIds, "body.serverIds");
    const { name, description, model, provider = null, tags = [], passCriteria } = request;
    const suite = await openSuite(app, tx, project, caller, {
      name,
      description: description || null,
      tags,
      serverIds: servers.map((server) => server.id),
      model,
      provider,
      settings: { ...usualSettings, minimumAccuracy: passCriteria?.minimumPassRate ?? null },
    });
    const caseUpsert = await addTests(app, tx, suite, caller.userId, request);
    if (caseUpsert.committed.length === 0) {
      // Thrown inside the transaction, so that no empty suite stays.
      throw new ApiError(
        "VALIDATION_ERROR",
        `No case can be used. The first: ${caseUpsert.failed[0]?.error}`,
        {
          code: caseUpsert.failed[0]?.code,
          path: "body.tests",
          failed: caseUpsert.failed,
        },
      );
    }
    return { suiteId: suite.id, name, servers, caseUpsert };
  });
}

/** Without cases yet; what it names has been looked up. */
export async function openSuite(
  app: App,
  tx: Transaction,
  project: Pick<ProjectContext, "id">,
  caller: SignedInCaller,
  values: Pick<store.SuiteValues, "name" | "serverIds" | "model"> & Partial<store.SuiteValues>,
): Promise<store.SuiteRow> {
  const row = newRow(app, project, caller.userId);
  await store.insertSuite(tx, {
    ...row,
    origin: caller.kind === "session" && caller.via === "browser" ? "app" : "api",
    settings: usualSettings,
    ...values,
  });
  return stillThere(await store.findSuite(tx, project.id, row.id));
}

export async function updateSuite(
  app: App,
  db: Querier,
  found: store.SuiteRow,
  { expectedUpdatedAt, ...change }: EvalSuiteUpdateRequest,
): Promise<EvalSuiteDetail> {
  return inTransaction(db, async (tx) => {
    const suite = await held(tx, found);
    if (isOfFile(change)) refuseFileOwned(suite);
    const updatedAt = nextSuiteUpdate(app, suite, expectedUpdatedAt);
    const { name, description, tags, environment, environmentIds, executionConfig, hosts, settings } = change;
    const servers =
      environment?.servers &&
      (await findServers(tx, suite.projectId, environment.servers, "body.environment.servers"));
    if (environmentIds !== undefined) await setEnvironments(tx, suite, environmentIds ?? []);
    if (hosts) await store.setHosts(tx, suite.id, await findHosts(tx, suite.projectId, hosts));
    await store.changeSuite(tx, suite.id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description || null }),
      ...(tags && { tags }),
      ...(servers && { serverIds: servers.map(({ id }) => id) }),
      ...(environment?.computerEnvironment !== undefined && {
        // Any text is taken: images are looked up when a run needs one.
        sandboxImageId: environment.computerEnvironment as Id<"sandboxImage"> | null,
      }),
      ...executionConfig,
      ...(settings && { settings: merged(suite.settings, settings) }),
      updatedAt,
    });
    return told(app, tx, suite);
  });
}

function merged(
  before: EvalSuiteSettings,
  { judge, checks, ...change }: NonNullable<EvalSuiteUpdateRequest["settings"]>,
): EvalSuiteSettings {
  const list = readChecks(checks ?? [], "body.settings.checks");
  return {
    ...before,
    ...change,
    ...(checks !== undefined && { checks: list }),
    judge: { ...before.judge, ...judge },
  };
}

/** As the engine reads them; refused at the first that it does not. */
export function readChecks(checks: readonly unknown[], at: string) {
  const list = z.array(predicateSchema).safeParse(checks);
  if (list.success) return list.data;
  const [issue] = list.error.issues;
  const path = [at, ...(issue?.path ?? [])].join(".");
  throw new ApiError("VALIDATION_ERROR", `${path}: ${issue?.message}`, { path });
}

async function setEnvironments(
  tx: Transaction,
  suite: store.SuiteRow,
  ids: readonly EnvironmentId[],
): Promise<void> {
  await requireEnvironments(tx, suite.projectId, ids, "body.environmentIds");
  await requirePinHolds(tx, suite.id, ids);
  await store.setEnvironments(tx, suite.id, ids);
}

/** At the end, and once: two callers who attach the same at once both find it attached. */
export async function attachEnvironment(
  app: App,
  db: Querier,
  found: store.SuiteRow,
  environmentId: EnvironmentId,
): Promise<EvalSuiteEnvironmentAttached> {
  return inTransaction(db, async (tx) => {
    const suite = await held(tx, found);
    const before = await store.listEnvironmentIds(tx, suite.id);
    if (before.includes(environmentId)) {
      return { suiteId: suite.id, attached: false, environmentIds: before };
    }
    const environmentIds = [...before, environmentId];
    await requireEnvironments(tx, suite.projectId, [environmentId], "body.environmentId");
    const most = limits.evals.environmentsPerSuite;
    if (environmentIds.length > most) {
      const message = `A suite has at most ${most} environments.`;
      throw refused("VALIDATION_ERROR", "ENVIRONMENT_LIMIT", message, { limit: most });
    }
    await requirePinHolds(tx, suite.id, environmentIds);
    await store.setEnvironments(tx, suite.id, environmentIds);
    await touch(app, tx, suite);
    return { suiteId: suite.id, attached: true, environmentIds };
  });
}

/** The suite that a file declares, made at the first call. A suite of the app has no declared id, so no file finds it. */
export async function syncFileSuite(
  app: App,
  db: Querier,
  project: Pick<ProjectContext, "id">,
  userId: UserId,
  file: FileSuiteSync,
): Promise<FileSuiteSynced> {
  const bound = new Map(
    file.environment.serverBindings?.map(({ serverName, projectServerId }) => [serverName, projectServerId]),
  );
  return inTransaction(db, async (tx) => {
    const wanted = file.environment.servers.map((name) => bound.get(name) ?? name);
    const servers = await findServers(tx, project.id, wanted, "body.environment.servers");
    const { modelId, provider, systemPrompt, temperature, modelSource } = file.defaultConfig;
    const said = {
      name: file.name,
      description: file.description || null,
      sourceHash: file.sourceHash,
      provenance: file.provenance ?? null,
      serverIds: servers.map(({ id }) => id),
      model: modelId,
      // What the file leaves out is unset, also where it once said something.
      provider: provider ?? null,
      systemPrompt: systemPrompt ?? null,
      temperature: temperature ?? null,
    };
    const judged = { minimumAccuracy: file.defaultPassCriteria.minimumPassRate, modelSource };
    const { id, created } = await store.ensureDeclared(tx, {
      ...newRow(app, project, userId),
      ...said,
      origin: "file",
      declaredId: file.declaredSuiteId,
      settings: { ...usualSettings, ...judged },
    });
    const suite = stillThere(await store.lockSuite(tx, id));
    await store.changeSuite(tx, id, {
      ...said,
      settings: { ...suite.settings, ...judged },
      updatedAt: new Date(app.now()),
    });
    return { created, suite: await told(app, tx, suite) };
  });
}

/** With its cases and runs, for good. */
export async function deleteSuite(
  app: App,
  db: Querier,
  { isAdmin }: Pick<ProjectContext, "isAdmin">,
  userId: UserId,
  found: store.SuiteRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: string; projectId: string; deleted: true }> {
  if (!isAdmin && found.createdBy !== userId) {
    throw new ApiError("FORBIDDEN", "Whoever made the suite may delete it, and the project's admins.", {
      reason: "role_too_low",
      requiredRole: "manage",
    });
  }
  return inTransaction(db, async (tx) => {
    const suite = await held(tx, found);
    requireAsRead(suite, expectedUpdatedAt, sharedSuite);
    if (await store.hasOpenRun(tx, suite.id)) {
      throw refused("CONFLICT", "RUN_IN_PROGRESS", "A run of the suite has not ended: cancel it first.");
    }
    await store.deleteSuite(tx, suite.id);
    await announceInProject(app, tx, suite.projectId, "eval-suites");
    await announceInProject(app, tx, suite.projectId, "eval-runs");
    return { id: suite.id, projectId: suite.projectId, deleted: true };
  });
}

async function held(tx: Transaction, { id }: store.SuiteRow): Promise<store.SuiteRow> {
  const row = await store.lockSuite(tx, id);
  if (!row) throw notFound("evalSuite");
  return row;
}

async function told(app: App, tx: Transaction, { id, projectId }: store.SuiteRow): Promise<EvalSuiteDetail> {
  await announceInProject(app, tx, projectId, "eval-suites");
  return viewSuite(tx, stillThere(await store.findSuite(tx, projectId, id)));
}

function newRow(app: App, { id: projectId }: Pick<ProjectContext, "id">, createdBy: UserId) {
  const now = new Date(app.now());
  return { id: newId("evalSuite", app.now()), projectId, createdBy, createdAt: now, updatedAt: now };
}
