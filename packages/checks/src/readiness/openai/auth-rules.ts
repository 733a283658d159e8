/** @module How ChatGPT reaches a server and comes to a token. */
import { metadataFault } from "../oauth-facts.ts";
import { notApplicable, notEvaluated, type ReadinessRule, satisfied, verdictOf, violated } from "../rule.ts";
import { guardOf, judgeIssuers, listOf, ofGuarded, ofIssuer, ofServer } from "../server-facts.ts";
import { endpointRules, rulesOf } from "../shared-rules.ts";
import { openaiSource } from "./source.ts";

const common = {
  lane: "runtime-compatibility",
  provenance: "wire",
  intrusiveness: "passive",
  source: openaiSource("auth", "Authorization"),
} as const;

export const openaiAuthRules: readonly ReadinessRule[] = [
  ...endpointRules("openai.endpoint", openaiSource("review", "MCP server requirements")),
  ...rulesOf(common, [
    {
      id: "openai.endpoint.path",
      title: "The server is at /mcp",
      class: "recommended",
      source: openaiSource("server", "Endpoint"),
      judge: ofServer(({ url }) =>
        new URL(url).pathname === "/mcp" ? satisfied() : violated(`The path is ${new URL(url).pathname}.`),
      ),
    },
    {
      id: "openai.auth.challenge",
      title: "A request without a token is answered with 401 and a challenge",
      class: "runtime-blocker",
      remediation: "Answer 401 with WWW-Authenticate to a request that brings no token.",
      judge: ofServer((server) => {
        const guard = guardOf(server);
        if (guard.is === "open") return notApplicable("The server asks for no authorization.");
        if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
        if (guard.is === "odd") return violated(`It answers ${guard.status} instead of 401.`);
        return guard.header === undefined ? violated("The 401 has no WWW-Authenticate header.") : satisfied();
      }),
    },
    {
      id: "openai.auth.prm-pointer",
      title: "The challenge says where the metadata is",
      class: "required",
      remediation: 'Add resource_metadata="…" to WWW-Authenticate.',
      judge: ofGuarded((_server, guard) => {
        if (guard.is !== "guarded") return notApplicable("There is no challenge.");
        return guard.pointer === undefined
          ? violated("WWW-Authenticate names no resource_metadata.")
          : satisfied();
      }),
    },
    {
      id: "openai.auth.prm-discoverable",
      title: "Protected-resource metadata is found at the server's own origin",
      class: "runtime-blocker",
      remediation: "Publish /.well-known/oauth-protected-resource at the server's origin (RFC 9728).",
      judge: ofGuarded((server, guard) => metadataFault(server, guard) ?? satisfied()),
    },
    {
      id: "openai.auth.issuers-resolve",
      title: "Every authorization server publishes its metadata",
      class: "runtime-blocker",
      remediation: "Name only authorization servers whose metadata can be read.",
      judge: ofGuarded(({ probe, issuers }) => {
        if (!probe.oauth.resourceMetadata) {
          return notEvaluated("serverAnswer", "There is no protected-resource metadata to read.");
        }
        return judgeIssuers(issuers.length === 0 ? [undefined] : issuers);
      }),
    },
    {
      id: "openai.auth.pkce-s256",
      title: "The authorization server advertises PKCE with S256",
      class: "runtime-blocker",
      remediation: 'Add "S256" to code_challenge_methods_supported.',
      judge: ofIssuer(({ code_challenge_methods_supported: methods }) =>
        listOf(methods).includes("S256")
          ? satisfied()
          : violated(`code_challenge_methods_supported is ${JSON.stringify(methods) ?? "missing"}.`),
      ),
    },
    {
      id: "openai.auth.client-acquisition",
      title: "ChatGPT can become a client",
      class: "runtime-blocker",
      remediation:
        "Offer registration or client metadata documents; else agree on a client and say so: openai.predefinedClient.",
      judge: ofIssuer(
        (
          { registration_endpoint: endpoint, client_id_metadata_document_supported: cimd },
          _server,
          { profile },
        ) => {
          if (typeof endpoint === "string") return satisfied({ path: "dcr" });
          if (cimd === true) return satisfied({ path: "cimd" });
          return profile?.openai?.predefinedClient === true
            ? satisfied({ path: "predefined" })
            : violated("There is no registration endpoint, and client metadata documents are not supported.");
        },
      ),
    },
    {
      id: "openai.auth.rfc9207-iss",
      title: "The authorization server says who it is when it sends people back",
      class: "required",
      remediation: "Send iss with the code, and advertise authorization_response_iss_parameter_supported.",
      judge: ofIssuer(({ authorization_response_iss_parameter_supported: flag }) =>
        flag === true
          ? satisfied()
          : violated(
              `authorization_response_iss_parameter_supported is ${JSON.stringify(flag) ?? "missing"}.`,
            ),
      ),
    },
    {
      id: "openai.auth.unsupported-flows",
      title: "People can sign in with an authorization code",
      class: "required",
      remediation: "Offer the authorization code; grants for machines alone are not used.",
      judge: ofIssuer(({ grant_types_supported: grants, response_types_supported: types }) =>
        verdictOf([
          ...(grants === undefined || listOf(grants).includes("authorization_code")
            ? []
            : ["grant_types_supported lacks authorization_code."]),
          ...(listOf(types).includes("code") ? [] : ["response_types_supported lacks code."]),
        ]),
      ),
    },
    {
      id: "openai.auth.runtime-challenge",
      title: "A tool that needs a sign-in asks for it in its result",
      class: "recommended",
      intrusiveness: "read-only",
      judge: ofGuarded((_server) =>
        notEvaluated("toolResults", "It takes a call of a tool, and none is made."),
      ),
    },
  ]),
];
