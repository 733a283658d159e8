/** @module What an OAuth check is: judged after a clean flow, over requests that a careful server must refuse, and over what the flow has seen. */
import type { RuleWord } from "@fettle/contract/servers";
import {
  type AuthMode,
  type BearerChallenge,
  type FlowRun,
  type JsonObject,
  type OauthVersion,
  oauthVersions,
  type Registration,
  type TokenAudience,
} from "@fettle/mcp";
import type { JudgingFacts, Rule } from "../verdict/rule.ts";
import type { Check } from "../verdict/run-checks.ts";

export type OauthCategory = "server" | "grant" | "metadata";

/** What is known when the flow is over. */
export interface OauthFacts extends JudgingFacts {
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
  /** The client holds no secret, so its refresh tokens are as good as their keeping. */
  isPublic: boolean;
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

/** Whom the token that was shown is for, and whom this server's own token. */
export interface SeenAudience {
  asked: string;
  audience: TokenAudience | { unknown: string };
  own: TokenAudience | { unknown: string };
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
  otherAudience: (SeenAnswer & SeenAudience) | undefined;
  /** Undefined: no refresh token was given. `spent`: the old one used again, when it was replaced. */
  refresh: { fresh: SeenVerdict; works?: SeenAnswer; spent?: SeenVerdict } | undefined;
  plainHttpClient: SeenWalk;
}

export type OauthCheck = Check<OauthSeen, OauthFacts, OauthCategory>;

/** A sentence of an RFC that the specification builds on, in the revisions named or in all. */
export function rfc(word: RuleWord, number: number, section: string, binds?: readonly OauthVersion[]): Rule {
  return {
    word,
    title: `RFC ${number}, section ${section}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
    revision: `RFC ${number}`,
    ...(binds && { binds }),
  };
}

/** A sentence of MCP's own pages; of the page of authorization unless another is named. */
export function mcp(
  word: RuleWord,
  versions: readonly OauthVersion[],
  title: string,
  page = "basic/authorization",
): Rule[] {
  return versions.map((revision) => ({
    word,
    title: `MCP: ${title}`,
    url: `https://modelcontextprotocol.io/specification/${revision}/${page}#${title.toLowerCase().replaceAll(" ", "-")}`,
    revision,
    binds: [revision],
  }));
}

/** From 2025-06-18 on a server is told apart from the authorization server. */
export const sinceResources = oauthVersions.filter((version) => version >= "2025-06-18");
/** Until 2025-11-25 one page holds all rules of authorization. */
export const onePage = oauthVersions.filter((version) => version < "2026-07-28");

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
