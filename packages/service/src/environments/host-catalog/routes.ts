/** @module Binds the catalogue of hosts: facts of this release, the same for everyone. */
import type { HostCatalog } from "@fettle/contract/environments";
import { loadHostCatalog } from "@fettle/mcp";
import type { Bindings } from "../../core/routing/bind.ts";

export const hostCatalogBindings = {
  // Our own data; the test of the operation holds it to the contract.
  getHostCompatCatalog: async () => (await loadHostCatalog()) as unknown as HostCatalog,
} satisfies Partial<Bindings>;
