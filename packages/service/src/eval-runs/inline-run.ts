/** @module A launch that brings its cases along: its suite is made first, and goes again when the launch is refused. */
import { ApiError, type EvalRunCreated, type EvalRunCreateRequest, idOf, limits } from "@fettle/contract";
import { digestOf } from "@fettle/evals";
import { z } from "zod";
import { isUniqueViolation } from "../db/unique-violation.ts";
import { deleteSuite, findSuite } from "../eval-suites/store.ts";
import { createSuite } from "../eval-suites/suites.ts";
import { requireSameRequest } from "../idempotency/idempotency.ts";
import type { SignedInCaller } from "../routing/bind.ts";
import { createRun, receipt } from "./create-run.ts";
import { type Launcher, requestHashOf, scopeOf } from "./launch.ts";
import * as store from "./store.ts";

const withModel = z.looseObject({ model: z.string().trim().min(1), provider: z.string().optional() });

export async function createInlineRun(
  launcher: Launcher,
  caller: SignedInCaller,
  body: EvalRunCreateRequest,
  key: string | undefined,
  origin: string,
): Promise<EvalRunCreated> {
  const { app, project } = launcher;
  const requestHash = requestHashOf(body);
  const before = await findRepeated(launcher, key, requestHash);
  if (before) return receipt(before, true, origin);
  const { suiteName = "", suiteDescription, tests = [], serverIds = [] } = body;
  const first = tests.map((test) => withModel.safeParse(test).data).find((found) => found !== undefined);
  if (!first) {
    const message = "No test names a model.";
    throw new ApiError("VALIDATION_ERROR", message, { code: "UNKNOWN_MODEL", path: "body.tests" });
  }
  const made = await createSuite(app, app.db, project, caller, {
    name: suiteName,
    ...(suiteDescription !== undefined && { description: suiteDescription }),
    serverIds,
    model: first.model,
    ...(first.provider !== undefined && { provider: first.provider }),
    ...(body.passCriteria && { passCriteria: body.passCriteria }),
    tests,
  });
  const suiteId = idOf<"evalSuite">().parse(made.suiteId);
  const suite = await findSuite(app.db, project.id, suiteId);
  try {
    const [idempotencyScope = null] = scopesOf(launcher, key, requestHash);
    const asked = { ...body, serverIds: undefined };
    const run = await createRun(launcher, suite!, asked, { idempotencyScope, requestHash }, origin);
    if (run.deduped === true) await deleteSuite(app.db, suiteId);
    return run.deduped === true ? run : { ...run, caseUpsert: made.caseUpsert };
  } catch (error) {
    await deleteSuite(app.db, suiteId);
    if (!isUniqueViolation(error, "eval_runs_idempotency")) throw error;
    // The same launch came at the same moment, and was faster.
    const other = await findRepeated(launcher, key, requestHash);
    if (!other) throw error;
    return receipt(other, true, origin);
  }
}

/** There is no suite yet that a key could be of, so it is the project's. Without a key it is the same for a few moments. */
function scopesOf(launcher: Launcher, key: string | undefined, requestHash: string): string[] {
  const { app, by, project } = launcher;
  if (key !== undefined) return [scopeOf(launcher, project, key)!];
  const moment = Math.floor(app.now() / limits.evals.sameLaunchMs);
  const isOf = ["evalRunInline", by.userId, project.id, requestHash];
  return [moment, moment - 1].map((at) => digestOf([...isOf, at]));
}

async function findRepeated(
  launcher: Launcher,
  key: string | undefined,
  requestHash: string,
): Promise<store.RunRow | undefined> {
  const { app } = launcher;
  for (const scope of scopesOf(launcher, key, requestHash)) {
    const run = await store.findByScope(app.db, scope);
    if (!run) continue;
    if (key !== undefined) requireSameRequest(run, requestHash, "launch", { runId: run.id });
    if (key !== undefined || app.now() - run.createdAt.getTime() < limits.evals.sameLaunchMs) return run;
  }
  return undefined;
}
