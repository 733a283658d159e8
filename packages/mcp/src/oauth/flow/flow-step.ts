/** @module What an OAuth flow is made of: its versions, ways and steps, and the record each step leaves behind. */
import type { HttpEntry } from "../../recording/recording.ts";

export const oauthVersions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type OauthVersion = (typeof oauthVersions)[number];

/** How a client becomes known: by a document at its id (cimd), by asking (dcr), or beforehand. */
export const registrations = ["cimd", "dcr", "preregistered"] as const;
export type Registration = (typeof registrations)[number];

export const authModes = ["interactive", "headless", "client_credentials"] as const;
export type AuthMode = (typeof authModes)[number];

/** In order; which of them a flow takes depends on its version, registration and mode. */
export const flowSteps = {
  request_without_token: "Ask the server without a token",
  received_401_unauthorized: "Read its demand",
  discovery_start: "Take the server's origin for its authorization server",
  request_resource_metadata: "Look for the resource's metadata",
  received_resource_metadata: "Read the resource's metadata",
  request_authorization_server_metadata: "Look for the authorization server's metadata",
  received_authorization_server_metadata: "Read the authorization server's metadata",
  cimd_prepare: "Prepare to be known by a metadata document",
  cimd_fetch_request: "Fetch our own metadata document",
  cimd_metadata_response: "Read our own metadata document",
  request_client_registration: "Register as a client",
  received_client_credentials: "Know who we are to the authorization server",
  generate_pkce_parameters: "Make the proof of who asked",
  authorization_request: "Ask for consent",
  received_authorization_code: "Read the answer of the authorization server",
  token_request: "Ask for a token",
  received_access_token: "Read the token",
  authenticated_mcp_request: "Ask the server with the token",
  complete: "Done",
  verify_list_tools: "List the tools with the token",
  verify_call_tool: "Call a tool with the token",
} as const;
export type FlowStepId = keyof typeof flowSteps;

/** The steps as a person goes through them: what is asked and what is made of the answer belong together. */
export const flowStages = [
  {
    id: "challenge",
    title: "Ask without a token",
    about: "The server says that it wants a token, and where to learn more.",
    steps: ["request_without_token", "received_401_unauthorized"],
  },
  {
    id: "resource",
    title: "Read the resource's metadata",
    about: "Who may give tokens for this server.",
    steps: ["discovery_start", "request_resource_metadata", "received_resource_metadata"],
  },
  {
    id: "issuer",
    title: "Read the authorization server's metadata",
    about: "Its endpoints, and what it supports.",
    steps: ["request_authorization_server_metadata", "received_authorization_server_metadata"],
  },
  {
    id: "registration",
    title: "Become a client",
    about: "By a metadata document, by registering on the spot, or as one that is known.",
    steps: [
      "cimd_prepare",
      "cimd_fetch_request",
      "cimd_metadata_response",
      "request_client_registration",
      "received_client_credentials",
    ],
  },
  {
    id: "consent",
    title: "Ask a person",
    about: "They agree at the authorization server, and come back with a code.",
    steps: ["generate_pkce_parameters", "authorization_request", "received_authorization_code"],
  },
  {
    id: "token",
    title: "Trade the code for a token",
    about: "With the proof of who asked, and for this server alone.",
    steps: ["token_request", "received_access_token"],
  },
  {
    id: "call",
    title: "Call the server with it",
    about: "A token is good only if the server takes it.",
    steps: ["authenticated_mcp_request", "complete", "verify_list_tools", "verify_call_tool"],
  },
] as const satisfies readonly { id: string; title: string; about: string; steps: readonly FlowStepId[] }[];
export type FlowStage = (typeof flowStages)[number]["id"];

const withResourceMetadata: FlowStepId[] = [
  "request_without_token",
  "received_401_unauthorized",
  "request_resource_metadata",
  "received_resource_metadata",
];
const registrationSteps: Record<Registration, FlowStepId[]> = {
  cimd: ["cimd_prepare", "cimd_fetch_request", "cimd_metadata_response"],
  dcr: ["request_client_registration"],
  preregistered: [],
};

/** The steps of a flow that goes well, up to `complete`. */
export function plannedSteps(version: OauthVersion, registration: Registration): FlowStepId[] {
  return [
    ...(version === "2025-03-26" ? (["discovery_start"] as const) : withResourceMetadata),
    "request_authorization_server_metadata",
    "received_authorization_server_metadata",
    ...registrationSteps[registration],
    "received_client_credentials",
    "generate_pkce_parameters",
    "authorization_request",
    "received_authorization_code",
    "token_request",
    "received_access_token",
    "authenticated_mcp_request",
    "complete",
  ];
}

/** A choice that was made, and why: what a person would want to know who wonders how it came about. */
export interface Decision {
  about: string;
  offered?: unknown;
  picked: unknown;
  why: string;
}

export interface FlowStep {
  step: FlowStepId;
  title: string;
  /** What came of it, as a sentence. */
  summary: string;
  status: "passed" | "failed" | "skipped";
  durationMs: number;
  decisions: Decision[];
  notes: string[];
  /** Allowed, but not as it should be. */
  warnings: string[];
  /** Every request of this step, without secrets. */
  exchanges: HttpEntry[];
  failure?: FlowFailure;
}

export interface FlowFailure {
  /** Code of the `McpError`: `OAUTH` is the other side's fault, a network's code is nobody's. */
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, unknown>;
}
