/** @module Declares `oauth`: signing in to a server, judging how it guards itself, and looking at the pieces one by one. */
import { limits } from "@fettle/contract/core";
import { reportFlags, requireFlags, suiteConfigFlags, uploadFlags } from "../../conformance/flags.ts";
import { debugOutFlag } from "../../connection/flags.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

/** The versions whose authorization rules Fettle knows; the wire's own list is behind a module that help should not load. */
const versions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
const registrations = ["cimd", "dcr", "preregistered"] as const;

const clientFlags = flags({
  "auth-mode": {
    kind: "choice",
    choices: ["interactive", "headless", "client_credentials"],
    value: "mode",
    defaultNote: "interactive",
    help: "A person consents, redirects are followed, or a machine asks",
  },
  "client-id": { kind: "text", value: "id", help: "A client that is registered already" },
  "client-secret": { kind: "text", value: "secret", help: "Its secret, when it has one" },
  "client-key": { kind: "text", value: "path", help: "Its private key (PEM or JWK), instead of a secret" },
  assertion: {
    kind: "text",
    value: "path",
    help: "A workload's own token (JWT), traded for the server's; with client_credentials",
  },
  "client-metadata-url": { kind: "text", value: "url", help: "Our metadata document, for cimd" },
  "redirect-url": {
    kind: "text",
    value: "url",
    defaultNote: "a free port on 127.0.0.1",
    help: "Where the browser comes back to",
  },
  scopes: { kind: "text", value: "scopes", help: "Ask for exactly these, space separated" },
  header: { kind: "text", value: "name: value", repeats: true, help: "Header for the MCP server" },
  "step-timeout": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: String(limits.conformance.stepMs),
    help: "Longest time one step may take",
  },
});

const verifyFlags = flags({
  "verify-tools": { kind: "boolean", help: "Then connect with the token and list the tools" },
  "verify-call-tool": { kind: "text", value: "name", help: "Then also call this tool, without arguments" },
});

const credentialsOutFlag = flags({
  "credentials-out": {
    kind: "text",
    value: "path",
    help: "Keep the tokens in this file, for --credentials-file",
  },
});

export const oauthLoginFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "The MCP server" },
  "protocol-version": {
    kind: "choice",
    choices: versions,
    value: "version",
    defaultNote: "found out",
    help: "Go by the rules of this version",
  },
  registration: {
    kind: "choice",
    choices: registrations,
    value: "way",
    defaultNote: "chosen from what is offered",
    help: "How to become a client",
  },
  ...clientFlags,
  ...verifyFlags,
  ...credentialsOutFlag,
  ...debugOutFlag,
});

export const oauthConformanceFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "The MCP server" },
  "protocol-version": {
    kind: "choice",
    choices: versions,
    value: "version",
    required: true,
    help: "Judge by the rules of this version",
  },
  registration: {
    kind: "choice",
    choices: registrations,
    value: "way",
    required: true,
    help: "How to become a client",
  },
  ...clientFlags,
  "conformance-checks": { kind: "boolean", help: "Then also try what must be refused" },
  "check-refresh": { kind: "boolean", help: "With --conformance-checks: spend refresh tokens, too" },
  "print-url": {
    kind: "boolean",
    help: "Print OAUTH_CONSENT_URL: <url> on stderr instead of opening a browser",
  },
  ...verifyFlags,
  ...credentialsOutFlag,
  ...requireFlags.oauth,
  ...reportFlags,
  ...uploadFlags,
});

export const oauthConformanceSuiteFlags = flags({
  ...suiteConfigFlags,
  ...requireFlags.oauth,
  ...verifyFlags,
  ...credentialsOutFlag,
});

export const oauthMetadataFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "Address of the document" },
});

export const oauthProxyFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "Address to ask" },
  method: { kind: "text", value: "method", defaultNote: "GET", help: "HTTP method" },
  header: { kind: "text", value: "name: value", repeats: true, help: "Request header" },
  body: { kind: "text", value: "value", help: "With POST: JSON, text, @path, or - for stdin" },
});

const server = "--url $URL";

