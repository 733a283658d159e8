/** @module The sessions of a wave, as a source of insights. A project's swarms are what waves follow one another in. */
import { limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { swarmLimits } from "@fettle/contract/visitors";
import { digestOf } from "@fettle/evals";
import type { ServerSnapshot, Unit } from "@fettle/insights";
import { and, eq, inArray } from "drizzle-orm";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { evalToolSnapshots } from "../../../core/tables/eval-runs.ts";
import { journeyRunTools } from "../../../core/tables/journey-runs.ts";
import { callsOf, turnsOf } from "../../../evals/runs/insights/unit.ts";
import type { Asked } from "../../../insights/asking.ts";
import type { OpenScope, Source } from "../../../insights/source.ts";
import { asCallersKnow, waveKey } from "../../../insights/wave-key.ts";
import { organizationOf } from "../../../people/projects/store.ts";
import type { FrozenJourney } from "../frozen.ts";
import * as store from "../store.ts";

export const waveSource: Source = {
  kind: "swarm_wave",
  unitKind: "session",
  unit: "sessions",
  part: "waves",
  open: async (app, projectId, scopeId) => {
    const { id: waveId } = asCallersKnow(projectId, { kind: "swarm_wave", id: scopeId });
    const runs = await store.listRuns(app.db, { projectId, waveId, limit: swarmLimits.waveRuns });
    const [latest] = runs;
    return latest && openWave(app, latest, runs);
  },
};

export async function askedOf(db: Querier, run: store.RunRow): Promise<Asked> {
  return {
    scope: { kind: "swarm_wave", id: waveKey(run), runId: run.id },
    projectId: run.projectId,
    organizationId: await organizationOf(db, run),
    family: { kind: "swarms", id: run.projectId, label: "Swarms" },
  };
}

async function openWave(app: App, latest: store.RunRow, runs: readonly store.RunRow[]): Promise<OpenScope> {
  const { db } = app;
  const ids = runs.map(({ id }) => id);
  // A launch that went wrong is told as the run's health, never as a finding.
  const attempts = await store.listAttempts(db, ids, { also: store.inState("succeeded") });
  const rows = new Map(attempts.map((row) => [row.id, row]));
  const tools = await readTools(db, latest, ids);
  const snapshots = [...new Map(tools.map((one) => [`${one.serverId} ${one.hash}`, one])).values()];
  return {
    ...(await askedOf(db, latest)),
    at: (latest.completedAt ?? latest.createdAt).getTime(),
    total: attempts.length,
    units: unitsOf(attempts),
    snapshots,
    read: async (wanted) => {
      const traces = await store.readTraces(db, wanted);
      const frozen = new Map<string, FrozenJourney>();
      for (const { id } of runs) {
        const found = await store.readFrozen(db, id);
        if (found) frozen.set(id, found);
      }
      return wanted.flatMap((id) => {
        const row = rows.get(id);
        const journey = row && frozen.get(row.runId);
        const run = runs.find((one) => one.id === row?.runId);
        const met = tools.filter(
          ({ runId, targetIndex }) => runId === row?.runId && targetIndex === row.targetIndex,
        );
        return row && journey && run ? [toUnit(row, run, journey, met, traces.get(id)?.trace)] : [];
      });
    },
  };
}

/** The newest first, each with what changes when its grades do. */
export const unitsOf = (attempts: readonly store.AttemptRow[]) =>
  attempts
    .toReversed()
    .slice(0, limits.insights.units)
    .map(({ id, grading, goal }) => ({ id, stamp: digestOf([grading, goal]) }));

type Kept = Awaited<ReturnType<typeof store.readTraces>> extends Map<string, infer Value> ? Value : never;

function toUnit(
  row: store.AttemptRow,
  run: store.RunRow,
  { places, rubric, persona, maxTurns }: FrozenJourney,
  met: readonly ServerSnapshot[],
  trace: Kept["trace"] | undefined,
): Unit {
  const { target } = must(places[row.targetIndex], "the place of each attempt");
  const serverIds = new Map(target.servers.map(({ id, name }) => [name, id]));
  const { goal, grading } = row;
  return {
    kind: "session",
    id: row.id,
    startedAt: (row.startedAt ?? run.createdAt).getTime(),
    durationMs: row.endedAt && row.startedAt ? row.endedAt.getTime() - row.startedAt.getTime() : null,
    model: trace ? { id: trace.model.id, modelClass: trace.model.modelClass } : null,
    journey: { id: run.journeyId, label: run.journeyName },
    persona: { id: persona.id, label: persona.name },
    target: { kind: target.kind, id: target.id, label: target.name },
    snapshots: Object.fromEntries(met.map(({ serverId, hash }) => [serverId, hash])),
    turns: trace ? turnsOf(trace) : [],
    calls: trace ? callsOf(trace, serverIds) : [],
    totalTokens: row.totalTokens,
    verdict: null,
    isGating: false,
    ...(goal?.status === "completed" &&
      goal.score !== null && {
        judge: {
          passed: goal.passed === true,
          score: goal.score,
          threshold: goal.threshold,
          reason: goal.reason ?? "",
        },
      }),
    criteria: (grading?.criteria ?? []).flatMap(({ id, passed }) => {
      const label = rubric.find((one) => one.id === id)?.label ?? id;
      return passed === null ? [] : [{ id, label, passed }];
    }),
    end: {
      stopCause: trace?.turns.at(-1)?.stop ?? null,
      idleAfterMs: null,
      reachedTurnCap: row.end === "turns" && (row.turns ?? 0) >= maxTurns,
    },
    ...(!trace && { isUnreadable: true }),
  };
}

type MetServer = ServerSnapshot & { runId: string; targetIndex: number };

async function readTools(
  db: Querier,
  { projectId, createdAt }: store.RunRow,
  runIds: readonly store.RunRow["id"][],
): Promise<MetServer[]> {
  const isKept = and(
    eq(evalToolSnapshots.projectId, projectId),
    eq(evalToolSnapshots.hash, journeyRunTools.hash),
  );
  const rows = await db
    .select({ met: journeyRunTools, snapshot: evalToolSnapshots.snapshot })
    .from(journeyRunTools)
    .innerJoin(evalToolSnapshots, isKept)
    .where(inArray(journeyRunTools.runId, [...runIds]));
  return rows.map(({ met: { runId, targetIndex, serverId, serverName }, snapshot }) => {
    const { tools, toolsHash: hash } = snapshot;
    return { runId, targetIndex, serverId, serverName, hash, tools, takenAt: createdAt.getTime() };
  });
}
