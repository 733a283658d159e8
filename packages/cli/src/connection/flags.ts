/** @module The flags of every command that connects to an MCP server: which one, with what credential, and as whom. */
import { clientTemplateIds } from "@fettle/contract/environments";
import { flags } from "../program/flag.ts";

/** Every version Fettle can be held to; the wire's own list is behind a module that help should not load. */
export const protocolVersions = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

const httpFlags = flags({
  url: { kind: "text", value: "url", help: "Server over HTTP" },
  "access-token": { kind: "text", value: "token", help: "Bearer token to send" },
  "oauth-access-token": { kind: "text", value: "token", hidden: true, help: "The same as --access-token" },
  "refresh-token": {
    kind: "text",
    value: "token",
    help: "Get a token when asked for one; needs --client-id",
  },
  "client-id": { kind: "text", value: "id", help: "OAuth client of --refresh-token" },
  "client-secret": { kind: "text", value: "secret", help: "Its secret, when it has one" },
  "credentials-file": { kind: "text", value: "path", help: "What `oauth login --credentials-out` wrote" },
  header: { kind: "text", value: "name: value", repeats: true, help: "Request header" },
});

const stdioFlags = flags({
  command: { kind: "text", value: "command", help: "Server to start, spoken to over stdio" },
  args: {
    kind: "text",
    value: "arg",
    repeats: true,
    variadic: true,
    mayBeBlank: true,
    help: "Its arguments; --args=-x for one with a dash",
  },
  "command-args": {
    kind: "text",
    value: "arg",
    repeats: true,
    mayBeBlank: true,
    hidden: true,
    help: "One more argument, after those of --args",
  },
  env: {
    kind: "text",
    short: "e",
    value: "KEY=VALUE",
    repeats: true,
    variadic: true,
    help: "Variables over your own environment",
  },
  cwd: { kind: "text", value: "path", help: "Folder to start it in" },
});

const negotiationFlags = flags({
  transport: {
    kind: "choice",
    choices: ["http", "stdio"],
    value: "transport",
    help: "Refuse any other kind of target",
  },
  "protocol-version": {
    kind: "choice",
    choices: protocolVersions,
    value: "version",
    help: "Speak exactly this version",
  },
  "client-capabilities": {
    kind: "text",
    value: "json",
    help: "Declare these capabilities (JSON, @path or -)",
  },
});

export const connectionFlags = flags({ ...httpFlags, ...stdioFlags, ...negotiationFlags });

/** Connect as a known host would. */
export const hostFlag = flags({
  host: { kind: "choice", choices: clientTemplateIds, value: "id", help: "Connect as this host" },
});

export const interactiveFlags = flags({
  interactive: { kind: "boolean", help: "Answer what the server asks, in this terminal" },
  yes: { kind: "boolean", help: "With --interactive: decline every request" },
});

export const debugOutFlag = flags({
  "debug-out": { kind: "text", value: "path", help: "Write a file with everything a bug report needs" },
});

export const cursorFlag = flags({
  cursor: { kind: "text", value: "cursor", help: "One page, starting here" },
});
