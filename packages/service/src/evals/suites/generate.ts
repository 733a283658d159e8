/** @module Drafts cases from what a suite's servers offer. Drafts are kept before they are saved, so that asking again under a key makes the same cases. */
import { limits, type ServerId } from "@fettle/contract/core";
import type { EvalCaseGenerated, EvalCaseGenerateRequest, EvalModelChoice } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import type { Operations } from "@fettle/contract/operations";
import { type DraftedCases, digestOf, draftCases, ruleModelId } from "@fettle/evals";
import type { Tool } from "@fettle/mcp";
import { idempotencyKeyOf, requireSameRequest } from "../../core/idempotency/idempotency.ts";
import type { Call } from "../../core/routing/bind.ts";
import { resolveForRun } from "../../environments/saved/resolve.ts";
import { findServers } from "../../environments/targets/named.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { listAllTools } from "../../servers/live/list-all-tools.ts";
import { findDrafts, keepDrafts, listCases } from "./case-store.ts";
import { createCases } from "./cases.ts";
import { refuseFileOwned } from "./file-owned.ts";
import { toCase } from "./read-case.ts";
import { listEnvironmentIds, type SuiteRow } from "./store.ts";

type GenerateCall = Call<Operations["generateEvalCases"]>;

export async function generateCases(call: GenerateCall, suite: SuiteRow): Promise<EvalCaseGenerated> {
  const { app, caller, body, request } = call;
  refuseFileOwned(suite);
  const { idempotencyKey, ...wanted } = body;
  const key = idempotencyKeyOf(request.headers) ?? idempotencyKey;
  const scopeHash =
    key === undefined ? undefined : digestOf({ userId: caller.userId, suiteId: suite.id, key });
  const requestHash = digestOf(wanted);
  const before = scopeHash === undefined ? undefined : await findDrafts(app.db, scopeHash);
  requireSameRequest(before, requestHash, "body");
  const drafted = before ? undefined : await draft(call, suite, wanted);
  const kept =
    drafted && scopeHash !== undefined
      ? await keepDrafts(app.db, {
          scopeHash,
          suiteId: suite.id,
          requestHash,
          generationModel: ruleModelId,
          drafts: drafted,
          createdAt: new Date(app.now()),
        })
      : before;
  const { cases, skipped } = must(kept?.drafts ?? drafted, "drafts that were kept or made");
  const { created, failed } = await createCases(
    app,
    app.db,
    suite,
    { userId: caller.userId, key: scopeHash },
    { cases: cases.map((item) => toRequest(item, body.caseModels)) },
  );
  const saved = new Set(created.map(({ id }) => id));
  const rows = (await listCases(app.db, suite.id)).filter(({ id }) => saved.has(id));
  const negative = rows.filter(({ definition }) => definition.isNegative).length;
  const unsaved = [
    ...skipped,
    ...failed.map(({ index, message }) => ({
      title: must(cases[index], "the case that failed").title,
      reason: message,
    })),
  ];
  return {
    generationModel: ruleModelId,
    created: rows.map((row) => toCase(suite, row)),
    counts: { normal: rows.length - negative, negative },
    ...(unsaved.length > 0 && { skipped: unsaved }),
    replayed: before !== undefined,
  };
}

async function draft(
  call: GenerateCall,
  suite: SuiteRow,
  { mode, caseMix, varyUserStyles = false, ...target }: Omit<EvalCaseGenerateRequest, "idempotencyKey">,
): Promise<DraftedCases> {
  const nothing = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
  const usual =
    mode === "negative"
      ? { ...nothing, negative: limits.evals.generatedNegative }
      : limits.evals.generatedMix;
  const mix = caseMix ? { ...nothing, ...caseMix } : usual;
  const servers: { serverName: string; tools: Tool[] }[] = [];
  for (const { id, name } of await targetServers(call, suite, target)) {
    servers.push({ serverName: name, tools: await listAllTools(call, call.project.id, id) });
  }
  return draftCases(servers, mix, { varyStyles: varyUserStyles });
}

/** Those named, those of the environment, or those that a run of the suite would use. */
async function targetServers(
  { app, project }: GenerateCall,
  suite: SuiteRow,
  { servers, environmentId }: Pick<EvalCaseGenerateRequest, "servers" | "environmentId">,
): Promise<{ id: ServerId; name: string }[]> {
  if (servers) return findServers(app.db, project.id, servers, "body.servers");
  const attached = environmentId === undefined ? await listEnvironmentIds(app.db, suite.id) : [];
  if (attached.length > 1) {
    const message = "Several environments are attached: say whose servers are meant.";
    throw refused("VALIDATION_ERROR", "TARGET_REQUIRED", message, { environmentIds: attached });
  }
  const environment = environmentId ?? attached[0];
  if (environment !== undefined) {
    const { resolved } = await app.db.transaction((tx) => resolveForRun(tx, project.id, environment));
    // A resolved environment names its servers as ids of saved ones.
    return resolved.servers.map(({ serverId, name }) => ({ id: serverId as ServerId, name }));
  }
  if (suite.serverIds.length === 0) {
    const message = "The suite has no saved servers: name some.";
    throw refused("VALIDATION_ERROR", "NO_SAVED_SERVER_SELECTION", message);
  }
  return findServers(app.db, project.id, suite.serverIds, "suite.environment.servers");
}

function toRequest({ isNegativeTest, ...said }: DraftedCases["cases"][number], models?: EvalModelChoice[]) {
  const { title, intent, disabled, steps } = said;
  return {
    title: title.slice(0, limits.evals.caseTitleLength),
    steps,
    ...(intent !== undefined && { intent }),
    ...(disabled && { disabled }),
    ...(isNegativeTest && { isNegative: true }),
    ...(models && { models }),
  };
}
