/** @module From what was given and seen to evidence, in one place: the same server is graded alike on a desk and at the service. */
import type { ReadinessKind } from "@fettle/contract/servers";
import { type HttpTarget, secretsOf } from "@fettle/mcp";
import type { ReadinessEvidence, ServerEvidence } from "./evidence.ts";

/** What else is looked at for a publisher. */
export function wantedBy(kind: ReadinessKind): { domainChallenge: boolean; skills: boolean } {
  const isOther = kind === "openai";
  return { domainChallenge: isOther, skills: isOther };
}

/** What comes from outside the server: a profile, a package, a sign-in that was recorded. */
export type GivenEvidence = Pick<
  ReadinessEvidence,
  "submissionMode" | "profile" | "screenshots" | "published" | "package" | "authorizationRequests"
>;

export function gatherEvidence(
  given: GivenEvidence,
  seen?: { target: HttpTarget; server: ServerEvidence },
): ReadinessEvidence {
  return {
    ...given,
    ...(seen && { server: seen.server }),
    authMode: seen && secretsOf(seen.target).length > 0 ? "provided-token" : "headless",
    // A sign-in that was recorded elsewhere stands for what this run cannot do by itself.
    capabilities: [
      "dns",
      "raw-origin",
      ...(given.authorizationRequests ? (["interactive-oauth"] as const) : []),
    ],
  };
}
