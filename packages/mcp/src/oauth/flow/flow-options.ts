/** @module What a flow is asked to do, and what its steps share while it runs. */
import { limits } from "@fettle/contract/core";
import type { HttpClient } from "../../guard/client.ts";
import type { NetworkPolicy } from "../../guard/policy.ts";
import type { JsonObject } from "../../messages/jsonrpc.ts";
import type { RecorderLimits } from "../../recording/recording.ts";
import type { BearerChallenge } from "../../wire/challenge.ts";
import type { OauthClient } from "../tokens.ts";
import type { FlowMemory } from "./flow-memory.ts";
import type { AuthMode, FlowStep, FlowStepId, OauthVersion, Registration } from "./flow-step.ts";
import type { McpQuestion } from "./mcp-question.ts";
import type { Telling } from "./telling.ts";

export interface FlowOptions {
  serverUrl: string;
  /** The rules to go by; found out when absent. */
  protocolVersion?: OauthVersion | undefined;
  /** Chosen from what is offered when absent. */
  registration?: Registration | undefined;
  authMode: AuthMode;
  /**
   * Judge the other side by the letter of the version. Otherwise: get a token by any way that is safe, and hold to the
   * newest rules of safety whatever the version.
   */
  strict: boolean;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** A private key (PEM or JWK) by which a client that is known proves itself, instead of a secret. */
  clientKey?: string | undefined;
  /** A token of the workload's own issuer, traded for one of this server (RFC 7523) where a machine asks. */
  assertion?: string | undefined;
  /** Address of our metadata document, which is our client id then. */
  clientMetadataUrl?: string | undefined;
  /** Said in a dynamic registration besides, or instead. */
  registrationMetadata?: JsonObject | undefined;
  clientName?: string | undefined;
  /** Exactly these, space separated. */
  scopes?: string | undefined;
  /** Where the person's browser comes back to. */
  redirectUri: string;
  /**
   * Sends a person to the address and answers with the one they came back to; interactive mode needs it. Undefined: they are
   * not back yet, and the flow is put down until they are.
   */
  askPerson?: ((url: string, signal: AbortSignal) => Promise<URL | undefined>) | undefined;
  /** How long a person may take. */
  personMs?: number | undefined;
  /** Sent to the MCP server alone, never to an authorization server. */
  headers?: Record<string, string> | undefined;
  /** A demand already met, instead of asking the server anew. */
  challenge?: BearerChallenge | undefined;
  /** A client that this issuer has registered before, instead of a new one. */
  clientOf?: ((issuer: string) => OauthClient | undefined | Promise<OauthClient | undefined>) | undefined;
  /** Whoever asked will use the token at once, and see whether it works. */
  isUnproven?: boolean | undefined;
  clientInfo?: { name: string; version: string } | undefined;
  stepTimeoutMs?: number | undefined;
  policy?: NetworkPolicy | undefined;
  signal?: AbortSignal | undefined;
  now?: (() => number) | undefined;
  beforeStep?: ((step: FlowStepId) => void | Promise<void>) | undefined;
  afterStep?: ((step: FlowStep) => void) | undefined;
  /** Of the same flow, earlier: it goes on where that ended. A stage that failed begins anew. */
  memory?: FlowMemory | undefined;
  /** Put down at the end of the stage it is in, instead of going on. */
  oneStage?: boolean | undefined;
  /** How much of each step's requests is kept. */
  recording?: Partial<RecorderLimits> | undefined;
}

/** What the steps of one flow share. */
export interface FlowContext {
  options: FlowOptions;
  http: HttpClient;
  telling: Telling;
  stepTimeoutMs: number;
  /** The rules in force, until something better is known. */
  version: OauthVersion;
  /** The version that the server proved to speak, in which it answered the token. */
  spoken?: string | undefined;
  /** No version was asked for. */
  isAuto: boolean;
  question(version: string, accessToken?: string): McpQuestion;
}

export const defaultStepTimeoutMs = limits.conformance.stepMs;
export const defaultPersonMs = limits.consent.personMs;

export const machineExtension = "io.modelcontextprotocol/oauth-client-credentials";
