/** @module A launch that brings its cases along: its suite is made first, and goes again when the launch is refused. */
import { ApiError, type EvalRunCreated, type EvalRunCreateRequest, idOf } from "@fettle/contract";
import { z } from "zod";
import { deleteSuite, findSuite } from "../eval-suites/store.ts";
import { createSuite } from "../eval-suites/suites.ts";
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
  // There is no suite yet that a key could be of, so it is the project's.
  const scope = scopeOf(launcher, project, key);
  const before = scope === null ? undefined : await store.findByScope(app.db, scope);
  if (before && before.requestHash === requestHashOf(body)) return receipt(before, true, origin);
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
    const run = await createRun(launcher, suite!, { ...body, serverIds: undefined }, scope, origin);
    return { ...run, caseUpsert: made.caseUpsert };
  } catch (error) {
    await deleteSuite(app.db, suiteId);
    throw error;
  }
}
