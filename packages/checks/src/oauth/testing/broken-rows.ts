/** @module Broken authorization and resource servers, and what the OAuth suite finds of each. */
import type { BROKEN_SHOPS } from "@fettle/samples";
import type { OauthRunOptions } from "../run-oauth.ts";

/** What a broken server is judged by, and exactly which steps and checks fail; or are advised, since no MUST is broken. */
export interface BrokenRow {
  broken: keyof typeof BROKEN_SHOPS;
  version?: OauthRunOptions["protocolVersion"];
  /** Judged as a client known by a metadata document. */
  byDocument?: boolean;
  verification?: OauthRunOptions["verification"];
  failed: string[];
  advised?: string[];
  outcome?: string;
}

export const brokenRows: readonly BrokenRow[] = [
  { broken: "wrong-issuer", version: "2026-07-28", failed: ["received_authorization_server_metadata"] },
  { broken: "wrong-issuer", failed: ["oauth_metadata_issuer", "oauth_iss_when_advertised"] },
  { broken: "no-pkce-metadata", failed: ["received_authorization_server_metadata"] },
  { broken: "no-response-types", failed: ["received_authorization_server_metadata"] },
  { broken: "no-iss", failed: ["oauth_iss_when_advertised"] },
  { broken: "other-iss", version: "2026-07-28", failed: ["received_authorization_code"] },
  { broken: "wrong-state", failed: ["received_authorization_code"] },
  { broken: "metadata-elsewhere", failed: ["request_authorization_server_metadata"] },
  { broken: "other-resource", failed: ["received_resource_metadata"] },
  { broken: "no-authorization-servers", failed: ["received_resource_metadata"] },
  { broken: "relative-pointer", failed: ["request_resource_metadata"] },
  { broken: "no-pointer", version: "2025-06-18", failed: ["oauth_resource_metadata_challenge"] },
  { broken: "no-pointer", failed: [], outcome: "passed", advised: ["oauth_resource_metadata_challenge"] },
  {
    broken: "silent-scope",
    verification: { listTools: true },
    failed: ["verify_list_tools"],
    advised: ["oauth_insufficient_scope_challenge"],
  },
  { broken: "no-challenge", failed: ["oauth_unauthenticated_challenge", "oauth_challenge_on_get"] },
  { broken: "no-challenge-on-get", failed: ["oauth_challenge_on_get"] },
  { broken: "crashes-without-token", failed: ["request_without_token"] },
  { broken: "crashes-on-session", failed: [], outcome: "passed", advised: ["oauth_stale_session_rejection"] },
  { broken: "takes-any-token", failed: ["oauth_invalid_token"] },
  { broken: "takes-no-token", failed: ["authenticated_mcp_request"] },
  { broken: "audience-always-ours", failed: [], outcome: "incomplete" },
  { broken: "tokens-for-all", failed: [], outcome: "passed" },
  { broken: "opaque-tokens-for-all", failed: [], outcome: "passed" },
  { broken: "takes-tokens-of-others", failed: ["oauth_audience_mismatch"] },
  { broken: "takes-opaque-tokens-of-others", failed: ["oauth_audience_mismatch"] },
  { broken: "takes-tokens-of-nobody-knows-whom", failed: [], outcome: "incomplete" },
  { broken: "lists-without-handshake", verification: { listTools: true }, failed: [], outcome: "passed" },
  { broken: "answers-without-a-version", failed: [], outcome: "passed" },
  { broken: "open-redirect", failed: ["oauth_invalid_authorize_redirect"] },
  { broken: "plain-pkce", failed: [], outcome: "passed", advised: ["oauth_pkce_plain_refused"] },
  { broken: "http-document", byDocument: true, failed: ["oauth_cimd_http_client_id"] },
  { broken: "registers-anything", failed: ["oauth_dcr_http_redirect_uri"] },
  { broken: "any-client", failed: ["oauth_invalid_client"] },
  { broken: "no-pkce-check", failed: ["oauth_pkce_wrong_verifier"] },
  { broken: "no-pkce-needed", failed: ["oauth_pkce_missing_verifier"] },
  { broken: "redirect-not-compared", failed: [], outcome: "passed", advised: ["oauth_invalid_redirect"] },
  { broken: "code-reuse", failed: ["oauth_code_replay"] },
  { broken: "refresh-reuse", failed: ["oauth_refresh_rotation"] },
  { broken: "metadata-as-text", failed: ["oauth_metadata_json"] },
  { broken: "token-without-type", failed: ["oauth_token_format"] },
  { broken: "expiry-as-text", failed: ["oauth_token_format"] },
  { broken: "lying-token-endpoint", failed: ["token_request"] },
  { broken: "busy-token-endpoint", failed: [], outcome: "incomplete" },
];
