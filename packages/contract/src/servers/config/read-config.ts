/** @module Reads the configuration files people already have (`mcp.json` and its relatives) into servers that can be saved, and says what cannot. */
import type { SandboxImageId } from "../../core/id.ts";
import type { ProjectServerCreateRequest } from "../server.ts";
import { parseLooseJson } from "./loose-json.ts";
import { fillOpenPlaces } from "./open-place.ts";
import {
  type ConfiguredHttpServer,
  type ConfiguredServer,
  type ConfiguredStdioServer,
  isEntry,
  isObject,
  readEntry,
} from "./read-entry.ts";

export type ServerConfig = { ok: true; servers: ConfiguredServer[] } | { ok: false; reason: string };

export interface ServerConfigOptions {
  /** The folder whose own servers are wanted too, in a file that keeps them by folder. */
  folder?: string;
}

/** Where the hosts keep their servers. */
const holders = ["mcpServers", "servers", "context_servers", "mcp_servers", "amp.mcpServers", "extensions"];

/**
 * @example
 * readServerConfig('{ "mcpServers": { "shop": { "url": "https://shop.example/mcp" } } }');
 */
export function readServerConfig(text: string, options: ServerConfigOptions = {}): ServerConfig {
  let config: unknown;
  try {
    config = parseLooseJson(text);
  } catch (error) {
    return { ok: false, reason: `This is not JSON: ${(error as Error).message}` };
  }
  return readServerDocument(config, options);
}

/** The same for what was not written in JSON. */
export function readServerDocument(config: unknown, { folder }: ServerConfigOptions = {}): ServerConfig {
  if (!isObject(config)) return { ok: false, reason: "A configuration is an object with servers by name." };
  const found = entriesIn(config);
  const own = folder === undefined ? [] : entriesOfFolder(config, folder);
  // What a folder says of a name wins, as it does in the host.
  const entries = [...new Map([...found, ...own]).entries()];
  if (entries.length === 0) return { ok: false, reason: "No server was found in it." };
  const about = inputsIn(config);
  const servers = entries.map(([name, entry]) => readEntry(name, entry));
  for (const server of servers) {
    for (const place of "places" in server ? server.places : []) {
      const said = about.get(place.name);
      if (said) place.about = said;
    }
  }
  return { ok: true, servers };
}

type NamedEntry = [name: string, entry: unknown];

function entriesIn(config: Record<string, unknown>): NamedEntry[] {
  const { mcp } = config;
  const places = [config, ...(isObject(mcp) ? [mcp] : [])];
  for (const place of places) {
    for (const key of holders) {
      const named = namedEntries(place[key]);
      if (named.length > 0) return named;
    }
  }
  if (isObject(mcp) && Object.values(mcp).some(isEntry)) return namedEntries(mcp);
  if (isEntry(config)) return [[nameFrom(config), config]];
  return Object.entries(config).filter(([, entry]) => isEntry(entry));
}

function entriesOfFolder({ projects }: Record<string, unknown>, folder: string): NamedEntry[] {
  const own = isObject(projects) ? projects[folder] : undefined;
  return isObject(own) ? namedEntries(own.mcpServers) : [];
}

/** By name, or a list of entries that hold their name. */
function namedEntries(held: unknown): NamedEntry[] {
  if (Array.isArray(held)) {
    return held.map((entry): NamedEntry => [isObject(entry) ? nameFrom(entry) : "server", entry]);
  }
  return isObject(held) ? Object.entries(held) : [];
}

function nameFrom(entry: Record<string, unknown>): string {
  if (typeof entry.name === "string" && entry.name.trim() !== "") return entry.name;
  return (typeof entry.url === "string" && URL.parse(entry.url)?.hostname) || "server";
}

function inputsIn({ inputs }: Record<string, unknown>): Map<string, string> {
  const all = Array.isArray(inputs) ? inputs.filter(isObject) : [];
  return new Map(
    all.flatMap(({ id, description }): [string, string][] =>
      typeof id === "string" && typeof description === "string" ? [[id, description]] : [],
    ),
  );
}

/**
 * What is sent to save it. Places of an HTTP server are filled, and so are those of a command that runs in an image; those of
 * another command stay as they are written, because they are values of the machine that runs it.
 */
export function savedFormOf(
  server: ConfiguredHttpServer | ConfiguredStdioServer,
  valueFor: (name: string) => string | undefined,
  sandboxImageId?: SandboxImageId,
): ProjectServerCreateRequest {
  const { name, enabled } = server;
  const has = (values: object) => Object.keys(values).length > 0;
  const fill = (text: string) => fillOpenPlaces(text, valueFor);
  const fillAll = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if (server.kind === "stdio") {
    const { command, args, env } = server;
    const stored = { name, enabled, transportType: "stdio" as const };
    if (sandboxImageId === undefined) return { ...stored, command, args, ...(has(env) && { env }) };
    const filled = { command: fill(command), args: args.map(fill), ...(has(env) && { env: fillAll(env) }) };
    return { ...stored, ...filled, sandboxImageId };
  }
  const headers = fillAll(server.headers);
  const { clientId, clientSecret, scopes } = server.oauth ?? {};
  return {
    name,
    enabled,
    transportType: "http",
    url: fill(server.url),
    ...(has(headers) && { headers }),
    ...(server.oauth && { useOAuth: true }),
    ...(clientId !== undefined && { clientId: fill(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: fill(clientSecret) }),
    ...(scopes && { oauthScopes: scopes }),
  };
}
