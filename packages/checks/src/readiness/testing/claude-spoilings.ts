/** @module What may be wrong with a server that is submitted to the Claude directory. */
import type { ReadinessEvidence } from "../evidence.ts";
import { claudeAppSpoilings } from "./claude-app-spoilings.ts";
import { claudeListingSpoilings } from "./claude-listing-spoilings.ts";
import { redirecting, type Spoiling, tool, unspoiled } from "./spoiling.ts";

const behind = (
  guard: NonNullable<NonNullable<Spoiling["server"]>["guard"]>,
): NonNullable<Spoiling["server"]> => ({
  guard,
});

/** Of a metadata document that is not there nothing more is known. */
const unknownIssuer = {
  "claude.auth.pkce-s256-advertised": "not-evaluated",
  "claude.auth.cimd-flag-consistent": "not-evaluated",
  "claude.auth.client-acquisition-path": "not-evaluated",
} as const;

const endpointSpoilings: readonly Spoiling[] = [
  {
    name: "it is listed with a plain address",
    evidence: ({ server }) => {
      server.url = "http://cafe.test/mcp";
    },
    changes: { "claude.endpoint.https": "violated" },
    grade: "not-ready",
  },
  {
    name: "it redirects to plain http",
    server: redirecting((path, host) =>
      path === "/mcp" ? `http://localhost:${host.split(":")[1]}/other` : undefined,
    ),
    changes: { "claude.endpoint.redirects-stay-https": "violated" },
  },
  {
    name: "it redirects in a circle",
    server: redirecting((path) => (path === "/mcp" ? "/other" : "/mcp")),
    changes: { "claude.endpoint.redirects-terminate": "violated" },
  },
  {
    name: "it redirects without end",
    server: redirecting((path) => `/${Number(path.slice(1)) + 1 || 1}`),
    changes: { "claude.endpoint.redirects-terminate": "violated" },
  },
  {
    name: "a redirect leads to where nobody answers",
    server: redirecting((path) => (path === "/mcp" ? "https://127.0.0.1:9/mcp" : undefined)),
    changes: {
      "claude.endpoint.redirects-stay-https": "not-evaluated",
      "claude.endpoint.redirects-terminate": "not-evaluated",
    },
    grade: "incomplete",
  },
  {
    name: "what succeeds carries a challenge",
    server: {
      fault: {
        head: ({ headers }) => {
          headers["www-authenticate"] = "Bearer";
        },
      },
    },
    changes: { "claude.auth.no-challenge-on-successful-operation": "violated" },
    grade: "ready",
  },
];

