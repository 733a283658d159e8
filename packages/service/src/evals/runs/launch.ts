/** @module Launches a run: everything it depends on is read, judged and frozen in the one transaction that makes it. */
import { ApiError, type ApiKeyId, type EvalRunGroupId, limits, type UserId } from "@fettle/contract/core";
import type { EvalRefusal, EvalRunCreateRequest, EvalRunSource } from "@fettle/contract/evals";
import { Secret } from "@fettle/contract/secrets";
import { digestOf, evaluationConfigHash, planOf, weakestClass } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import type { LaunchExpectations } from "../../environments/saved/resolve.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { openModel } from "../../models/open-model.ts";
import { launchRun } from "../../runs/life/life.ts";
import { listCases } from "../suites/case-store.ts";
import { type FrozenRun, freezeCase, type SuiteRow, usualBudgets } from "./frozen.ts";
import { insertPlanned, type PlannedIteration } from "./iteration-store.ts";
import { evalRunKind } from "./kind.ts";
import {
  costOf,
  type KnownModel,
  type KnownModels,
  type LaunchPlan,
  type Priced,
  promptsOf,
} from "./launch-cost.ts";
import { placeOfKeys } from "./launched-keys.ts";
import { playRunJob } from "./play-run.ts";
import { approvalsOf, importEligibilityOf, requireRunnable, selectRows } from "./selected-cases.ts";
import * as store from "./store.ts";
import { resolveTarget, type WantedTarget } from "./target.ts";

/** Who launches, for what, and as what it is told. */
export interface Launcher {
  app: App;
  project: Pick<ProjectContext, "id" | "organizationId">;
  by: { userId: UserId; surface: string; apiKeyId: ApiKeyId | null };
  source: EvalRunSource;
}

export type Knobs = Pick<
  EvalRunCreateRequest,
  | "iterationOverride"
  | "modelOverride"
  | "caseIds"
  | "matchOptionsOverride"
  | "skillsOverride"
  | "notes"
  | "passCriteria"
  | "approvals"
  | "ci"
  | "launcher"
>;

/** One run that is wanted. */
export interface Wanted {
  suite: SuiteRow;
  knobs: Knobs;
  target: WantedTarget;
  groupId?: EvalRunGroupId | undefined;
  groupLabel?: string | undefined;
  idempotencyScope: string | null;
  requestHash: string;
  modelApiKeys?: Record<string, string> | undefined;
}

/** What the launch was decided on; asked again in the transaction that makes the run. */
export interface Draft extends Priced {
  frozen: FrozenRun;
  models: KnownModels;
  expected: LaunchExpectations;
  /** Messages that it would send to models that cost something. */
  paidTurns: number;
}

/** Everything that can be refused is refused here, before anything is written. */
export async function planLaunch({ app, project }: Launcher, wanted: Wanted): Promise<LaunchPlan> {
  const frozen = await app.db.transaction((tx) => freeze(tx, wanted));
  const models = await openModels(app, project, wanted, frozen);
  return { frozen, models, plan: planned(frozen, models), collapsed: isCollapsed(frozen, models) };
}

/** Whether somebody asked for repetitions that would add no evidence. */
function isCollapsed({ cases }: FrozenRun, known: KnownModels): boolean {
  return cases.some(
    ({ models, iterations }) => iterations > 1 && models.some((name) => known.get(name)?.deterministic),
  );
}

function collapsedNotes(frozen: FrozenRun, known: KnownModels): string[] {
  if (!isCollapsed(frozen, known)) return [];
  const names = [...known].flatMap(([name, { deterministic }]) => (deterministic ? [name] : []));
  return names.map((name) => `${name} always does the same, so that each case was played once.`);
}

export async function draftRun(launcher: Launcher, wanted: Wanted): Promise<Draft> {
  const { frozen, models, plan } = await planLaunch(launcher, wanted);
  const { environment } = frozen.target;
  const { app } = launcher;
  return {
    runId: newId("evalRun", app.now()),
    cost: await costOf(app.db, wanted.suite, { frozen, models, plan }),
    frozen,
    models,
    expected: environment ? { revision: environment.resolved.environment.revision } : {},
    paidTurns: plan.reduce(
      (sum, { caseKey, model }) => sum + (isFree(models, model) ? 0 : promptsOf(frozen, caseKey)),
      0,
    ),
  };
}

