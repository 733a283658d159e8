/** @module Every mutation, group by group. */
import { cacheMutations } from "./cache-mutations.ts";
import { envelopeMutations } from "./envelope-mutations.ts";
import { lifecycleMutations } from "./lifecycle-mutations.ts";
import type { Mutation } from "./mutation.ts";
import { readingMutations } from "./reading-mutations.ts";
import { roundTripMutations } from "./round-trip-mutations.ts";
import { routingMutations } from "./routing-mutations.ts";
import { subscriptionMutations } from "./subscription-mutations.ts";
import { toolMutations } from "./tool-mutations.ts";
import { transportMutations } from "./transport-mutations.ts";
import { wireMutations } from "./wire-mutations.ts";

export const mutations: readonly Mutation[] = [
  ...lifecycleMutations,
  ...toolMutations,
  ...readingMutations,
  ...transportMutations,
  ...envelopeMutations,
  ...routingMutations,
  ...cacheMutations,
  ...subscriptionMutations,
  ...roundTripMutations,
  ...wireMutations,
];