const authSpoilings: readonly Spoiling[] = [
  {
    name: "strangers get a 403",
    server: behind((documents) => {
      documents.status = 403;
      documents.challenge = undefined;
    }),
    changes: {
      "claude.auth.unauthenticated-challenge": "violated",
      "claude.auth.challenge-names-resource-metadata": "not-applicable",
      "claude.auth.insufficient-scope-challenge-shape": "violated",
      "claude.auth.prm-discoverable": "not-evaluated",
      "claude.auth.prm-resource-matches-entered-url": "not-evaluated",
      "claude.auth.first-authorization-server-usable": "not-evaluated",
      "claude.submission.declared-auth-mode": "violated",
      ...unknownIssuer,
    },
    grade: "not-ready",
  },
  {
    name: "the challenge names no metadata",
    server: behind((documents) => {
      documents.challenge = "Bearer";
    }),
    changes: { "claude.auth.challenge-names-resource-metadata": "violated" },
  },
  {
    name: "the 401 has no challenge",
    server: behind((documents) => {
      documents.challenge = undefined;
    }),
    changes: { "claude.auth.challenge-names-resource-metadata": "violated" },
  },
  {
    name: "there is no protected-resource metadata",
    server: behind((documents) => {
      documents.resource = undefined;
    }),
    changes: {
      "claude.auth.prm-discoverable": "violated",
      "claude.auth.prm-resource-matches-entered-url": "not-evaluated",
      "claude.auth.first-authorization-server-usable": "not-evaluated",
      "claude.submission.declared-auth-mode": "violated",
      ...unknownIssuer,
    },
  },
  {
    name: "the challenge points to another origin",
    server: behind((documents, origin) => {
      const other = origin.replace("127.0.0.1", "localhost");
      if (documents.resource) documents.resource.resource = `${origin.replace("localhost", "127.0.0.1")}/mcp`;
      documents.challenge = `Bearer resource_metadata="${other}/.well-known/oauth-protected-resource/mcp"`;
    }),
    changes: { "claude.auth.prm-discoverable": "violated" },
  },
  {
    name: "the metadata is for the address with a slash behind it",
    server: behind(({ resource }) => {
      if (resource) resource.resource = `${String(resource.resource)}/`;
    }),
    changes: { "claude.auth.prm-resource-matches-entered-url": "violated" },
  },
  {
    name: "the metadata names no authorization server",
    server: behind(({ resource }) => {
      if (resource) resource.authorization_servers = [];
    }),
    changes: {
      "claude.auth.first-authorization-server-usable": "violated",
      "claude.submission.declared-auth-mode": "violated",
      ...unknownIssuer,
    },
  },
  {
    name: "the first authorization server is not there, though the second is",
    server: behind(({ resource }, origin) => {
      if (resource) resource.authorization_servers = [`${origin}/gone`, `${origin}/as`];
    }),
    changes: {
      "claude.auth.first-authorization-server-usable": "violated",
      "claude.submission.declared-auth-mode": "violated",
      ...unknownIssuer,
    },
  },
  {
    name: "the first authorization server cannot be reached",
    server: behind(({ resource }) => {
      if (resource) resource.authorization_servers = ["http://127.0.0.1:9/as"];
    }),
    changes: {
      "claude.auth.first-authorization-server-usable": "not-evaluated",
      "claude.features.enterprise-managed-auth": "not-evaluated",
      "claude.submission.declared-auth-mode": "not-evaluated",
      ...unknownIssuer,
    },
    grade: "incomplete",
  },
  {
    name: "PKCE is not advertised",
    server: behind(({ issuer }) => {
      delete issuer.code_challenge_methods_supported;
    }),
    changes: { "claude.auth.pkce-s256-advertised": "violated" },
  },
  {
    name: "PKCE is advertised in plain only",
    server: behind(({ issuer }) => {
      issuer.code_challenge_methods_supported = ["plain"];
    }),
    changes: { "claude.auth.pkce-s256-advertised": "violated" },
  },
  {
    name: "the flag of client documents is a text",
    server: behind(({ issuer }) => {
      issuer.client_id_metadata_document_supported = "true";
    }),
    changes: { "claude.auth.cimd-flag-consistent": "violated" },
  },
  {
    name: "client documents are supported, but no code",
    server: behind(({ issuer }) => {
      issuer.response_types_supported = ["token"];
    }),
    changes: { "claude.auth.cimd-flag-consistent": "violated" },
  },
  {
    name: "client documents are not mentioned",
    server: behind(({ issuer }) => {
      delete issuer.client_id_metadata_document_supported;
    }),
    changes: { "claude.auth.cimd-flag-consistent": "not-applicable" },
    grade: "ready",
  },
  {
    name: "clients have to be agreed on",
    server: behind(({ issuer }) => {
      delete issuer.registration_endpoint;
      delete issuer.client_id_metadata_document_supported;
    }),
    profile: (profile) => {
      profile.authMode = "oauth-preregistered";
    },
    changes: {
      "claude.auth.client-acquisition-path": "informational",
      "claude.auth.cimd-flag-consistent": "not-applicable",
    },
    grade: "ready",
  },
  {
    name: "a sign-in names another resource",
    server: behind(unspoiled),
    evidence: (evidence: ReadinessEvidence) => {
      evidence.authorizationRequests = [{ authorize: "https://cafe.test/", token: "https://cafe.test/mcp" }];
    },
    changes: { "claude.auth.rfc8707-resource-canonical": "violated" },
  },
  {
    name: "nobody signed in",
    server: behind(unspoiled),
    evidence: (evidence: ReadinessEvidence) => {
      delete evidence.authorizationRequests;
    },
    changes: { "claude.auth.rfc8707-resource-canonical": "not-evaluated" },
    grade: "incomplete",
  },
  {
    name: "the runner cannot sign in",
    server: behind(unspoiled),
    evidence: (evidence: ReadinessEvidence) => {
      evidence.capabilities = ["dns", "raw-origin"];
    },
    changes: { "claude.auth.rfc8707-resource-canonical": "not-evaluated" },
    grade: "incomplete",
  },
  {
    name: "a lack of scope is told without the scope",
    server: behind(unspoiled),
    evidence: ({ server }) => {
      server.operations.push({ status: 403, wwwAuthenticate: 'Bearer error="insufficient_scope"' });
    },
    changes: { "claude.auth.insufficient-scope-challenge-shape": "violated" },
  },
];

