/** @module Every mutation, group by group. */
import { lifecycleMutations } from "./lifecycle-mutations.ts";
import type { Mutation } from "./mutation.ts";
import { readingMutations } from "./reading-mutations.ts";
import { toolMutations } from "./tool-mutations.ts";
import { transportMutations } from "./transport-mutations.ts";

export const mutations: readonly Mutation[] = [
  ...lifecycleMutations,
  ...toolMutations,
  ...readingMutations,
  ...transportMutations,
];
