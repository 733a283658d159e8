/** @module What a readiness grade rests on: plain data, gathered by whoever asks, so that the same evidence gives the same findings anywhere. */
import type { ReadinessAuthMode, RunnerCapability, SubmissionMode } from "@fettle/contract/servers";
import type { JsonObject } from "@fettle/mcp";
import type { SeenDocument, SeenList } from "../apps/observe-apps.ts";
import type { ProbeReport } from "../diagnostics/probe-report.ts";
import type { Surface } from "../surface/surface.ts";
import type { CheckResult } from "../verdict/check-result.ts";
import type { PackageReading } from "./package/package-reading.ts";
import type { PictureReading } from "./package/picture.ts";
import type { SubmissionProfile } from "./submission/profile.ts";

/** What may be missing, as reports name it: an input, or something the runner cannot do. */
export type ReadinessInput =
  | "serverUrl"
  | "serverAnswer"
  | "authorizationServer"
  | "submissionProfile"
  | "toolListing"
  | "toolResults"
  | "appsResult"
  | "authorizationRequests"
  | "intrusive"
  | "pluginBundle"
  | "importedSkills"
  | "publishedSnapshot"
  | RunnerCapability;

/** The way from the URL as typed to the answer, without a credential. */
export interface RedirectTrace {
  /** The first is the URL itself. */
  hops: string[];
  end: "answered" | "loop" | "too-many" | "unreachable";
  why?: string;
}

/** `unreached`: nothing answered, so nobody knows what it publishes. */
export type IssuerReading = { issuer: unknown } & (
  | { metadata: JsonObject }
  | { fault: string }
  | { unreached: string }
);

/** An answer to a connected client whose status or headers a rule is about. */
export interface SeenOperation {
  status: number;
  wwwAuthenticate?: string;
}

export interface ImportedSkill {
  name: string;
  /** As `skills/list` has it. */
  listed: JsonObject;
  /** SKILL.md and what stands beside it, by path; or why there is none. */
  files?: Record<string, string>;
  pages: number;
  largestPageBytes: number;
  fault?: string;
}

export type SkillsReading =
  | { unadvertised: true }
  | { fault: string }
  | { skills: ImportedSkill[]; truncated: boolean };

export interface ServerEvidence {
  /** As typed. */
  url: string;
  trace: RedirectTrace;
  /** Without a credential. */
  probe: ProbeReport;
  /** In the order the server names them; the first is the probe's own. */
  issuers: IssuerReading[];
  /** Why no client could look further. */
  unconnected?: string;
  /** Answers of HTTP to the connected client. */
  operations: SeenOperation[];
  tools?: SeenList;
  resources?: SeenList;
  documents?: SeenDocument[];
  /** The apps suite's own verdict on the same observations. */
  appsChecks?: CheckResult[];
  capabilities?: JsonObject;
  /** `/.well-known/openai-apps-challenge`, for publisher B. */
  domainChallenge?: { status: number; text: string } | { fault: string };
  skills?: SkillsReading;
}

/** The `resource` of one sign-in, on both requests. */
export interface AuthorizationRequest {
  authorize?: string;
  token?: string;
}

/** What a browser saw of a widget, in a narrow window. */
export interface RenderedApp {
  uri: string;
  overflowsAt320?: boolean;
  smallestTargetPx?: number;
  respectsSafeArea?: boolean;
  followsTheme?: boolean;
  transparentBackground?: boolean;
  ownScrollContainer?: boolean;
  accessibilityFaults?: number;
  handlesDisplayModes?: boolean;
  supersedesInstances?: boolean;
}

/** Asked for by a person, with a grant of their own: these leave something behind at the server. */
export interface IntrusiveEvidence {
  enabled: boolean;
  grantOrigin: "self-acquired" | "dedicated-test-account" | "borrowed";
  clientId?: string;
  registration?: { status: number; redirectUris: string[] };
  refresh?: { rotated: boolean; oldRefused: boolean };
  stepUp?: SeenOperation;
}

export interface ReadinessEvidence {
  server?: ServerEvidence;
  /** Publisher B. */
  submissionMode?: SubmissionMode;
  profile?: SubmissionProfile;
  /** The screenshots that the profile names, as their files are; where nobody could look, what it says of them counts. */
  screenshots?: Record<string, PictureReading | { unread: string }>;
  package?: PackageReading;
  authorizationRequests?: AuthorizationRequest[];
  rendered?: RenderedApp[];
  intrusive?: IntrusiveEvidence;
  /** The version that users have today. */
  published?: { url: string; surface: Surface };
  authMode: ReadinessAuthMode;
  capabilities: readonly RunnerCapability[];
}