export const oauthCommands = [
  group({ name: "oauth", section: "local", summary: "Sign in to a server, and judge how it guards itself" }),
  command({
    name: "oauth login",
    section: "local",
    summary: "Sign in to an MCP server and get its tokens",
    description: [
      "Asks the server what it wants, finds its authorization server, becomes a client, gets consent and trades it for tokens; then proves that they work. Every request, every choice and its reason is in the result.",
      "Prints the tokens, unless --credentials-out names a file for them.",
    ],
    arguments: {},
    flags: oauthLoginFlags,
    examples: [
      {
        command: `fettle oauth login ${server} --credentials-out credentials.json`,
        does: "In your browser; then `tools call --credentials-file credentials.json`",
      },
      {
        command: `fettle oauth login ${server} --auth-mode client_credentials --client-id ci --client-secret $SECRET --format json`,
        does: "As a machine",
      },
    ],
    load: () => import("./login.ts"),
  }),
  command({
    name: "oauth conformance",
    section: "local",
    hosted: true,
    summary: "Judge how a server guards itself",
    description: [
      "The same walk as `oauth login`, held to the letter of one version: every step passes, fails, or says why it could not run. With --conformance-checks it then tries what must be refused: stolen and used codes, other redirects, weak proofs, made-up tokens.",
      "Exits 0 when all passed or the server asks for no token, 1 on a failure, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: oauthConformanceFlags,
    examples: [
      {
        command: `fettle oauth conformance ${server} --protocol-version 2025-11-25 --registration dcr`,
        does: "In your browser",
      },
      {
        command: `fettle oauth conformance ${server} --protocol-version 2026-07-28 --registration dcr --auth-mode headless --conformance-checks --reporter junit-xml > oauth.xml`,
        does: "For CI, with everything",
      },
    ],
    load: () => import("./conformance.ts"),
  }),
  command({
    name: "oauth conformance-suite",
    section: "local",
    summary: "Judge several flows of a server from a file",
    description: [
      "The file: {name?, serverUrl, defaults?, flows: [{label?, protocolVersion, registrationStrategy, auth: {mode}, client, scopes, customHeaders, redirectUrl, stepTimeout, verification, oauthConformanceChecks}]}. What defaults says holds for every flow that does not say otherwise.",
    ],
    arguments: {},
    flags: oauthConformanceSuiteFlags,
    examples: [
      { command: "fettle oauth conformance-suite --config oauth.json", does: "All flows of the file" },
    ],
    load: () => import("./conformance-suite.ts"),
  }),
  command({
    name: "oauth metadata",
    section: "local",
    summary: "Fetch one OAuth metadata document",
    description: ["https only, public addresses only; or http on this machine when the address says so."],
    arguments: {},
    flags: oauthMetadataFlags,
    examples: [
      {
        command:
          "fettle oauth metadata --url https://auth.example.com/.well-known/oauth-authorization-server",
        does: "What an authorization server says of itself",
      },
    ],
    load: () => import("./metadata.ts"),
  }),
  command({
    name: "oauth proxy",
    section: "local",
    summary: "Send one guarded HTTP request",
    description: [
      "https only, public addresses only (or this machine when the address says so); the name is resolved once, redirects are not followed.",
    ],
    arguments: {},
    flags: oauthProxyFlags,
    examples: [
      {
        command:
          "fettle oauth proxy --url https://auth.example.com/token --method POST --header 'content-type: application/x-www-form-urlencoded' --body '{\"grant_type\":\"client_credentials\"}'",
        does: "A form, from a JSON object",
      },
    ],
    load: () => import("./proxy.ts"),
  }),
  command({
    name: "oauth debug-proxy",
    section: "local",
    summary: "The same, with time, address and events",
    arguments: {},
    flags: oauthProxyFlags,
    examples: [
      {
        command: `fettle oauth debug-proxy ${server} --method POST --header 'accept: application/json, text/event-stream' --body @request.json`,
        does: "An MCP request by hand, its event stream read",
      },
    ],
    load: () => import("./debug-proxy.ts"),
  }),
];
