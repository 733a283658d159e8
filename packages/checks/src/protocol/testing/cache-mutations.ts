/** @module Faults in caching hints. */
import type { JsonObject } from "@fettle/mcp";
import { inResultOf, type Mutation } from "./mutation.ts";

const revision = "2026-07-28";
const secondPage = "x-second-page";

export const cacheMutations: Mutation[] = [
  {
    name: "the list of tools does not say how long it keeps",
    revision,
    message: inResultOf("tools/list", (result) => delete result.ttlMs),
    fails: ["modern-cache-hint-coverage", "wire-schema-valid"],
  },
  {
    name: "a resource does not say who may keep it",
    revision,
    message: inResultOf("resources/read", (result) => delete result.cacheScope),
    fails: ["modern-cache-hint-coverage", "wire-schema-valid"],
  },
  {
    name: "an answer keeps for less than no time",
    revision,
    message: inResultOf("prompts/list", (result) => {
      result.ttlMs = -1;
    }),
    fails: ["modern-cache-hint-values-valid", "wire-schema-valid"],
  },
  {
    name: "an answer is for everyone in a word of one's own",
    revision,
    message: inResultOf("resources/list", (result) => {
      result.cacheScope = "shared";
    }),
    fails: ["modern-cache-hint-values-valid", "wire-schema-valid"],
  },
  {
    name: "pages of one list are for different people",
    revision,
    message: inResultOf("resources/list", (result, { headers }) => {
      if (headers[secondPage]) result.cacheScope = "private";
      else result.nextCursor = "second";
    }),
    // The good server has one page, which is served twice.
    request: ({ body, headers }) => {
      const params = body?.params as JsonObject | undefined;
      if (body?.method !== "resources/list" || params?.cursor === undefined) return;
      delete params.cursor;
      headers[secondPage] = "yes";
    },
    fails: ["modern-cache-scope-stable-across-pages"],
  },
];
