/** @module Checks a commit: launches its run, and tells the code host how it stands, again whenever that changes. */

import { ApiError, type EvalRunId } from "@fettle/contract/core";
import { digestOf } from "@fettle/evals";
import { and, eq, gt, isNull, lt, ne, or } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { CodeHostConfig } from "../../core/config/config.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { missing } from "../../core/routing/not-found.ts";
import { evalCheckRepos, evalCheckRuns } from "../../core/tables/eval-elsewhere.ts";
import { findProject } from "../../http/caller/access.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { createRun } from "../runs/create-run.ts";
import { readGate } from "../runs/gate.ts";
import { pageOfRun } from "../runs/run-view.ts";
import { findRun } from "../runs/store.ts";
import { findSuite } from "../suites/store.ts";
import { type CheckState, openCodeHost } from "./code-host.ts";
import { stateOf } from "./conclusion.ts";

export const checkCommitJob = defineJob({
  name: "evals.check-commit",
  input: z.object({ checkId: z.number() }),
  // All slots may be taken for a while; after that it is an outage.
  retry: { attempts: 8, delayMs: 2_000 },
  timeoutMs: 60_000,
  run: async ({ app, input }) => {
    const found = await findCheck(app, input.checkId);
    if (!found) return;
    if (found.check.runId === null && found.check.error === null) await launch(app, found);
    await tell(app, input.checkId);
  },
});

export const tellChecksJob = defineJob({
  name: "evals.tell-checks",
  input: z.object({}),
  retry: { attempts: 2, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => tellChecks(app),
});

/** As long as a waiver may hold, since its end makes a check fail again. */
const watchedMs = 31 * 24 * 60 * 60 * 1000;
const mostFailures = 30;
const atOnce = 200;

export async function tellChecks(app: App): Promise<void> {
  if (!app.config.codeHost) return;
  const since = new Date(app.now() - watchedMs);
  const rows = await app.db
    .select({ id: evalCheckRuns.id })
    .from(evalCheckRuns)
    .where(and(gt(evalCheckRuns.createdAt, since), lt(evalCheckRuns.failures, mostFailures)))
    .orderBy(evalCheckRuns.updatedAt)
    .limit(atOnce);
  for (const { id } of rows) {
    await tell(app, id).catch((error: unknown) => app.log.warn("a check could not be told", { error }));
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findCheck>>>;

async function findCheck(app: App, id: number) {
  const [found] = await app.db
    .select({ check: evalCheckRuns, repo: evalCheckRepos })
    .from(evalCheckRuns)
    .innerJoin(evalCheckRepos, eq(evalCheckRepos.id, evalCheckRuns.repoId))
    .where(eq(evalCheckRuns.id, id));
  return found;
}

/** As whoever connected the repository, with the rights of now. Nobody is there to approve anything. */
async function launch(app: App, { check, repo }: Found): Promise<void> {
  const change = await launched(app, { check, repo }).then(
    (runId) => ({ runId }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      // Slots come free; anything else stays as it is.
      if (error.code === "RATE_LIMITED" && check.failures < mostFailures) throw error;
      return { error: error.message };
    },
  );
  const unlaunched = and(eq(evalCheckRuns.id, check.id), isNull(evalCheckRuns.runId));
  await app.db.update(evalCheckRuns).set(change).where(unlaunched);
}

async function launched(app: App, { check, repo }: Found): Promise<EvalRunId> {
  const { createdBy, projectId, suiteId, organizationId } = repo;
  if (createdBy === null) throw new ApiError("FORBIDDEN", "Whoever connected the repository is gone.");
  const project = await findProject(app.pool, { userId: createdBy, boundTo: organizationId }, projectId);
  const suite = await findSuite(app.db, projectId, suiteId);
  if (!suite) throw missing("The suite is gone.", "Choose another suite, or turn this off.");
  const { headSha, branch, pullRequest } = check;
  const ci = {
    provider: "github",
    commitSha: headSha,
    pullRequest: String(pullRequest),
    ...(branch !== null && { branch }),
  };
  const launcher = {
    app,
    project,
    by: { userId: createdBy, surface: "check", apiKeyId: null },
    source: "check" as const,
  };
  const idempotencyScope = digestOf(["evalCheck", repo.id, headSha]);
  const { runId } = await createRun(launcher, suite, { suiteId, ci }, { idempotencyScope }, "");
  // Made a moment ago.
  return runId as EvalRunId;
}

/** One at a time for each check: two that both found none would make two, and one of them would never end. */
async function tell(app: App, id: number): Promise<void> {
  const { codeHost } = app.config;
  if (!codeHost) return;
  await app.db.transaction(async (tx) => {
    await holdNameLock(tx, `eval check ${id}`);
    await tellHeld(app, codeHost, id);
  });
}

/** Says nothing where nothing has changed. */
async function tellHeld(app: App, codeHost: CodeHostConfig, id: number): Promise<void> {
  const found = await findCheck(app, id);
  if (!found) return;
  const { check, repo } = found;
  const state = await stateNow(app, found);
  const told = JSON.stringify(state);
  if (told === check.told) return;
  const at = new Date(app.now());
  try {
    using host = openCodeHost(codeHost);
    const externalId = check.externalId ?? (await host.createCheck(repo.repo, check.headSha, state));
    if (check.externalId !== null) await host.updateCheck(repo.repo, externalId, state);
    const isOlder = and(
      eq(evalCheckRuns.id, id),
      or(isNull(evalCheckRuns.told), ne(evalCheckRuns.told, told)),
    );
    await app.db.update(evalCheckRuns).set({ externalId, told, failures: 0, updatedAt: at }).where(isOlder);
  } catch (error) {
    const failures = check.failures + 1;
    await app.db.update(evalCheckRuns).set({ failures, updatedAt: at }).where(eq(evalCheckRuns.id, id));
    throw error;
  }
}

async function stateNow(app: App, { check, repo }: Found): Promise<CheckState> {
  const run = check.runId === null ? undefined : await findRun(app.db, repo.projectId, check.runId);
  const origin = ownOrigin(app.config);
  const detailsUrl = run
    ? pageOfRun(origin, run)
    : `${origin}/evals/suite/${repo.suiteId}?project=${repo.projectId}`;
  const gate = run && (await readGate(app, run));
  return stateOf({ run, gate, error: check.error, outagePolicy: repo.outagePolicy, detailsUrl });
}
