/** @module The catalogue of hosts as a document that one deployment can hand to another: versioned, dated, hashed. */
import { createHash } from "node:crypto";
import { type HostProfile, loadHosts } from "./host.ts";

/** Raised with every change to the facts. */
const catalogVersion = 2;

export interface HostCatalog {
  schemaVersion: 1;
  version: number;
  /** Of the facts alone; the same facts have the same hash. */
  contentHash: string;
  publishedAt: number;
  /** `bundled`: as this release brings it. */
  source: "live" | "bundled";
  catalog: HostProfile[];
}

/** The facts, without the templates that clients are made from. */
export async function loadHostCatalog(): Promise<HostCatalog> {
  const catalog = (await loadHosts()).map(({ template: _template, ...facts }) => facts);
  const days = catalog.map(({ verifiedAt }) => Date.parse(verifiedAt));
  return {
    schemaVersion: 1,
    version: catalogVersion,
    contentHash: `sha256:${createHash("sha256").update(JSON.stringify(catalog)).digest("hex")}`,
    publishedAt: Math.max(...days),
    source: "bundled",
    catalog,
  };
}
