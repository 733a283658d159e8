/** @module Binds the catalogue of hosts: facts of this release, the same for everyone. */

import { harnesses } from "@fettle/contract/environments";
import { loadHostCatalog } from "@fettle/mcp";
import type { Bindings } from "../../core/routing/bind.ts";
import { missing } from "../../core/routing/not-found.ts";
import { harnessTools } from "./harness-tools.ts";

export const hostCatalogBindings = {
  getHostCompatCatalog: () => loadHostCatalog(),
  listHarnessBuiltinTools: ({ params: { harnessId } }) => {
    const tools = new Map(Object.entries(harnessTools)).get(harnessId);
    if (!tools) {
      throw missing(
        `No agent runtime is called ${harnessId}.`,
        `Use one of these: ${harnesses.join(", ")}.`,
        { path: "params.harnessId" },
      );
    }
    return { items: [...tools] };
  },
} satisfies Partial<Bindings>;
