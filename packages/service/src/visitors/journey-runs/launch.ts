/** @module Launches a run: everything it depends on is read, judged and frozen in the one transaction that makes it. One key, one run. */

import { ApiError, type OrganizationId, type UserId } from "@fettle/contract/core";
import type { JourneyRunLaunched, JourneyRunLaunchRequest } from "@fettle/contract/visitors";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { requireSameRequest } from "../../core/idempotency/idempotency.ts";
import { takeTokenIn, tooManyRequests } from "../../core/limits/limits.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { dayOf, type HoldForLaunch, holderOf } from "../../models/budget.ts";
import { launchRun as launch } from "../../runs/life/life.ts";
import { type JourneyRow, journeyShelf, personaShelf } from "../swarms/shared-sql.ts";
import { driverOf, type FrozenJourney, type FrozenPlace, sessionIdOf } from "./frozen.ts";
import { journeyRunKind } from "./kind.ts";
import { resolvePlaces } from "./places.ts";
import { estimateOf, type KnownModels, placeOf, planRun } from "./plan.ts";
import { playRunJob } from "./play-run.ts";
import * as store from "./store.ts";

export interface Launcher {
  app: App;
  organizationId: OrganizationId;
  userId: UserId;
}

export async function launchRun(
  launcher: Launcher,
  journey: JourneyRow,
  body: JourneyRunLaunchRequest,
  key: string | undefined,
): Promise<JourneyRunLaunched> {
  const { app, organizationId, userId } = launcher;
  const idempotencyScope = key === undefined ? null : digestOf(["journeyRun", userId, journey.id, key]);
  const asked: Asked = { body, idempotencyScope, requestHash: digestOf(body) };
  const before = await findRepeated(app.db, asked);
  if (before) return receipt(before, true);
  // Outside the transaction: models are looked up elsewhere.
  const { models } = await planRun(app, organizationId, journey, body.environmentIds);
  const hold = await holderOf(app, organizationId);
  const { run, deduped } = await app.db.transaction(async (tx) => {
    const held = await journeyShelf.hold(tx, journey.projectId, journey.id);
    if (!held) throw notFound("journey");
    const other = await findRepeated(tx, asked);
    if (other) return { run: other, deduped: true };
    await takePlace(launcher, tx);
    return { run: await insertRun(launcher, tx, held, asked, models, hold), deduped: false };
  });
  return receipt(run, deduped);
}

interface Asked {
  body: JourneyRunLaunchRequest;
  idempotencyScope: string | null;
  requestHash: string;
}

async function findRepeated(db: Querier, { idempotencyScope, requestHash }: Asked) {
  const run = idempotencyScope === null ? undefined : await store.findByScope(db, idempotencyScope);
  requireSameRequest(run, requestHash, "launch", run && { runId: run.id });
  return run;
}

/** The brake of a minute, and the limit of a day. A launch that fails gives its place back. */
async function takePlace({ app, organizationId }: Launcher, tx: Transaction): Promise<void> {
  const taken = await takeTokenIn(tx, "journeyLaunch", organizationId);
  if (!taken.allowed) throw tooManyRequests(taken.retryAfter);
  const { runsPerDay } = app.config.swarms;
  if (runsPerDay === null) return;
  const { startsAt, resetsAt } = dayOf(app.now());
  const used = await store.countLaunched(tx, organizationId, new Date(startsAt));
  if (used < runsPerDay) return;
  const retryAfter = Math.ceil((resetsAt - app.now()) / 1000);
  throw new ApiError(
    "RATE_LIMITED",
    `The organization may launch ${runsPerDay} runs of journeys a day, and has.`,
    {
      limit: "journeyRunsPerDay",
      currentValue: used,
      allowedValue: runsPerDay,
      resetsAt,
      retryAfter,
    },
    retryAfter,
  );
}

async function insertRun(
  { app, organizationId, userId }: Launcher,
  tx: Transaction,
  journey: JourneyRow,
  { body, idempotencyScope, requestHash }: Asked,
  models: KnownModels,
  hold: HoldForLaunch,
): Promise<store.RunRow> {
  const { projectId, goal, sessionsPerTarget, maxTurns, rubric, judge } = journey;
  const targets = await resolvePlaces(tx, journey, body.environmentIds);
  const places = targets.flatMap((target) => placeOf(target, models) ?? []);
  if (places.length < targets.length) {
    throw new ApiError("CONFLICT", "The journey was changed while it was being launched. Launch it again.", {
      code: "JOURNEY_CHANGED",
    });
  }
  const persona = await personaShelf.find(tx, projectId, journey.personaId);
  if (!persona) throw new ApiError("CONFLICT", "The journey's persona is gone.", { code: "PERSONA_GONE" });
  const { id: personaId, name, role, notes } = persona;
  const { costUsd, sessions } = estimateOf(journey, places, models);
  const snapshot: FrozenJourney = {
    version: 1,
    persona: { id: personaId, name, role, notes },
    goal,
    sessionsPerTarget,
    maxTurns,
    rubric,
    places,
    judge,
    spendLimitUsd: costUsd,
  };
  const now = app.now();
  const runId = newId("journeyRun", now);
  const values = {
    id: runId,
    projectId,
    journeyId: journey.id,
    journeyName: journey.name,
    persona: { id: personaId, name, role },
    waveId: body.waveId ?? newId("wave", now),
    sessionsTotal: sessions,
    hasRubric: rubric.length > 0,
    hasJudge: judge !== null,
    personaDriver: driverOf(places),
    idempotencyScope,
    requestHash,
    createdBy: userId,
    createdAt: new Date(now),
  };
  const planned = plannedOf(runId, places, sessionsPerTarget);
  const row = await launch(app, tx, journeyRunKind, {
    values,
    job: playRunJob,
    input: { projectId, organizationId, runId, userId },
    prepare: (own) => store.insertPlanned(own, runId, snapshot, planned),
    estimate: { hold, usd: costUsd },
  });
  // Nobody else has its key: the journey is held.
  return stillThere(row);
}

/** Place by place, as they are shown; which is played when is for whoever plays. */
function plannedOf(runId: store.RunRow["id"], places: readonly FrozenPlace[], sessionsPerTarget: number) {
  return places.flatMap((place, targetIndex) =>
    Array.from({ length: sessionsPerTarget }, (_, index) => ({
      id: sessionIdOf(runId, place, index),
      runId,
      ordinal: targetIndex * sessionsPerTarget + index,
      targetIndex,
      // Frozen from the environment's or the client's row.
      targetId: place.target.id as store.AttemptRow["targetId"],
      targetName: place.target.name,
      index,
      state: "pending" as const,
    })),
  );
}

function receipt(run: store.RunRow, deduped: boolean): JourneyRunLaunched {
  const { id, journeyId, projectId, waveId, status } = run;
  return { id, journeyId, projectId, waveId, status, deduped };
}
