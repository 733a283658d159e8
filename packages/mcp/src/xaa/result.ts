/** @module What a cross-app access run reports. */
import type { JsonObject } from "../messages/jsonrpc.ts";
import type { SpoilMode } from "./grant.ts";

export const xaaSteps = [
  "verify_issuer_publication",
  "discover_resource_metadata",
  "discover_authz_metadata",
  "authorization_server_id_jag_profile",
  "authorization_server_jwt_bearer_grant",
  "request_client_registration",
  "fetch_client_metadata_document",
  "select_token_endpoint_auth_method",
  "mint_id_jag",
  "redeem_id_jag",
  "authenticated_mcp_request",
  "mcp_xaa_extension",
] as const;
export type XaaStepName = (typeof xaaSteps)[number];

export interface XaaStep {
  step: XaaStepName;
  ok: boolean;
  detail: string;
}

/** Whether a server says that it supports something; `unknown` when its metadata was not read. */
export type Evidence = "advertised" | "not_advertised" | "unknown";

export type TokenEndpointAuthMethod =
  | "none"
  | "client_secret_basic"
  | "client_secret_post"
  | "private_key_jwt";

export interface RegistrationWarning {
  code: string;
  message: string;
}

export interface NegativeProbe {
  mode: SpoilMode;
  /** `rejected` is good; `accepted` is a risk unless it depends on policy. */
  outcome: "rejected" | "accepted" | "inconclusive";
  status?: number;
  error?: string;
  risk?: string;
  policyDependent?: boolean;
}

export interface XaaResult {
  completed: boolean;
  issuer: string;
  registration: {
    strategy: "preregistered" | "dcr" | "cimd";
    clientId?: string;
    reused: boolean;
    warnings: RegistrationWarning[];
  };
  authzServerIssuer?: string;
  tokenEndpoint?: string;
  authorizationServerCapabilities?: {
    idJagProfile: Evidence;
    jwtBearerGrant: Evidence;
    tokenEndpointAuthMethods?: string[];
    selectedTokenEndpointAuthMethod: TokenEndpointAuthMethod;
  };
  idJag?: { token: "[REDACTED]"; claims: JsonObject; verified: boolean; verifyError?: string };
  redemption?: { status: number; tokenIssued: boolean; error?: string; body?: unknown };
  mcp?: { status: number | null; ok: boolean; error?: string; xaaExtension: Evidence };
  negativeProbes?: NegativeProbe[];
  steps: XaaStep[];
  error?: string;
  hint?: string;
}
