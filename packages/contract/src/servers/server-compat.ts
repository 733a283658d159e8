/** @module On which AI hosts a server works, as a page shows it. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";

const Verdict = z.enum(["works", "unknown", "degraded", "blocked"]);
const Provenance = z.enum(["assumed", "probe", "vendor-doc", "observed"]);

const Confidence = z.enum(["low", "medium", "high"]);

const Finding = z.looseObject({
  lane: z.enum(["apps", "server"]),
  severity: z.enum(["blocker", "degraded", "info"]),
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  remediation: z.string().optional(),
  tools: z.array(z.string()).optional(),
  capability: z.string().optional(),
  evidence: z.record(z.string(), z.unknown()),
  provenance: Provenance,
  confidence: Confidence,
  sources: z.array(
    z.looseObject({ url: z.string().optional(), note: z.string().optional(), date: z.string() }),
  ),
});

export const ServerCompat = z
  .strictObject({
    checkedAt: Timestamp,
    /** Of the facts about hosts it was judged by. */
    catalogVersion: z.int(),
    protocolVersions: z.array(z.looseObject({ version: z.string(), is: z.string() })),
    toolCount: z.int().nullable(),
    widgets: z.strictObject({ total: z.int(), appOnly: z.int() }),
    unknownDimensions: z.array(z.string()),
    summary: z.strictObject({
      works: z.int(),
      unknown: z.int(),
      degraded: z.int(),
      blocked: z.int(),
    }),
    hosts: z.array(
      z.looseObject({
        hostId: z.string(),
        hostLabel: z.string(),
        verdict: Verdict,
        hasUnknowns: z
          .boolean()
          .describe("Something that matters is not known, whatever the verdict is: it may turn out worse"),
        confidence: Confidence.describe("How sure the facts are that the verdict rests on"),
        provenance: Provenance,
        verifiedAt: z.string(),
        findings: z.array(Finding),
      }),
    ),
  })
  .meta({ id: "ServerCompat" });
export type ServerCompat = z.output<typeof ServerCompat>;
