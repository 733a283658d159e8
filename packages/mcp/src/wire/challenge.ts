/** @module Reading `WWW-Authenticate`: several schemes in one header, quoted values, and the parameters MCP needs. */

import { type WireProblem, wireProblem } from "./wire-problem.ts";

export interface AuthChallenge {
  scheme: string;
  parameters: Record<string, string>;
}

export interface BearerChallenge {
  /** URL of the protected-resource metadata, as the server wrote it. */
  resourceMetadata?: string;
  scope?: string;
  error?: string;
  errorDescription?: string;
  realm?: string;
}

declare module "../failure.ts" {
  interface FailureDetails {
    /** How the server asks for a token. */
    challenge?: BearerChallenge;
  }
}

const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const maxHeaderLength = 8_192;

/** What is wrong with a challenge, beside what it asks for. */
export function challengeProblems({ resourceMetadata }: BearerChallenge = {}): WireProblem[] {
  const isWeb =
    resourceMetadata === undefined || /^https?:$/.test(URL.parse(resourceMetadata)?.protocol ?? "");
  return isWeb ? [] : [wireProblem("RESOURCE_METADATA_INVALID", resourceMetadata)];
}

/** All challenges of a header, in order. Nonsense yields what could be read before it. */
export function parseChallenges(header: string | undefined): AuthChallenge[] {
  const text = (header ?? "").slice(0, maxHeaderLength);
  const challenges: AuthChallenge[] = [];
  let at = 0;

  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const separators = /[\s,]*/y;
  const spaces = /[ \t]*/y;
  const equals = /[ \t]*=[ \t]*/y;
  const quoted = /"(?:[^"\\]|\\.)*"/y;
  const token68 = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;

  for (;;) {
    read(separators);
    const scheme = read(token);
    if (scheme === undefined) return challenges;
    const challenge: AuthChallenge = { scheme, parameters: {} };
    challenges.push(challenge);
    read(spaces);
    // `Negotiate YII…=` carries one opaque token instead of parameters.
    if (read(token68) !== undefined) continue;
    for (;;) {
      const rewind = at;
      read(separators);
      const name = read(token);
      if (name === undefined || read(equals) === undefined) {
        at = rewind;
        break;
      }
      const value = read(quoted)?.slice(1, -1).replace(/\\(.)/g, "$1") ?? read(token) ?? "";
      challenge.parameters[name.toLowerCase()] = value;
    }
  }
}

/** The `Bearer` challenge, the one that points at metadata first. */
export function parseBearerChallenge(header: string | undefined): BearerChallenge | undefined {
  const bearers = parseChallenges(header).filter(({ scheme }) => scheme.toLowerCase() === "bearer");
  const chosen = bearers.find(({ parameters }) => parameters.resource_metadata) ?? bearers[0];
  if (!chosen) return undefined;
  const { resource_metadata, scope, error, error_description, realm } = chosen.parameters;
  return {
    ...(resource_metadata !== undefined && { resourceMetadata: resource_metadata }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
    ...(error_description !== undefined && { errorDescription: error_description }),
    ...(realm !== undefined && { realm }),
  };
}