const isFree = (models: KnownModels, name: string) => models.get(name)?.modelClass === "rules";

export function requireAffordable(drafts: readonly Draft[], most: number): void {
  const turns = drafts.reduce((sum, { paidTurns }) => sum + paidTurns, 0);
  if (turns <= most) return;
  const message = `The launch would send ${turns} messages to models; one may send ${most}.`;
  throw refused("VALIDATION_ERROR", "TOO_MANY_TURNS", message, { turns, limit: most });
}

/** The same launch came at the same moment, and was faster. */
export class LaunchTaken extends Error {}

/** Makes the run, its repetitions and its job, all or nothing. The suite is held by the caller. */
export async function insertLaunched(
  launcher: Launcher,
  tx: Transaction,
  wanted: Wanted,
  draft: Draft,
): Promise<store.RunRow> {
  const { app, project, by, source } = launcher;
  const { suite, knobs } = wanted;
  const frozen = await freeze(tx, wanted, draft.expected);
  const now = app.now();
  const { runId } = draft;
  const plan = planned(frozen, draft.models);
  const used = [...new Set(plan.map(({ model }) => model))].flatMap((name) => draft.models.get(name) ?? []);
  const { target } = frozen;
  const environment = target.environment?.resolved.environment;
  const [onlyModel, another] = used;
  const values: Omit<store.RunValues, "status"> = {
    id: runId,
    projectId: project.id,
    suiteId: suite.id,
    groupId: wanted.groupId ?? null,
    groupLabel: wanted.groupLabel ?? null,
    runNumber: await store.takeRunNumber(tx, suite),
    suiteName: suite.name,
    declaredSuiteId: suite.declaredId,
    source,
    notes: knobs.notes ?? null,
    target: { kind: target.kind, id: target.id, name: target.name, servers: target.servers },
    // Frozen from the environment's row.
    environmentId: (environment?.id ?? null) as store.RunValues["environmentId"],
    environmentName: environment?.name ?? null,
    environmentRevision: environment?.revision ?? null,
    clientId: target.kind === "host" ? (target.id as store.RunValues["clientId"]) : null,
    model: onlyModel && !another ? onlyModel.id : null,
    modelSource: sourceOfModel(frozen, knobs),
    modelClass: weakestClass(used.map(({ modelClass }) => modelClass)),
    repetitionsCollapsed: isCollapsed(frozen, draft.models),
    isPartial: frozen.isPartial === true,
    minimumPassRate: minimumPassRateOf(wanted),
    planned: plan.length,
    evaluationConfigHash: digestOf(frozen.cases.map(configHashOf).sort()),
    ci: knobs.ci ?? null,
    commitSha: knobs.ci?.commitSha ?? null,
    launcher: knobs.launcher ?? null,
    approvals: approvalsOf(knobs.approvals, frozen.cases, by.userId, now),
    importEligibility: importEligibilityOf(knobs.approvals, frozen.cases),
    warnings: [...used.flatMap(({ notice }) => notice ?? []), ...collapsedNotes(frozen, draft.models)],
    surface: by.surface,
    createdBy: by.userId,
    apiKeyId: by.apiKeyId,
    idempotencyScope: wanted.idempotencyScope,
    requestHash: wanted.requestHash,
    createdAt: new Date(now),
  };
  const keys = wanted.modelApiKeys;
  const sealed = keys ? app.vault.seal(new Secret(JSON.stringify(keys)), placeOfKeys(runId)) : null;
  const { id: projectId, organizationId } = project;
  const row = await launchRun(app, tx, evalRunKind, {
    values,
    job: playRunJob,
    input: { projectId, organizationId, runId, userId: by.userId },
    prepare: async (own) => {
      await store.insertSnapshot(own, runId, frozen, sealed);
      await insertPlanned(own, runId, plan);
    },
  });
  if (!row) throw new LaunchTaken();
  return row;
}

export function sourceOfModel({ cases, target }: FrozenRun, { modelOverride }: Knobs) {
  if (modelOverride !== undefined) return "launch";
  const isOwn = cases.some(({ models }) => models.some((name) => name !== target.model));
  return isOwn ? "case" : target.modelSource;
}

/** What a short run takes. */
const waitSeconds = 5;

