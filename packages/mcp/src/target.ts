/** @module What to connect to: a command to spawn or a URL to call, parsed and checked before anything is touched. */

import type { Readable, Writable } from "node:stream";
import { maskUrl, redactArgv } from "@fettle/contract/secrets";
import { McpError } from "./failure.ts";

export interface StdioTarget {
  kind: "stdio";
  command: string;
  args: string[];
  /** Added over the inherited environment. */
  env: Record<string, string>;
  cwd?: string;
  /** Where it does not run as a child of ours. Rejects with SPAWN_FAILED when it cannot. */
  start?: (target: StdioTarget) => Promise<ServerProcess>;
}

/** A server that runs, by its pipes. */
export interface ServerProcess {
  /** On this machine. */
  pid?: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** With all that it started. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** After the last byte of both its outputs. */
  ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

export type HttpTransport = "auto" | "streamable-http" | "sse";

export interface HttpTarget {
  kind: "http";
  url: string;
  headers: Record<string, string>;
  /** Sent as `Authorization: Bearer`; kept apart from `headers` so that it is never printed. */
  accessToken?: string;
  transport: HttpTransport;
}

export type Target = StdioTarget | HttpTarget;

export interface StdioTargetInput {
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

export interface HttpTargetInput {
  url: string;
  headers?: Readonly<Record<string, string>>;
  accessToken?: string;
  transport?: HttpTransport;
}

/**
 * A checked target, or a BAD_TARGET error that says what to change.
 *
 * @example
 * parseTarget({ url: "http://127.0.0.1:3001/mcp" });
 * parseTarget({ command: "npx", args: ["-y", "@modelcontextprotocol/server-everything"] });
 */
export function parseTarget(input: StdioTargetInput | HttpTargetInput): Target {
  return "url" in input ? parseHttpTarget(input) : parseStdioTarget(input);
}

/** A short name for people and for histories: the command line without its environment, or the URL; both without credentials. */
export function targetLabel(target: Target): string {
  if (target.kind === "http") return maskUrl(target.url);
  return redactArgv([target.command, ...target.args]).join(" ");
}

/** A target as reports show it: names of headers and variables, never their values. */
export interface TargetSummary {
  kind: "http" | "stdio";
  label: string;
  url?: string;
  command?: string;
  commandArgs?: string[];
  envKeys: string[];
  headerNames: string[];
  hasAccessToken: boolean;
}

export function summarizeTarget(target: Target): TargetSummary {
  const label = targetLabel(target);
  if (target.kind === "http") {
    return {
      kind: "http",
      label,
      url: maskUrl(target.url),
      envKeys: [],
      headerNames: Object.keys(target.headers),
      hasAccessToken: target.accessToken !== undefined,
    };
  }
  return {
    kind: "stdio",
    label,
    command: target.command,
    commandArgs: redactArgv(target.args),
    envKeys: Object.keys(target.env),
    headerNames: [],
    hasAccessToken: false,
  };
}

function parseStdioTarget(input: StdioTargetInput): StdioTarget {
  const command = input.command.trim();
  if (command === "") throw badTarget("The command is empty.");
  const parts = [command, ...(input.args ?? []), ...Object.values(input.env ?? {}), input.cwd ?? ""];
  if (parts.some((part) => part.includes("\0"))) {
    throw badTarget("A command, argument, variable or folder holds a NUL character.");
  }
  for (const key of Object.keys(input.env ?? {})) {
    if (key === "" || key.includes("=")) {
      throw badTarget(`"${key}" is not a name for an environment variable.`);
    }
  }
  return {
    kind: "stdio",
    command,
    args: [...(input.args ?? [])],
    env: { ...input.env },
    ...(input.cwd !== undefined && { cwd: input.cwd }),
  };
}

function parseHttpTarget(input: HttpTargetInput): HttpTarget {
  const url = URL.parse(input.url);
  if (!url)
    throw badTarget(`"${input.url}" is not a URL.`, "Write it in full, as in https://example.com/mcp.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw badTarget(`MCP over HTTP needs an http or https URL; this one is ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw badTarget("The URL holds a user name or password.", "Send credentials in a header instead.");
  }
  url.hash = "";
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw badTarget(`"${name}" is not a header name.`);
    if (/[\r\n\0]/.test(value)) throw badTarget(`The value of header ${name} holds a line break.`);
  }
  return {
    kind: "http",
    url: url.href,
    headers: { ...input.headers },
    transport: input.transport ?? "auto",
    ...(input.accessToken !== undefined && { accessToken: input.accessToken }),
  };
}

function badTarget(message: string, hint?: string): McpError {
  return new McpError("BAD_TARGET", message, hint === undefined ? {} : { hint });
}
