/** @module Binds the catalogue of hosts: facts of this release, the same for everyone. */
import { loadHostCatalog } from "@fettle/mcp";
import type { Bindings } from "../../core/routing/bind.ts";

export const hostCatalogBindings = {
  getHostCompatCatalog: () => loadHostCatalog(),
} satisfies Partial<Bindings>;
