/** @module Reading lists of swarms page by page, and saving over nobody else's edit. */
import type { ProjectFinding } from "@fettle/contract/insights";
import type { Calibration, Journey, JourneyRun, Persona, Swarm } from "@fettle/contract/visitors";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.ts";
import {
  call,
  change as changeThing,
  type InputOf,
  operationOptions,
  queryClient,
} from "../../api/operation.ts";

interface Listed {
  listPersonas: Persona;
  listJourneys: Journey;
  listSwarms: Swarm;
  listJourneyRuns: JourneyRun;
  listSwarmFindings: ProjectFinding;
  listCalibrations: Calibration;
}

const perPage = "50";

/** The newest first; the pages that follow are asked for. */
export const pagedQuery = <Id extends keyof Listed>(
  id: Id,
  address: Omit<InputOf<Id>, "query">,
  filter: Record<string, string> = {},
) =>
  infiniteQueryOptions({
    queryKey: [id, address, "pages", filter],
    queryFn: async ({ signal, pageParam }): Promise<{ items: Listed[Id][]; nextCursor?: string }> => {
      const query = { ...filter, limit: perPage, ...(pageParam && { cursor: pageParam }) };
      // Each of them takes its address, these two words and its own filter, and answers a page of its own things.
      return (await call(id, { ...address, query } as InputOf<Id>, { signal })) as never;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** As many as one read gives, to choose from. */
export const choices = { query: { limit: "200" } } as const;

/** How a save ended: with `conflict` nothing was written, and what is stored now comes along. */
export interface Saved<Thing> {
  kind: "saved" | "conflict";
  stored: Thing;
}

interface Kinds {
  persona: { thing: Persona; read: "getPersona"; write: "updatePersona"; name: "personaId" };
  journey: { thing: Journey; read: "getJourney"; write: "updateJourney"; name: "journeyId" };
  swarm: { thing: Swarm; read: "getSwarm"; write: "updateSwarm"; name: "swarmId" };
}

export type Kind = keyof Kinds;
export type ThingOf<K extends Kind> = Kinds[K]["thing"];

const operationsOf: { [K in Kind]: Omit<Kinds[K], "thing"> } = {
  persona: { read: "getPersona", write: "updatePersona", name: "personaId" },
  journey: { read: "getJourney", write: "updateJourney", name: "journeyId" },
  swarm: { read: "getSwarm", write: "updateSwarm", name: "swarmId" },
};

/** Whoever else saved since it was read is not written over. */
export async function saveThing<K extends Kind>(
  kind: K,
  base: ThingOf<K>,
  change: object,
): Promise<Saved<ThingOf<K>>> {
  const { read, write, name } = operationsOf[kind];
  const address = { projectId: base.projectId, [name]: base.id };
  const body = { ...change, expectedUpdatedAt: base.updatedAt };
  // Which address and body go with which is said above.
  try {
    return { kind: "saved", stored: (await changeThing(write, { ...address, body } as never)) as ThingOf<K> };
  } catch (error) {
    if (failureOf(error).details?.code !== `${kind.toUpperCase()}_CHANGED`) throw error;
    const now = { ...operationOptions(read, address as never), staleTime: 0 };
    return { kind: "conflict", stored: (await queryClient.fetchQuery(now)) as ThingOf<K> };
  }
}
