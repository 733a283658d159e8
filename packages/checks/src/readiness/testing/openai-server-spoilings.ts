/** @module What may be wrong with a server that is submitted to the OpenAI directory. */
import type { ServerSpoiling } from "./listed-server.ts";
import { openaiOfferSpoilings } from "./openai-offer-spoilings.ts";
import { all, redirecting, type Spoiling, tool, unspoiled } from "./spoiling.ts";

const behind = (guard: NonNullable<ServerSpoiling["guard"]>): ServerSpoiling => ({ guard });
const unknownIssuer = [
  "auth.pkce-s256",
  "auth.client-acquisition",
  "auth.rfc9207-iss",
  "auth.unsupported-flows",
];

const endpointSpoilings: readonly Spoiling[] = [
  {
    name: "it is listed with a plain address",
    evidence: ({ server }) => {
      server.url = "http://cafe.test/mcp";
    },
    changes: { "openai.endpoint.https": "violated" },
    grade: "not-ready",
  },
  {
    name: "it redirects to plain http",
    server: redirecting((path, host) =>
      path === "/mcp" ? `http://localhost:${host.split(":")[1]}/other` : undefined,
    ),
    changes: { "openai.endpoint.redirects-stay-https": "violated" },
  },
  {
    name: "it redirects in a circle",
    server: redirecting((path) => (path === "/mcp" ? "/other" : path === "/other" ? "/mcp" : undefined)),
    changes: { "openai.endpoint.redirects-terminate": "violated" },
  },
  {
    name: "it stands at another path",
    evidence: ({ server }) => {
      server.url = "https://cafe.test/api";
    },
    changes: { "openai.endpoint.path": "violated" },
    grade: "ready",
  },
  {
    name: "the domain challenge is not served",
    server: {
      fault: { answer: ({ path }) => (path.endsWith("openai-apps-challenge") ? { status: 404 } : undefined) },
    },
    changes: {
      "openai.domain.challenge-served": "violated",
      "openai.domain.challenge-matches": "not-evaluated",
    },
    grade: "not-ready",
  },
  {
    name: "the domain challenge is of another submission",
    server: {
      fault: {
        answer: ({ path }) =>
          path.endsWith("openai-apps-challenge") ? { status: 200, body: "other" } : undefined,
      },
    },
    changes: { "openai.domain.challenge-matches": "violated" },
  },
];

const authSpoilings: readonly Spoiling[] = [
  {
    name: "the 401 has no challenge",
    server: behind((documents) => {
      documents.challenge = undefined;
    }),
    changes: all("violated", ["auth.challenge", "auth.prm-pointer"]),
  },
  {
    name: "the challenge names no metadata",
    server: behind((documents) => {
      documents.challenge = "Bearer";
    }),
    changes: { "openai.auth.prm-pointer": "violated" },
  },
  {
    name: "there is no protected-resource metadata",
    server: behind((documents) => {
      documents.resource = undefined;
    }),
    changes: {
      "openai.auth.prm-discoverable": "violated",
      ...all("not-evaluated", ["auth.issuers-resolve", ...unknownIssuer]),
    },
  },
  {
    name: "the second authorization server cannot be reached",
    server: behind(({ resource }, origin) => {
      if (resource) resource.authorization_servers = [`${origin}/as`, "http://127.0.0.1:9/as"];
    }),
    changes: { "openai.auth.issuers-resolve": "not-evaluated" },
    grade: "incomplete",
  },
  {
    name: "the second authorization server is not there",
    server: behind(({ resource }, origin) => {
      if (resource) resource.authorization_servers = [`${origin}/as`, `${origin}/gone`];
    }),
    changes: { "openai.auth.issuers-resolve": "violated" },
  },
  {
    name: "PKCE is not advertised",
    server: behind(({ issuer }) => {
      delete issuer.code_challenge_methods_supported;
    }),
    changes: { "openai.auth.pkce-s256": "violated" },
  },
  {
    name: "nobody can become a client",
    server: behind(({ issuer }) => {
      delete issuer.registration_endpoint;
      delete issuer.client_id_metadata_document_supported;
    }),
    changes: { "openai.auth.client-acquisition": "violated" },
    grade: "not-ready",
  },
  {
    name: "a client was agreed on",
    server: behind(({ issuer }) => {
      delete issuer.registration_endpoint;
      issuer.client_id_metadata_document_supported = false;
    }),
    profile: ({ openai }) => {
      openai.predefinedClient = true;
    },
    changes: {},
    grade: "ready",
  },
  {
    name: "the authorization server does not say who it is",
    server: behind(({ issuer }) => {
      delete issuer.authorization_response_iss_parameter_supported;
    }),
    changes: { "openai.auth.rfc9207-iss": "violated" },
  },
  {
    name: "only machines get tokens",
    server: behind(({ issuer }) => {
      issuer.grant_types_supported = ["client_credentials"];
    }),
    changes: { "openai.auth.unsupported-flows": "violated" },
  },
  {
    name: "a tool does not say whether it needs a sign-in",
    server: {
      guard: unspoiled,
      ...tool("say_hello", (item) => {
        delete item.securitySchemes;
      }),
    },
    changes: { "openai.tools.security-schemes": "violated" },
    grade: "ready",
  },
  {
    name: "a reviewer cannot get in",
    server: behind(unspoiled),
    profile: ({ openai }) => {
      delete openai.demoAccess;
    },
    changes: { "openai.submission.demo-access": "violated" },
  },
  {
    name: "a reviewer is asked for a second factor",
    server: behind(unspoiled),
    profile: ({ openai }) => {
      if (openai.demoAccess) openai.demoAccess.withoutSecondFactor = false;
    },
    changes: { "openai.submission.demo-access": "violated" },
  },
];

