/** @module The shape of a compatibility report. */
import type { Confidence, FactSource, Provenance } from "./host-facts.ts";

/** Best first; a host gets the worst of its lanes. */
export const compatVerdicts = ["works", "unknown", "degraded", "blocked"] as const;
export type CompatVerdict = (typeof compatVerdicts)[number];

/** `apps`: the server's widgets. `server`: everything else. */
export type CompatLane = "apps" | "server";

export const compatFindingCodes = [
  "app_only_unrenderable",
  "widget_text_fallback",
  "capability_unsupported",
  "visibility_ignored",
  "protocol_version_mismatch",
  "protocol_version_negotiated",
  "transport_unsupported",
  "transport_by_agreement",
  "address_unreachable",
  "reach_unknown",
  "tool_name_rejected",
  "tool_name_too_long",
  "tool_count_exceeded",
  "schema_top_level_composition",
  "client_capability_missing",
  "client_capability_unknown",
  "annotations_ignored",
] as const;
export type CompatFindingCode = (typeof compatFindingCodes)[number];

export interface CompatFinding {
  lane: CompatLane;
  severity: "blocker" | "degraded" | "info";
  code: CompatFindingCode;
  title: string;
  detail: string;
  remediation?: string;
  tools?: string[];
  capability?: string;
  /** What was seen at the server. */
  evidence: Record<string, unknown>;
  /** How the fact about the host is known, how sure it is, and where it stands. */
  provenance: Provenance;
  confidence: Confidence;
  sources: FactSource[];
}

/** What could not be learned of the server, so that `works` would promise too much. */
export const unknownDimensions = ["tools", "tool-list-truncated", "widgets", "protocol-versions"] as const;
export type UnknownDimension = (typeof unknownDimensions)[number];

export interface HostVerdict {
  hostId: string;
  hostLabel: string;
  verdict: CompatVerdict;
  /** Something that matters is not known, whatever the verdict is: what is degraded may turn out worse. */
  hasUnknowns: boolean;
  /** How sure the facts are that the verdict rests on. */
  confidence: Confidence;
  lanes: Record<CompatLane, CompatVerdict>;
  provenance: Provenance;
  /** When the host was last looked at. */
  verifiedAt: string;
  findings: CompatFinding[];
}

export interface CompatJudgement {
  widgets: { total: number; appOnly: number };
  unknownDimensions: UnknownDimension[];
  summary: Record<CompatVerdict, number>;
  hosts: HostVerdict[];
}
