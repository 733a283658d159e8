/** @module What a probe reports: each request made by hand, what came back, and what that says about the server. */
import type { JsonObject } from "@fettle/mcp";
import type { ObservedFailure } from "./observed-failure.ts";

export type ProbeStatus = "ready" | "oauth_required" | "reachable" | "error";

export type AttemptName =
  | "server_discover"
  | "streamable_initialize"
  | "sse_probe"
  | "resource_metadata"
  | "authorization_server_metadata";

export interface ProbeAttempt {
  name: AttemptName;
  request: { method: string; url: string; headers: Record<string, string>; body?: unknown };
  response?: {
    status: number;
    statusText: string;
    headers: Record<string, string>;
    contentType?: string;
    /** Parsed when it is JSON or an event that holds JSON; else its first characters. */
    body?: unknown;
  };
  error?: string;
  durationMs: number;
}

export type RegistrationStrategy = "preregistered" | "dcr" | "cimd";

export interface ProbeOauth {
  required: boolean;
  /** Works without a token, and publishes how to get one. */
  optional: boolean;
  wwwAuthenticate?: string;
  resourceMetadataUrl?: string;
  resourceMetadata?: JsonObject;
  authorizationServerMetadataUrl?: string;
  authorizationServerMetadata?: JsonObject;
  /** Nothing answered there: nobody knows what it publishes. */
  authorizationServerUnreached?: true;
  registrationStrategies: RegistrationStrategy[];
  discoveryError?: string;
}

export interface ProbeReport {
  url: string;
  /** The version asked for, until the server names another. */
  protocolVersion: string;
  status: ProbeStatus;
  transport: { selected?: "streamable-http" | "sse"; attempts: ProbeAttempt[] };
  initialize?: {
    protocolVersion?: string;
    serverInfo?: JsonObject;
    capabilities?: JsonObject;
    contentType?: string;
  };
  oauth: ProbeOauth;
  error?: string;
}

/** The report, and the failure behind an `error` for whoever wants its cause. */
export interface ProbeFindings {
  report: ProbeReport;
  failure?: ObservedFailure;
}
