/** @module What the catalogue knows of a host, as far as compatibility rests on it. */
import type { HostProfile, JsonObject } from "@fettle/mcp";

/** How a fact came to be known, weakest first. */
export const provenances = ["assumed", "probe", "vendor-doc", "observed"] as const;
export type Provenance = (typeof provenances)[number];

export type Confidence = "low" | "medium" | "high";

/** Where a fact stands, or stood on a day. */
export interface FactSource {
  url?: string;
  note?: string;
  date: string;
}

/** What a host refuses, and what it does with what it refuses. */
export interface HostLimits {
  toolNamePattern?: string;
  toolNameMaxLength?: number;
  /** Put before every tool's name; `{server}` stands for the name the server was installed under. */
  toolNamePrefix?: string;
  prefixCountsTowardLength?: boolean;
  combinedServerAndToolNameMaxLength?: number;
  maxTools?: number;
  maxToolsSent?: number;
  maxToolsConfidence?: Confidence;
  topLevelSchemaComposition?: "rejected" | "tool-dropped";
  onViolation?: "session-rejected" | "tool-dropped" | "listing-rejected" | "request-error";
  remoteServerRequired?: boolean;
  supportedToolAnnotations?: string[];
  evidence: FactSource[];
  confidence: Confidence;
}

/** Which servers a host gets to: an absent fact is not known. */
export interface HostReach {
  /** It starts processes; or only in its desktop app, and for partners that its vendor approved. */
  stdio?: boolean | "approved-desktop-partners";
  /** It speaks the HTTP+SSE transport of 2024-11-05. */
  sse?: boolean;
  /** It connects from the person's own machine or network; otherwise only a public HTTPS address will do. */
  privateAddresses?: boolean;
  evidence: FactSource[];
  confidence: Confidence;
}

export interface HostFacts extends HostProfile {
  provenance: Provenance;
  verifiedAt: string;
  apps: {
    rendersMcpApps: boolean;
    rendersOpenAiApps: boolean;
    /** By name; null: nothing is known. */
    capabilities: JsonObject | null;
    openAiAppsOverrides?: JsonObject;
    sandbox: { permissions?: { allow?: Record<string, boolean> } } | null;
  };
  limits: HostLimits | null;
  reach?: HostReach;
  /** It is known to call tools as tasks; before 2026-07-28 no capability of a client says so. */
  callsAsTasks?: boolean;
  vendorEvidence?: { sourceUrl: string; sourceUpdatedAt: string };
}

/** The catalogue is our own data; a test holds every host to this shape. */
export function factsOf(profile: HostProfile): HostFacts {
  return profile as HostFacts;
}

const probed: Record<Exclude<Provenance, "vendor-doc">, string> = {
  assumed: "assumed, not verified",
  probe: "what the host sent and did when it was probed",
  observed: "observed in use",
};

/** Where what is known of a host itself comes from. */
export function sourcesOf({ provenance, verifiedAt, vendorEvidence }: HostFacts): FactSource[] {
  if (provenance !== "vendor-doc") return [{ note: probed[provenance], date: verifiedAt }];
  return vendorEvidence
    ? [{ url: vendorEvidence.sourceUrl, date: vendorEvidence.sourceUpdatedAt }]
    : [{ note: "the vendor's documentation", date: verifiedAt }];
}
