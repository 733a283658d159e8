/** @module A launch that brings its cases along: its suite is made first, and goes again when the launch is refused. */
import { ApiError, idOf, limits } from "@fettle/contract/core";
import type { EvalRunCreated, EvalRunCreateRequest } from "@fettle/contract/evals";
import { digestOf } from "@fettle/evals";
import { z } from "zod";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { requireSameRequest } from "../../core/idempotency/idempotency.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { deleteSuite, findSuite } from "../suites/store.ts";
import { createSuite } from "../suites/suites.ts";
import { createRun, receipt } from "./create-run.ts";
import { type Launcher, LaunchTaken, requestHashOf, scopeOf } from "./launch.ts";
import { haveServersChanged, sameSince } from "./same-launch.ts";
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
  const { run: before, scope: idempotencyScope } = await findRepeated(launcher, key, requestHash);
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
  const suite = stillThere(await findSuite(app.db, project.id, suiteId));
  try {
    const asked = { ...body, serverIds: undefined };
    const run = await createRun(launcher, suite, asked, { idempotencyScope, requestHash }, origin);
    if (run.deduped === true) await deleteSuite(app.db, suiteId);
    return run.deduped === true ? run : { ...run, caseUpsert: made.caseUpsert };
  } catch (error) {
    await deleteSuite(app.db, suiteId);
    if (!(error instanceof LaunchTaken)) throw error;
    const { run: other } = await findRepeated(launcher, key, requestHash);
    if (!other) throw error;
    return receipt(other, true, origin);
  }
}

/** The run that this launch repeats, or the scope of a new one. There is no suite yet that a key could be of, so it is the project's. */
async function findRepeated(
  launcher: Launcher,
  key: string | undefined,
  requestHash: string,
): Promise<{ run?: store.RunRow | undefined; scope: string }> {
  const { app, by, project } = launcher;
  const keyed = scopeOf(launcher, project, key);
  if (keyed !== null) {
    const run = await store.findByScope(app.db, keyed);
    requireSameRequest(run, requestHash, "launch", run && { runId: run.id });
    return { run, scope: keyed };
  }
  // Two at once meet at the same scope, and only one of them gets it.
  const moment = Math.floor(app.now() / limits.evals.sameLaunchMs);
  const before = await walk(moment - 1);
  return before.run ? before : walk(moment);

  /** The launches of one moment stand one behind the other: the next is named after the last that can no longer be repeated. */
  async function walk(at: number): Promise<{ run?: store.RunRow; scope: string }> {
    const isOf = ["evalRunInline", by.userId, project.id, requestHash, at];
    let scope = digestOf(isOf);
    for (;;) {
      const run = await store.findByScope(app.db, scope);
      if (!run) return { scope };
      if (await isRepeatable(launcher, run)) return { run, scope };
      scope = digestOf([...isOf, run.id]);
    }
  }
}

/** Its cases are in the request, so only its servers can have changed. */
async function isRepeatable(launcher: Launcher, run: store.RunRow): Promise<boolean> {
  if (!store.isOpen(run) || run.createdAt <= sameSince(launcher)) return false;
  return !(await haveServersChanged(launcher.app.db, run));
}
