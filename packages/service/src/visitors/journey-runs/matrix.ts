/** @module Reads all journeys of a swarm at a glance: for each its latest run, and what became of every session in it. */

import { must } from "@fettle/contract/formats";
import { type SwarmMatrix, swarmLimits } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { findPersonas, journeyShelf, ofSwarm, type SwarmRow } from "../swarms/shared-sql.ts";
import { toRuns } from "./reads.ts";
import * as store from "./store.ts";
import { listStates, type SessionState } from "./summary-store.ts";

export async function readMatrix(app: App, { id, projectId }: SwarmRow): Promise<SwarmMatrix> {
  const { db } = app;
  const limit = swarmLimits.listed.max;
  const { items } = await journeyShelf.page(db, projectId, { limit }, (row) => row, ofSwarm(id));
  const personas = await findPersonas(
    db,
    items.map(({ personaId }) => personaId),
  );
  const runs = await store.latestRuns(
    db,
    items.map((journey) => journey.id),
  );
  const [told, sessions] = await Promise.all([
    toRuns(app, runs),
    listStates(
      db,
      runs.map((run) => run.id),
    ),
  ]);
  const rows = items.flatMap((journey) => {
    const persona = personas.find((one) => one.id === journey.personaId);
    const run = told.find(({ journeyId }) => journeyId === journey.id);
    const own = sessions.filter(({ runId }) => runId === run?.id);
    return persona
      ? [
          {
            journeyId: journey.id,
            journeyName: journey.name,
            persona: { id: persona.id, name: persona.name, role: persona.role },
            run: run ? { ...run, targets: targetsOf(own) } : null,
          },
        ]
      : [];
  });
  return { rows: rows.toSorted((a, b) => a.persona.name.localeCompare(b.persona.name)) };
}

function targetsOf(attempts: readonly SessionState[]) {
  return [...Map.groupBy(attempts, ({ targetIndex }) => targetIndex).values()].map((own) => ({
    targetId: must(own[0], "an attempt in each group").targetId,
    name: must(own[0], "an attempt in each group").targetName,
    sessions: own.map(({ id, state }) => ({ id, state })),
  }));
}
