/** @module A case of an eval suite made of a call: it is called as it was, and has to go well. */

import { ApiError, limits, type ProjectId, type UserId } from "@fettle/contract/core";
import type { CaseOfCall, CaseOfCallRequest } from "@fettle/contract/evals";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { notFound } from "../../core/routing/not-found.ts";
import type { KeptToCall } from "../../servers/history/repeat-call.ts";
import { parametersOf } from "../../servers/history/told.ts";
import { createCase } from "./cases.ts";
import { findSuite } from "./store.ts";

export async function createCaseOf(
  app: App,
  db: Querier,
  by: { projectId: ProjectId; userId: UserId },
  server: { id: string; name: string },
  call: KeptToCall & { name?: string },
  { suiteId, title }: CaseOfCallRequest,
): Promise<CaseOfCall> {
  if (call.kind !== "tool") {
    throw new ApiError("VALIDATION_ERROR", "A case of a suite calls a tool; this is no tool's call.", {
      code: "NOT_A_TOOL_CALL",
      kind: call.kind,
    });
  }
  if (call.withheld.length > 0) {
    throw new ApiError("VALIDATION_ERROR", "Some parameters held credentials, which are not kept.", {
      code: "SECRET_NOT_KEPT",
      withheld: call.withheld,
      hint: "Save the call without them, or write the case by hand.",
    });
  }
  const suite = await findSuite(db, by.projectId, suiteId);
  if (!suite) throw notFound("evalSuite", { path: "body.suiteId" });
  const made = await createCase(app, db, suite, by.userId, {
    title: (title ?? call.name ?? `Calls ${call.subject}`).slice(0, limits.evals.caseTitleLength),
    steps: [
      {
        id: "call",
        kind: "toolCall",
        serverName: server.name,
        serverId: server.id,
        toolName: call.subject,
        arguments: parametersOf(call) ?? {},
      },
      { id: "worked", kind: "assert", assertion: { type: "noToolErrors" } },
    ],
  });
  return { suiteId: suite.id, case: made };
}
