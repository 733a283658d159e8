/** @module A suite with cases, as the tables hold it, for tests of what runs it. */
import type { EvalSuiteId, ServerId } from "@fettle/contract/core";
import { eq } from "drizzle-orm";
import type { App } from "../core/app.ts";
import { newId } from "../core/id.ts";
import { evalRuns } from "../core/tables/eval-runs.ts";
import { type CaseDefinition, evalCases, evalSuites } from "../core/tables/eval-suites.ts";
import { createWaiver } from "../evals/runs/gate.ts";
import { draftRun, insertLaunched, type Launcher } from "../evals/runs/launch.ts";
import { listIterations } from "../evals/runs/reads.ts";
import { findRun } from "../evals/runs/store.ts";
import { findSuite } from "../evals/suites/store.ts";
import { usualSettings } from "../evals/suites/suite-view.ts";
import { createServer } from "../servers/saved/servers.ts";
import type { World } from "./world.ts";

export interface CaseWanted extends Partial<CaseDefinition> {
  id: string;
  title?: string;
  disabled?: boolean;
}

/** Asks the bookshop, and expects one call. */
export function askCase(
  id: string,
  prompt: string,
  toolName: string,
  over: Partial<CaseWanted> = {},
): CaseWanted {
  return {
    id,
    steps: [
      { id: "ask", kind: "prompt", prompt },
      { id: "called", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName } },
    ],
    ...over,
  };
}

export async function saveServer(
  { projectId, people }: World,
  app: App,
  url: string,
): Promise<{ id: ServerId; name: string }> {
  const wanted = { name: newId("server"), enabled: true, transportType: "http", url } as const;
  return createServer(app, app.db, projectId, people.owner.userId, wanted);
}

export async function saveSuite(
  { projectId, people }: World,
  app: App,
  wanted: Partial<typeof evalSuites.$inferInsert> & { cases: CaseWanted[] },
) {
  const { cases, ...over } = wanted;
  const id = newId("evalSuite");
  const now = new Date();
  await app.db.insert(evalSuites).values({
    id,
    projectId,
    name: "Bookshop",
    origin: "api",
    model: "fettle/rules-1",
    settings: usualSettings,
    createdBy: people.owner.userId,
    createdAt: now,
    updatedAt: now,
    ...over,
  });
  await app.db.insert(evalCases).values(
    cases.map(({ id: declaredId, title = declaredId, disabled = false, ...definition }, position) => ({
      id: newId("evalCase"),
      suiteId: id,
      declaredId,
      position,
      title,
      disabled,
      definition: { steps: [], iterations: 1, isNegative: false, models: [], ...definition },
      contentHash: declaredId,
      createdAt: now,
      updatedAt: now,
    })),
  );
  return id;
}

/** A run that nobody plays yet, beyond what the organization may have under way. */
export async function launchRun(
  { projectId, organizationId, people }: World,
  app: App,
  suiteId: EvalSuiteId,
) {
  const suite = (await findSuite(app.db, projectId, suiteId))!;
  const launcher: Launcher = {
    app,
    project: { id: projectId, organizationId },
    by: { userId: people.owner.userId, surface: "cli", apiKeyId: null },
    source: "api",
  };
  const wanted = { suite, knobs: {}, target: {}, idempotencyScope: null, requestHash: "none" };
  const draft = await draftRun(launcher, wanted);
  const run = await app.db.transaction((tx) => insertLaunched(launcher, tx, wanted, draft));
  const { items } = await listIterations(app, run, { order: "asked", limit: 1 });
  return { runId: run.id, iterationId: items[0]!.id };
}

/** As a run is kept whose cases failed; nobody has played it. */
export async function failedRun(world: World, app: App, suiteId: EvalSuiteId) {
  const { runId } = await launchRun(world, app, suiteId);
  await app.db.update(evalRuns).set({ status: "completed", result: "failed" }).where(eq(evalRuns.id, runId));
  return { runId };
}

export async function waivedRun(world: World, app: App, suiteId: EvalSuiteId) {
  const { runId } = await failedRun(world, app, suiteId);
  const run = (await findRun(app.db, world.projectId, runId))!;
  const request = { reason: "Known", expiresAt: app.now() + 3_600_000 };
  const { waiver } = await createWaiver(app, app.db, run, world.people.owner.userId, request);
  return { runId, waiverId: waiver.id };
}
