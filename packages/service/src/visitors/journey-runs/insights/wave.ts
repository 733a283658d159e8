/** @module What was found in a wave, with how its launches went beside it; asked for, and taken back. */

import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import type { InsightsEnvelope } from "@fettle/contract/insights";
import {
  swarmLimits,
  type WaveBaseline,
  type WaveInsights,
  type WaveInsightsCanceled,
  type WaveInsightsRequested,
} from "@fettle/contract/visitors";
import type { App } from "../../../core/app.ts";
import { missing, notFound } from "../../../core/routing/not-found.ts";
import { cancelInsights, requestInsights } from "../../../insights/asking.ts";
import { readEnvelope } from "../../../insights/envelope.ts";
import { findFacts, findInsights } from "../../../insights/store.ts";
import { asCallersKnow, waveKey } from "../../../insights/wave-key.ts";
import * as store from "../store.ts";
import * as summary from "../summary-store.ts";
import { pathsOf } from "./paths.ts";
import { askedOf, unitsOf } from "./source.ts";

/** The newest first. */
export async function requireWave(app: App, projectId: ProjectId, waveId: string): Promise<Wave> {
  const runs = await store.listRuns(app.db, { projectId, waveId, limit: swarmLimits.waveRuns });
  const [latest] = runs;
  if (!latest) throw notFound("wave");
  return { latest, runs };
}

interface Wave {
  latest: store.RunRow;
  runs: readonly store.RunRow[];
}

/** As the read of one of its runs carries it. */
export async function readRunInsights(app: App, run: store.RunRow): Promise<InsightsEnvelope> {
  const { runs } = await requireWave(app, run.projectId, run.waveId);
  return envelopeOf(app, { latest: run, runs });
}

async function envelopeOf(app: App, { latest, runs }: Wave): Promise<InsightsEnvelope> {
  const total = runs.reduce((sum, run) => sum + run.sessionsTotal, 0);
  const envelope = await readEnvelope(app, {
    scope: { kind: "swarm_wave", id: waveKey(latest), runId: latest.id },
    total,
    unasked: runs.some(({ status }) => status === "running") ? "run_not_terminal" : "not_requested",
  });
  const scope = asCallersKnow(latest.projectId, { ...envelope.scope, runId: latest.id });
  return { ...envelope, scope, runHealth: { targets: await healthOf(app, runs) } };
}

type TargetHealth = NonNullable<InsightsEnvelope["runHealth"]>["targets"][number];

/** Of every place that any run of the wave went to, over all of them. */
async function healthOf({ db }: App, runs: readonly store.RunRow[]): Promise<TargetHealth[]> {
  const ids = runs.map(({ id }) => id);
  const [places, states] = await Promise.all([summary.listPlaces(db, ids), summary.countStates(db, ids)]);
  const targets = new Map<string, TargetHealth>();
  for (const { runId, targetIndex, targetId, kind, name } of places) {
    const known = targets.get(targetId) ?? {
      subjectKind: kind,
      subjectId: targetId,
      subjectLabel: name,
      attempted: 0,
      succeeded: 0,
      failed: 0,
      rateLimited: 0,
    };
    const sessions = (state: string) =>
      states.find((one) => one.runId === runId && one.targetIndex === targetIndex && one.state === state)
        ?.sessions ?? 0;
    known.succeeded += sessions("succeeded");
    known.failed += sessions("failed");
    known.rateLimited += sessions("rate_limited");
    known.attempted = known.succeeded + known.failed + known.rateLimited;
    targets.set(targetId, known);
  }
  return [...targets.values()].toSorted(
    (one, other) =>
      one.subjectLabel.localeCompare(other.subjectLabel) || one.subjectId.localeCompare(other.subjectId),
  );
}

export async function readWaveInsights(app: App, wave: Wave): Promise<WaveInsights> {
  const { latest, runs } = wave;
  const { projectId, waveId } = latest;
  const insights = await envelopeOf(app, wave);
  const { status, generatedAt, updatedAt, error } = insights;
  const isAsked = status === "pending" || status === "completed" || status === "failed";
  if (!isAsked || updatedAt === null) {
    throw missing(
      "Nobody has asked for insights over this wave.",
      "Ask for them; without a model for insights that is free.",
      { code: "WAVE_NOT_ANALYZED" },
    );
  }
  return {
    waveId,
    projectId,
    status,
    insights,
    baseline: status === "completed" ? await baselineOf(app, wave, insights) : null,
    discovery: status === "completed" && generatedAt !== null ? await discover(app, runs) : null,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    updatedAt,
  };
}

/** Against the wave before it that made one of its journeys. */
async function baselineOf(
  app: App,
  { runs, latest }: Wave,
  { findings }: InsightsEnvelope,
): Promise<WaveBaseline | null> {
  const { projectId } = latest;
  const before = await store.findWaveBefore(app.db, runs);
  const row = before && (await findInsights(app.db, { kind: "swarm_wave", id: waveKey(before) }));
  if (!row?.analysis) return null;
  const then = new Set(row.analysis.findings.map(({ id }) => id));
  const now = new Set(findings.map(({ id }) => id));
  return {
    waveId: asCallersKnow(projectId, { kind: "swarm_wave", id: row.scopeId }).id,
    newFindingIds: [...now].filter((id) => !then.has(id)),
    recurringFindingIds: [...now].filter((id) => then.has(id)),
    goneFindingIds: [...then].filter((id) => !now.has(id)),
  };
}

async function discover(app: App, runs: readonly store.RunRow[]): Promise<WaveInsights["discovery"]> {
  const played = { also: store.inState("succeeded") };
  const attempts = await store.listAttempts(
    app.db,
    runs.map(({ id }) => id),
    played,
  );
  const facts = await findFacts(app.db, "session", unitsOf(attempts));
  return facts.size === 0 ? null : pathsOf([...facts.values()]);
}

export async function requestWaveInsights(
  app: App,
  { latest, runs }: Wave,
  { by, force }: { by: UserId; force: boolean },
): Promise<WaveInsightsRequested> {
  const { projectId, waveId } = latest;
  if (runs.some(({ status }) => status === "running")) {
    throw new ApiError("CONFLICT", "A run of the wave is still being played.", { code: "RUN_NOT_TERMINAL" });
  }
  const asked = await askedOf(app.db, latest);
  await requestInsights(app, asked, {
    by,
    force,
    // A run that ended since is no part of what was written.
    prepare: async (tx) => {
      const since = (await findInsights(tx, asked.scope))?.generatedAt;
      return since ? runs.some(({ completedAt }) => completedAt !== null && completedAt > since) : false;
    },
  });
  return { waveId, projectId, status: "pending" };
}

export async function cancelWaveInsights(
  app: App,
  { latest: { projectId, waveId, id: runId } }: Wave,
): Promise<WaveInsightsCanceled> {
  const scope = { kind: "swarm_wave", id: waveKey({ projectId, waveId }), runId } as const;
  if (await cancelInsights(app, { scope, projectId })) return { waveId, projectId, canceled: true };
  throw new ApiError("CONFLICT", "Nothing is being made of this wave.", { code: "NOTHING_PENDING" });
}