const toolSpoilings: readonly Spoiling[] = [
  {
    name: "a tool's name has 65 characters",
    server: tool("say_hello", (item) => {
      item.name = "x".repeat(65);
    }),
    changes: { "claude.tools.name-length": "violated" },
  },
  {
    name: "a tool has no title",
    server: tool("say_hello", (item) => {
      delete item.title;
    }),
    changes: { "claude.tools.title-present": "violated" },
  },
  {
    name: "a tool has no hints",
    server: tool("say_hello", (item) => {
      item.annotations = { openWorldHint: false };
    }),
    changes: { "claude.tools.behavior-hints-present": "violated" },
  },
  {
    name: "a tool says only what it is not",
    server: tool("say_hello", (item) => {
      item.annotations = { readOnlyHint: false, destructiveHint: false };
    }),
    changes: { "claude.tools.behavior-hints-present": "violated" },
  },
  {
    name: "a tool says that it destroys, which is as good",
    server: tool("say_hello", (item) => {
      item.annotations = { destructiveHint: true };
    }),
    changes: {},
    grade: "ready",
  },
  {
    name: "a tool both reads only and destroys",
    server: tool("say_hello", (item) => {
      item.annotations = { readOnlyHint: true, destructiveHint: true };
    }),
    changes: { "claude.tools.behavior-hints-consistent": "violated" },
  },
  {
    name: "a parameter chooses between reading and writing",
    server: tool("say_hello", (item) => {
      item.inputSchema = { type: "object", properties: { what: { enum: ["list_orders", "deleteOrder"] } } };
    }),
    changes: { "claude.tools.no-catch-all-read-write": "violated" },
  },
  {
    name: "a parameter takes any operation",
    server: tool("say_hello", (item) => {
      item.inputSchema = { type: "object", properties: { action: { type: "string" } } };
    }),
    changes: { "claude.tools.free-string-operation-parameter": "violated" },
    grade: "ready",
  },
  {
    name: "the list of tools was cut short",
    evidence: ({ server }) => {
      if (server.tools && "items" in server.tools) server.tools.truncated = true;
    },
    changes: Object.fromEntries(
      [
        "claude.tools.name-length",
        "claude.tools.title-present",
        "claude.tools.behavior-hints-present",
        "claude.tools.behavior-hints-consistent",
        "claude.tools.no-catch-all-read-write",
        "claude.tools.free-string-operation-parameter",
        "claude.submission.screenshots",
        "claude.submission.screenshot-prompts",
        "claude.apps.resource-uri-modern",
        "claude.apps.html-mime-profile",
        "claude.apps.ui-domain-derivation",
        "claude.apps.openai-only-widget",
        "claude.apps.ui-domain-recommended-for-app-oauth",
        "claude.apps.csp-shape",
        "claude.apps.result-size-budget",
      ].map((id) => [id, "not-evaluated"]),
    ),
    grade: "incomplete",
  },
];

export const claudeSpoilings: readonly Spoiling[] = [
  ...endpointSpoilings,
  ...authSpoilings,
  ...toolSpoilings,
  ...claudeAppSpoilings,
  ...claudeListingSpoilings,
];
