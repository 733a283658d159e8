/** @module Every mutation, group by group. */
import { askedMutations } from "./asked-mutations.ts";
import { cacheMutations } from "./cache-mutations.ts";
import { envelopeMutations } from "./envelope-mutations.ts";
import { lifecycleMutations } from "./lifecycle-mutations.ts";
import type { Mutation, Revision } from "./mutation.ts";
import { readingMutations } from "./reading-mutations.ts";
import { roundTripMutations } from "./round-trip-mutations.ts";
import { routingMutations } from "./routing-mutations.ts";
import { subscriptionMutations } from "./subscription-mutations.ts";
import { toolMutations } from "./tool-mutations.ts";
import { trafficMutations } from "./traffic-mutations.ts";
import { transportMutations } from "./transport-mutations.ts";
import { wireMutations } from "./wire-mutations.ts";

/** What the sample without any fault is advised of, by the library it is built on. */
export const unharmedAdvice: Record<Revision, readonly string[]> = {
  "2025-11-25": ["logging-invalid-level", "resource-not-found"],
  "2026-07-28": [],
};

export const mutationGroups = {
  lifecycle: lifecycleMutations,
  tools: toolMutations,
  reading: readingMutations,
  transport: transportMutations,
  envelope: envelopeMutations,
  routing: routingMutations,
  caches: cacheMutations,
  subscriptions: subscriptionMutations,
  "round trips": roundTripMutations,
  wire: wireMutations,
  traffic: trafficMutations,
  asked: askedMutations,
} satisfies Record<string, readonly Mutation[]>;

export const mutations: readonly Mutation[] = Object.values(mutationGroups).flat();
