/**
 * @module Mines one scope: what is kept of each conversation is made a few at a time and stored, so that a job that was killed goes
 * on where it was; the findings are written before any model is asked for words.
 */
import { idOf, limits, type OrganizationId } from "@fettle/contract/core";
import { insightScopeKinds } from "@fettle/contract/insights";
import { openSchemaJudge } from "@fettle/evals";
import {
  type Analysis,
  analysisOf,
  factsReader,
  type InsightErrorCode,
  type Mined,
  minerVersion,
  type ReasonCode,
  startMining,
} from "@fettle/insights";
import { z } from "zod";
import type { App } from "../core/app.ts";
import type { Transaction } from "../core/db/pool.ts";
import { defineJob, type JobCall } from "../core/jobs/define.ts";
import { dayOf } from "../models/budget.ts";
import { openModel } from "../models/open-model.ts";
import { announceInProject } from "../people/accounts/announce.ts";
import { narrate, noWordsBecause } from "./narrate.ts";
import { recordScope } from "./registry.ts";
import { type OpenScope, type ScopeKey, type Source, sourceOf } from "./source.ts";
import * as store from "./store.ts";

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  kind: z.enum(insightScopeKinds),
  scopeId: z.string(),
  generation: z.int(),
});
type Input = z.output<typeof input>;

export const mineScopeJob = defineJob({
  name: "insights.mine",
  input,
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: limits.insights.mineMs,
  takesLong: true,
  run: mineScope,
});

/** Conversations that are held at a time. */
const batch = 20;

async function mineScope(call: JobCall<Input>): Promise<void> {
  const { app, input: asked, finish, signal } = call;
  const key: ScopeKey = { kind: asked.kind, id: asked.scopeId };
  const row = await store.findInsights(app.db, key);
  if (row?.status !== "pending" || row.generation !== asked.generation) return;
  const source = sourceOf(app, asked.kind);
  const open = await source.open(app, asked.projectId, asked.scopeId);
  if (!open) return finish((tx) => store.deleteInsights(tx, key));
  const end = (tx: Transaction, change: Parameters<typeof store.updateGeneration>[3]) =>
    settle(app, tx, open, source, asked.generation, { ...change, jobId: null });
  if (open.units.length === 0) return finish(async (tx) => void (await end(tx, await nothingFound(tx, key))));

  const mined = await mineUnits(app, source, open, signal);
  const analysis = analysisOf(mined);
  const generatedAt = new Date(app.now());
  // Said at once, and kept whatever comes of the words.
  await app.db.transaction(async (tx) => {
    await call.requireLease(tx);
    if (!(await settle(app, tx, open, source, asked.generation, { analysis, minerVersion, generatedAt })))
      return;
    await recordScope(tx, open, mined);
    await announceInProject(app, tx, open.projectId, "findings");
  });
  const isToTell = (await store.findInsights(app.db, key))?.withModel === true;
  const told: Told | undefined = isToTell ? await tell(app, open, analysis, signal) : undefined;
  await finish(async (tx) => {
    const { withModel } = await store.lockInsights(tx, open.scope, open, generatedAt);
    if (!withModel || told) {
      return void (await end(tx, {
        status: "completed",
        error: null,
        ...(told ?? { reasonCode: "deterministic_only" }),
      }));
    }
    // Somebody asked for words while none were meant; what is kept of the conversations is there already.
    const { id: jobId } = await app.jobs.enqueue(mineScopeJob, asked, { inTransaction: tx });
    await store.updateGeneration(tx, key, asked.generation, { jobId });
  });
}

/** False when this generation is not the one any more. */
async function settle(
  app: App,
  tx: Transaction,
  { scope, projectId }: OpenScope,
  { part }: Source,
  generation: number,
  change: Parameters<typeof store.updateGeneration>[3],
): Promise<boolean> {
  const updatedAt = new Date(app.now());
  const isOurs = await store.updateGeneration(tx, scope, generation, { ...change, updatedAt });
  if (isOurs) await announceInProject(app, tx, projectId, part);
  return isOurs;
}

/** Whoever asked is told that it cannot be; where nobody did, there is simply nothing. */
async function nothingFound(tx: Transaction, key: ScopeKey) {
  const reasonCode: ReasonCode = "nothing_to_analyze";
  const code: InsightErrorCode = "insights_internal";
  const error = {
    code,
    message: "No conversation here can be analyzed: nothing was played, or nothing was kept.",
  };
  const isAsked = (await store.findInsights(tx, key))?.withModel === true;
  return isAsked
    ? { status: "failed" as const, reasonCode, error, analysis: null }
    : { status: "not_requested" as const, reasonCode, error: null, analysis: null };
}

/** What is kept already is not read again; only a few conversations are in memory at a time, whole or not. */
async function mineUnits(app: App, source: Source, open: OpenScope, signal: AbortSignal): Promise<Mined> {
  const { scope, family, snapshots, earlierSnapshots, units } = open;
  const mining = startMining({ scope, family, snapshots, earlierSnapshots });
  const factsOf = factsReader({ snapshots, judge: await openSchemaJudge() });
  for (let from = 0; from < units.length; from += batch) {
    signal.throwIfAborted();
    const some = units.slice(from, from + batch);
    const known = await store.findFacts(app.db, source.unitKind, some);
    const missing = some.filter(({ id }) => !known.has(id));
    const stamps = new Map(missing.map(({ id, stamp }) => [id, stamp]));
    const read = missing.length === 0 ? [] : await open.read([...stamps.keys()]);
    const made = read.map((unit) => ({ facts: factsOf(unit), stamp: stamps.get(unit.id) ?? "" }));
    await store.saveFacts(app.db, open.projectId, made);
    for (const { facts } of made) known.set(facts.unitId, facts);
    for (const { id } of some) {
      const facts = known.get(id);
      if (facts) mining.add(facts);
    }
  }
  return mining.finish(open.total);
}

/** What a model added, and what is said of it. */
type Told = { reasonCode: ReasonCode; analysis?: Analysis };

async function tell(app: App, open: OpenScope, analysis: Analysis, signal: AbortSignal): Promise<Told> {
  const { model: name } = app.config.insights;
  if (name === undefined || analysis.findings.length === 0) return { reasonCode: "deterministic_only" };
  const { organizationId, projectId, scope, snapshots } = open;
  try {
    const source = { kind: "insights", id: scope.id };
    const model = await openModel(app, { organizationId, projectId, name, source });
    if (!(await mayTell(app, organizationId))) return { reasonCode: "ledger_exhausted" };
    const tools = new Set(snapshots.flatMap((snapshot) => snapshot.tools.map((tool) => tool.name)));
    return { reasonCode: "model_enriched", analysis: await narrate(model, analysis, tools, signal) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = noWordsBecause(error);
    if (reason === undefined) throw error;
    app.log.warn("a model did not tell of insights; the fixed texts stand", { scope, reason });
    return { reasonCode: "model_failed_fallback" };
  }
}

async function mayTell(app: App, organizationId: OrganizationId): Promise<boolean> {
  return store.takeFromLedger(app.db, organizationId, dayOf(app.now()).day, app.config.insights.perDay);
}
