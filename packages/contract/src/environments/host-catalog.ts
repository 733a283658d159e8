/** @module What is known about each MCP host, as compatibility is judged by it. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";

/** More facts than these stand in each host; what matters to a reader is where they come from. */
const HostEntry = z.looseObject({
  id: z.string(),
  label: z.string(),
  provenance: z.enum(["assumed", "probe", "vendor-doc", "observed"]),
  verifiedAt: z.string(),
});

export const HostCatalog = z
  .strictObject({
    schemaVersion: z.literal(1),
    version: z.int(),
    contentHash: z.string(),
    publishedAt: Timestamp,
    source: z.enum(["live", "bundled"]),
    catalog: z.array(HostEntry),
  })
  .meta({ id: "HostCatalog" });
export type HostCatalog = z.output<typeof HostCatalog>;
