/** @module What the commands of `oauth` take. */
import { limits } from "@fettle/contract/core";
import { reportFlags, requireFlags, suiteConfigFlags, uploadFlags } from "../../conformance/flags.ts";
import { debugOutFlag } from "../../connection/flags.ts";
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
