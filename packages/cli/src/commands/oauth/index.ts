/** @module Declares `oauth`: signing in to a server, judging how it guards itself, and looking at the pieces one by one. */
import { command, group } from "../../program/command.ts";
import {
  oauthConformanceFlags,
  oauthConformanceSuiteFlags,
  oauthLoginFlags,
  oauthMetadataFlags,
  oauthProxyFlags,
} from "./flags.ts";

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
