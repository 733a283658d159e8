/** @module What an OAuth check is: judged after a clean flow, over requests that a careful server must refuse, and over what the flow has seen. */
import type { AuthMode, BearerChallenge, FlowRun, JsonObject, OauthVersion, Registration } from "@fettle/mcp";
import type { Check } from "../verdict/run-checks.ts";

export type OauthCategory = "server" | "grant" | "metadata";

/** What is known when the flow is over. */
export interface OauthFacts {
  serverUrl: string;
  version: OauthVersion;
  registration: Registration;
  authMode: AuthMode;
  /** The authorization server's metadata. */
  server: JsonObject;
  issuer: string;
  flow: FlowRun;
  /** What came back with the code. */
  iss: string | undefined;
  /** Refresh tokens may be spent. */
  mayRefresh: boolean;
}

/** An answer of the MCP server, as far as it is judged. */
export interface SeenAnswer {
  status: number;
  headers: Record<string, string>;
  challenge: BearerChallenge | undefined;
  wwwAuthenticate: string | undefined;
  isMcp: boolean;
}

/** A refusal or an acceptance by an endpoint of the authorization server. Holds no secrets. */
export interface SeenVerdict {
  status: number;
  accepted: boolean;
  error: string | undefined;
  /** The words of the refusal, or where it redirects to. */
  words: string;
}

export interface SeenDocument {
  url: string;
  status: number;
  contentType: string;
  allowsOrigin: string | undefined;
  body: unknown;
}

/** Where an authorization request led. */
export interface SeenWalk {
  kind: "came-back" | "refused" | "page";
  status: number;
  /** An OAuth error that came back. */
  error: string | undefined;
  hasCode: boolean;
  words: string;
}

/** Kinds of JSON values, for a check that must not see the values. */
export type TokenShape = Record<string, string>;

export interface OauthSeen {
  postWithoutToken: SeenAnswer;
  getWithoutToken: SeenAnswer;
  wellKnownResource: SeenDocument | undefined;
  bogusToken: SeenAnswer;
  staleSession: SeenAnswer;
  documents: SeenDocument[];
  tokenShape: TokenShape;
  evilRegistration: SeenVerdict | undefined;
  unknownClient: SeenVerdict;
  badRedirect: SeenWalk;
  otherRedirect: SeenVerdict;
  wrongVerifier: SeenVerdict;
  missingVerifier: SeenVerdict;
  plainChallenge: SeenWalk;
  replay: { first: SeenVerdict; second: SeenVerdict };
  /** Undefined: no token for another resource was to be had. */
  otherAudience: SeenAnswer | undefined;
  /** Undefined: no refresh token was given. `spent`: the old one used again, when it was replaced. */
  refresh: { fresh: SeenVerdict; works?: SeenAnswer; spent?: SeenVerdict } | undefined;
  plainHttpClient: SeenWalk;
}

export type OauthCheck = Check<OauthSeen, OauthFacts, OauthCategory>;

const rfc = (number: number, section: string) => ({
  title: `RFC ${number}, section ${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

const mcp = (section: string) => ({
  title: `MCP authorization: ${section}`,
  url: `https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#${section.toLowerCase().replaceAll(" ", "-")}`,
});

export const references = { rfc, mcp };

/** A gateway's answer says nothing about the server behind it. */
export function isPassing(status: number): boolean {
  return [408, 425, 429, 502, 503, 504].includes(status);
}

export const needsCodes = ({ authMode }: OauthFacts): string | undefined =>
  authMode === "headless"
    ? undefined
    : "It takes a code of its own, which comes without a person in headless mode only.";

export const needsConsent = ({ authMode }: OauthFacts): string | undefined =>
  authMode === "client_credentials" ? "A machine asks for itself; nobody consents." : undefined;
