/** @module The sample project's swarm: three personas, what each tries to get done in the bookshop, and a first wave of them, played without any model. */
import type { EnvironmentId } from "@fettle/contract/core";
import { idOf } from "@fettle/contract/core";
import type { JourneyCreateRequest, PersonaCreateRequest } from "@fettle/contract/visitors";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { journeys } from "../../core/tables/swarms.ts";
import { organizationOf } from "../../people/projects/store.ts";
import { launchRun } from "../../visitors/journey-runs/launch.ts";
import { createJourney } from "../../visitors/swarms/journeys.ts";
import { createPersona } from "../../visitors/swarms/personas.ts";
import { journeyShelf } from "../../visitors/swarms/shared-sql.ts";
import { createSwarm } from "../../visitors/swarms/swarms.ts";
import { findOrMakeDesk, sampleInput } from "./desk.ts";

type Input = z.infer<typeof sampleInput>;
type SampleJourney = Pick<JourneyCreateRequest, "name" | "goal" | "rubric"> & {
  persona: PersonaCreateRequest;
};

const calm = { id: "calm", label: "No tool fails", predicate: { type: "noToolErrors" } };

/** One gets what it came for. The others meet what the bookshop does not tell a model: it wants an id for a title, and no word says what shelf_info is for. */
const sampleJourneys: readonly SampleJourney[] = [
  {
    persona: { name: "Ida", role: "Browses on a rainy day", notes: "Likes the sea." },
    name: "Look for a book",
    goal: 'Search books about "harbour"',
    rubric: [
      {
        id: "searched",
        label: "The catalogue is searched",
        predicate: { type: "toolCalledAtLeastOnce", toolName: "search_books" },
      },
    ],
  },
  {
    persona: { name: "Noor", role: "Wants one book, today", notes: "Knows its title and nothing else." },
    name: "Ask whether a book is there",
    goal: 'Check the stock of the book "Tin Swallows"',
    rubric: [calm],
  },
  {
    persona: { name: "Tom", role: "Stands in the shop", notes: "Does not find the aisle." },
    name: "Find the way to a book",
    goal: 'Find out on which shelf "Tin Swallows" stands',
    rubric: [
      calm,
      {
        id: "shown",
        label: "shelf_info is called",
        predicate: { type: "toolCalledAtLeastOnce", toolName: "shelf_info" },
      },
    ],
  },
];

const budget = { sessionsPerTarget: 3, maxTurns: 5 };

/** Enqueued with the sample project, so that it is made once, and not again after somebody archived it. */
export const sampleSwarmJob = defineJob({
  name: "sample.swarm",
  input: sampleInput,
  retry: { attempts: 5, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input }) => {
    const environmentId = await findOrMakeDesk(app, input);
    const { projectId, userId } = input;
    const launcher = { app, userId, organizationId: await organizationOf(app.db, input) };
    for (const id of await findOrMakeJourneys(app, input, environmentId)) {
      const journey = await journeyShelf.find(app.db, projectId, id);
      // Under a key of its own: asked again, it answers the run that it started.
      if (journey) await launchRun(launcher, journey, { waveId: "sample" }, `sample ${id}`);
    }
  },
});

async function findOrMakeJourneys(app: App, { projectId, userId }: Input, environmentId: EnvironmentId) {
  return app.db.transaction(async (tx) => {
    await holdNameLock(tx, `sample swarm ${projectId}`);
    const found = await tx
      .select({ id: journeys.id })
      .from(journeys)
      .where(eq(journeys.projectId, projectId))
      .orderBy(journeys.id);
    if (found.length > 0) return found.map(({ id }) => id);
    const by = { projectId, userId };
    const swarm = await createSwarm(app, tx, by, {
      name: "Bookshop visitors (sample)",
      description: "Played without any model. Two of the three journeys go wrong, and should.",
      environmentIds: [environmentId],
      ...budget,
    });
    const made: z.infer<ReturnType<typeof idOf<"journey">>>[] = [];
    for (const { persona, ...journey } of sampleJourneys) {
      const { id: personaId } = await createPersona(app, tx, by, persona);
      const { id } = await createJourney(app, tx, by, {
        ...journey,
        personaId: idOf<"persona">().parse(personaId),
        swarmId: idOf<"swarm">().parse(swarm.id),
        judge: { model: null, threshold: 0.5 },
        ...budget,
      });
      made.push(idOf<"journey">().parse(id));
    }
    return made;
  });
}