const toolSpoilings: readonly Spoiling[] = [
  ...["readOnlyHint", "destructiveHint", "openWorldHint"].map((hint) => ({
    name: `a tool has no ${hint}`,
    server: tool("say_hello", (item) => {
      delete (item.annotations as Record<string, unknown>)[hint];
    }),
    changes: { "openai.tools.annotations": "violated" } as const,
  })),
  {
    name: "a tool has no description",
    server: tool("say_hello", (item) => {
      item.description = " ";
    }),
    changes: { "openai.tools.descriptions": "violated" },
  },
  {
    name: "a tool's name has 65 characters",
    server: tool("say_hello", (item) => {
      item.name = "x".repeat(65);
    }),
    profile: ({ openai }) => {
      openai.scan?.tools.push("x".repeat(65));
      openai.scan?.tools.splice(2, 1);
      Object.assign(openai.annotationJustifications ?? {}, { ["x".repeat(65)]: "Says a sentence." });
    },
    changes: { "openai.tools.name-length": "violated" },
  },
  {
    name: "a tool takes no object",
    server: tool("say_hello", (item) => {
      item.inputSchema = { oneOf: [{ type: "object" }] };
    }),
    changes: { "openai.tools.schemas": "violated" },
  },
  {
    name: "a tool that deletes says that it only reads",
    server: tool("say_hello", (item) => {
      item.name = "delete_order";
    }),
    profile: ({ openai }) => {
      openai.scan?.tools.splice(2, 1, "delete_order");
      Object.assign(openai.annotationJustifications ?? {}, { delete_order: "Says a sentence." });
    },
    changes: { "openai.tools.annotation-honesty": "violated" },
    grade: "ready",
  },
  {
    name: "the portal has seen other tools",
    profile: ({ openai }) => {
      openai.scan?.tools.pop();
    },
    changes: { "openai.submission.scan-currency": "violated" },
  },
  {
    name: "nobody explains a tool's annotations",
    profile: ({ openai }) => {
      delete openai.annotationJustifications?.say_hello;
    },
    changes: { "openai.submission.annotation-justifications": "violated" },
    grade: "ready",
  },
  {
    name: "the list of tools was cut short",
    evidence: ({ server }) => {
      if (server.tools && "items" in server.tools) server.tools.truncated = true;
    },
    changes: all("not-evaluated", [
      "tools.annotations",
      "tools.descriptions",
      "tools.name-length",
      "tools.schemas",
      "tools.security-schemes",
      "tools.annotation-honesty",
      "ui.mime",
      "ui.domain-present",
      "ui.domain-unique",
      "ui.csp-exact",
      "ui.output-schema",
      "ui.useful-without-ui",
      "ui.screenshots",
      "submission.scan-currency",
      "submission.annotation-justifications",
      "submission.frame-domain-explanations",
    ]),
    grade: "incomplete",
  },
];

export const openaiServerSpoilings: readonly Spoiling[] = [
  ...endpointSpoilings,
  ...authSpoilings,
  ...toolSpoilings,
  ...openaiOfferSpoilings,
];
