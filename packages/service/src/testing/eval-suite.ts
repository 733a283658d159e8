/** @module A suite with cases, as the tables hold it, for tests of what runs it. */
import type { EvalSuiteId, ServerId } from "@fettle/contract";
import type { App } from "../app.ts";
import { draftRun, insertLaunched, type Launcher } from "../eval-runs/launch.ts";
import { listIterations } from "../eval-runs/reads.ts";
import { findSuite } from "../eval-suites/store.ts";
import { usualSettings } from "../eval-suites/suite-view.ts";
import { newId } from "../id.ts";
import { createServer } from "../servers/servers.ts";
import { type CaseDefinition, evalCases, evalSuites } from "../tables/eval-suites.ts";
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
    caller: { kind: "session", userId: people.owner.userId, sessionId: "none", via: "cli" },
    source: "api",
  };
  const wanted = { suite, knobs: {}, target: {}, idempotencyScope: null, requestHash: "none" };
  const draft = await draftRun(launcher, wanted);
  const run = await app.db.transaction((tx) => insertLaunched(launcher, tx, wanted, draft));
  const { items } = await listIterations(app, run, { order: "asked", limit: 1 });
  return { runId: run.id, iterationId: items[0]!.id };
}