/** Throws when all the organization's slots are taken. A group takes one. */
export async function takeSlot(launcher: Launcher, tx: Transaction): Promise<void> {
  const most = launcher.app.config.evals.concurrentRuns;
  if ((await store.countUsedSlots(tx, launcher.project.organizationId)) < most) return;
  const code: EvalRefusal = "CONCURRENT_RUN_LIMIT";
  throw new ApiError(
    "RATE_LIMITED",
    `As many eval runs are under way as an organization may have (${most}). Wait for one to end, or cancel it.`,
    { code, reason: code, maxConcurrentRuns: most },
    waitSeconds,
  );
}

async function freeze(
  tx: Transaction,
  wanted: Wanted,
  expected: LaunchExpectations = {},
): Promise<FrozenRun> {
  const { suite, knobs } = wanted;
  const target = await resolveTarget(
    tx,
    suite,
    { ...wanted.target, skillsOverride: knobs.skillsOverride },
    expected,
  );
  const { iterationOverride, matchOptionsOverride, modelOverride } = knobs;
  const minimumPassRate = minimumPassRateOf(wanted);
  const frozenBy = { iterationOverride, matchOptionsOverride, modelOverride, minimumPassRate };
  const all = await listCases(tx, suite.id);
  const rows = selectRows(all, knobs.caseIds);
  const cases = rows.map((row) => freezeCase(row, suite, target, frozenBy));
  requireRunnable(
    cases.map(({ item }) => item),
    knobs.approvals?.caseIds ?? [],
  );
  const { id, name, declaredId } = suite;
  return {
    version: 1,
    suite: { id, name, declaredId },
    cases,
    ...(rows.length < all.filter(({ disabled }) => !disabled).length && { isPartial: true }),
    target,
    judge: suite.settings.judge,
    budgets: usualBudgets,
    concurrency: limits.evals.concurrentIterationsPerRun,
  };
}

function minimumPassRateOf({ suite, knobs }: Wanted): number {
  return knobs.passCriteria?.minimumPassRate ?? suite.settings.minimumAccuracy ?? limits.evals.percent;
}

async function openModels(
  app: App,
  { id: projectId, organizationId }: Launcher["project"],
  { suite, modelApiKeys }: Wanted,
  { cases }: FrozenRun,
): Promise<KnownModels> {
  const names = new Set(cases.flatMap(({ models }) => models));
  if (cases.some(({ models }) => models.length === 0)) {
    throw new ApiError("VALIDATION_ERROR", "The suite names no model.", {
      code: "UNKNOWN_MODEL",
      path: "body.suiteId",
    });
  }
  const known = new Map<string, KnownModel>();
  for (const name of names) {
    const model = await openModel(app, {
      organizationId,
      projectId,
      name,
      source: { kind: "evalRun", id: suite.id },
      ...(modelApiKeys && { oneTimeKeys: modelApiKeys }),
    });
    known.set(name, model);
  }
  return known;
}

/** Case by case, then model, then repetition. Repeating what always does the same adds no evidence. */
function planned({ cases }: FrozenRun, models: KnownModels): PlannedIteration[] {
  let ordinal = 0;
  return cases.flatMap(({ caseId, item, models: names, iterations }) =>
    names.flatMap((name) => {
      const known = models.get(name);
      if (!known) {
        const message = "The suite was changed while the run was being launched. Launch it again.";
        throw new ApiError("CONFLICT", message, { code: "SUITE_CHANGED" });
      }
      return Array.from({ length: known.deterministic ? 1 : iterations }, (_, index) => ({
        id: newId("evalIteration"),
        ordinal: ordinal++,
        caseId,
        caseKey: item.id,
        title: item.title,
        iterationNumber: index + 1,
        model: name,
        provider: known.provider,
      }));
    }),
  );
}

const configHashOf = ({ item, grading }: FrozenRun["cases"][number]) =>
  evaluationConfigHash(planOf(item, grading).definitions);

/** One launch for each key of a person, of a suite; null without a key. */
export function scopeOf({ by }: Launcher, of: { id: string }, key: string | undefined): string | null {
  return key === undefined ? null : digestOf(["evalRun", by.userId, of.id, key]);
}

/** What bears on the result. Notes, and where the launch came from, may differ in a repetition. */
export function requestHashOf(body: Partial<EvalRunCreateRequest> & object): string {
  const {
    notes: _notes,
    ci: _ci,
    launcher: _launcher,
    idempotencyKey: _key,
    modelApiKeys: _keys,
    ...rest
  } = body;
  return digestOf(rest);
}
