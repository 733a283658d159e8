/** @module How Claude comes to a token: what a challenge, the metadata and the authorization server must say. */
import { canonicalResource, parseBearerChallenge } from "@fettle/mcp";
import type { AuthorizationRequest } from "../evidence.ts";
import { metadataFault } from "../oauth-facts.ts";
import {
  informational,
  notApplicable,
  notEvaluated,
  type ReadinessRule,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { guardOf, judgeIssuers, listOf, ofGuarded, ofIssuer, ofServer } from "../server-facts.ts";
import { rulesOf } from "../shared-rules.ts";
import { claudeSource } from "./source.ts";

const common = {
  lane: "runtime-compatibility",
  provenance: "wire",
  intrusiveness: "passive",
  source: claudeSource("authentication", "Authentication"),
} as const;

export const claudeAuthRules: readonly ReadinessRule[] = rulesOf(common, [
  {
    id: "claude.auth.unauthenticated-challenge",
    title: "A request without a token is answered with 401",
    class: "runtime-blocker",
    remediation: "Answer 401 with WWW-Authenticate to a request that brings no token.",
    judge: ofServer((server) => {
      const guard = guardOf(server);
      switch (guard.is) {
        case "open":
          return notApplicable("The server asks for no authorization.");
        case "guarded":
          return satisfied();
        case "odd":
          return violated(`It answers ${guard.status} instead of 401.`);
        case "unknown":
          return notEvaluated("serverAnswer", guard.why);
      }
    }),
  },
  {
    id: "claude.auth.challenge-names-resource-metadata",
    title: "The challenge says where the metadata is",
    class: "runtime-blocker",
    remediation: 'Add resource_metadata="…" to WWW-Authenticate.',
    judge: ofGuarded((_server, guard) => {
      if (guard.is !== "guarded") return notApplicable("There is no challenge.");
      if (guard.header === undefined) return violated("The 401 has no WWW-Authenticate header.");
      return guard.pointer === undefined
        ? violated("WWW-Authenticate names no resource_metadata.", { header: guard.header })
        : satisfied();
    }),
  },
  {
    id: "claude.auth.no-challenge-on-successful-operation",
    title: "What succeeds carries no challenge",
    class: "recommended",
    remediation: "Send WWW-Authenticate with 401 and 403 only.",
    judge: ofServer((server) => {
      const good = server.operations.filter(({ status }) => status >= 200 && status < 300);
      if (good.length === 0) return notEvaluated("serverAnswer", server.unconnected ?? "Nothing succeeded.");
      const challenged = good.filter(({ wwwAuthenticate }) => wwwAuthenticate !== undefined);
      return verdictOf(
        challenged.map(({ status }) => `An answer with status ${status} carries WWW-Authenticate.`),
      );
    }),
  },
  {
    id: "claude.auth.prm-discoverable",
    title: "Protected-resource metadata is found at the server's own origin",
    class: "runtime-blocker",
    remediation: "Publish /.well-known/oauth-protected-resource at the server's origin (RFC 9728).",
    judge: ofGuarded((server, guard) => metadataFault(server, guard) ?? satisfied()),
  },
  {
    id: "claude.auth.prm-resource-matches-entered-url",
    title: "The metadata is for exactly the address that people enter",
    class: "runtime-blocker",
    remediation: "Set `resource` to the listed URL, character for character.",
    judge: ofGuarded(({ url, probe }) => {
      const metadata = probe.oauth.resourceMetadata;
      if (!metadata) return notEvaluated("serverAnswer", "There is no protected-resource metadata to read.");
      return metadata.resource === url
        ? satisfied()
        : violated(`resource is ${JSON.stringify(metadata.resource) ?? "missing"}, not ${url}.`);
    }),
  },
  {
    id: "claude.auth.rfc8707-resource-canonical",
    title: "Sign-ins name the server's canonical address as resource",
    class: "required",
    requiresCapabilities: ["interactive-oauth"],
    source: claudeSource("authentication", "Resource indicators"),
    judge: ofGuarded(({ url }, _guard, { authorizationRequests: seen }) => {
      if (!seen || seen.length === 0) {
        return notEvaluated("authorizationRequests", "No sign-in was recorded.");
      }
      return verdictOf(seen.flatMap((request) => resourceFaults(request, canonicalResource(url))));
    }),
  },
  {
    id: "claude.auth.first-authorization-server-usable",
    title: "The first authorization server publishes its metadata",
    class: "runtime-blocker",
    remediation: "Put the authorization server that works first; later entries are never tried.",
    judge: ofGuarded((server) => {
      if (!server.probe.oauth.resourceMetadata) {
        return notEvaluated("serverAnswer", "There is no protected-resource metadata to read.");
      }
      return judgeIssuers([server.issuers[0]]);
    }),
  },
  {
    id: "claude.auth.pkce-s256-advertised",
    title: "The authorization server advertises PKCE with S256",
    class: "required",
    remediation: 'Add "S256" to code_challenge_methods_supported.',
    judge: ofIssuer(({ code_challenge_methods_supported: methods }) =>
      listOf(methods).includes("S256")
        ? satisfied()
        : violated(`code_challenge_methods_supported is ${JSON.stringify(methods) ?? "missing"}.`),
    ),
  },
  {
    id: "claude.auth.cimd-flag-consistent",
    title: "Support of client metadata documents is said consistently",
    class: "required",
    judge: ofIssuer(({ client_id_metadata_document_supported: flag, response_types_supported: types }) => {
      if (flag === undefined) return notApplicable("Client metadata documents are not mentioned.");
      if (typeof flag !== "boolean")
        return violated(`client_id_metadata_document_supported is ${JSON.stringify(flag)}.`);
      return flag && !listOf(types).includes("code")
        ? violated("Client metadata documents are supported, but the response type code is not.")
        : satisfied();
    }),
  },
  {
    id: "claude.auth.client-acquisition-path",
    title: "Claude can become a client by itself",
    class: "required",
    judge: ofIssuer(({ registration_endpoint: endpoint, client_id_metadata_document_supported: cimd }) => {
      if (typeof endpoint === "string") return satisfied({ path: "oauth-dcr" });
      if (cimd === true) return satisfied({ path: "oauth-cimd" });
      return informational("Clients do not register by themselves: one has to be agreed on.", {
        path: "oauth-preregistered",
      });
    }),
  },
  {
    id: "claude.auth.insufficient-scope-challenge-shape",
    title: "A lack of scope is said so that it can be asked for",
    class: "required",
    remediation: 'Answer 403 with error="insufficient_scope", scope and resource_metadata.',
    judge: ofServer((server) => {
      const { operations, unconnected } = server;
      const guard = guardOf(server);
      if (guard.is === "unknown") return notEvaluated("serverAnswer", unconnected ?? guard.why);
      // Where nobody needs a token a 403 without a challenge is about something else.
      const refused = operations.filter(
        ({ status, wwwAuthenticate }) =>
          status === 403 && (guard.is !== "open" || wwwAuthenticate !== undefined),
      );
      if (refused.length === 0) return notApplicable("No 403 was seen.");
      return verdictOf(refused.flatMap(({ wwwAuthenticate }) => scopeFaults(wwwAuthenticate)));
    }),
  },
  {
    id: "claude.auth.access-token-audience",
    title: "Access tokens are for this server alone",
    lane: "experience-insights",
    class: "manual-review",
    provenance: "manual",
    judge: ofGuarded(() => informational("Whom a token is for cannot be seen from outside: look it up.")),
  },
]);

function resourceFaults({ authorize, token }: AuthorizationRequest, canonical: string): string[] {
  return Object.entries({ authorization: authorize, token }).flatMap(([which, resource]) =>
    resource === canonical
      ? []
      : [`The ${which} request names ${resource ?? "no resource"}, not ${canonical}.`],
  );
}

export function scopeFaults(header: string | undefined): string[] {
  const challenge = parseBearerChallenge(header);
  if (!challenge) return ["The 403 has no Bearer challenge."];
  return [
    ...(challenge.error === "insufficient_scope" ? [] : ["The challenge does not say insufficient_scope."]),
    ...(challenge.scope === undefined ? ["The challenge names no scope."] : []),
    ...(challenge.resourceMetadata === undefined ? ["The challenge names no resource_metadata."] : []),
  ];
}
