/** @module Faults in what a server says about its tools, and in what they answer. */
import type { JsonObject } from "@fettle/mcp";
import { inResultOf, type Mutation } from "./mutation.ts";

export const toolMutations: Mutation[] = [
  {
    name: "a tool has no name",
    revision: "2025-11-25",
    message: inResultOf("tools/list", (result) => {
      const [first] = result.tools as JsonObject[];
      delete first?.name;
    }),
    fails: ["tools-list"],
  },
  {
    name: "an input schema is that of a text",
    revision: "2026-07-28",
    message: inResultOf("tools/list", (result) => {
      const [first] = result.tools as JsonObject[];
      if (first) first.inputSchema = { type: "string" };
    }),
    fails: ["tools-input-schemas-valid"],
  },
];
