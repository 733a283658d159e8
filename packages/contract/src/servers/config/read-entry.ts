/** @module One server of a host's configuration, whatever that host calls its fields. */
import { type OpenPlace, openPlacesIn } from "./open-place.ts";
import { tunnelCommand } from "./tunnel-command.ts";

interface Configured {
  name: string;
  /** Switched on in the host. */
  enabled: boolean;
  /** Each needs a value before the server can be used. */
  places: OpenPlace[];
  /** What the entry says that is not taken over. */
  notes: string[];
}

export interface ConfiguredHttpServer extends Configured {
  kind: "http";
  url: string;
  headers: Record<string, string>;
  oauth?: { clientId?: string; clientSecret?: string; scopes?: string[] };
}

export interface ConfiguredStdioServer extends Configured {
  kind: "stdio";
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  /** What brings it into a project, to be run where the command lives. */
  tunnel: string;
}

export type ConfiguredServer =
  | ConfiguredHttpServer
  | ConfiguredStdioServer
  /** A part of the host itself, which nobody else can reach. */
  | { kind: "foreign"; name: string; reason: string }
  | { kind: "unreadable"; name: string; reason: string };

type Entry = Record<string, unknown>;

export function readEntry(name: string, entry: unknown): ConfiguredServer {
  const unreadable = (reason: string) => ({ kind: "unreadable" as const, name, reason });
  if (!isObject(entry)) return unreadable("Its entry is not an object.");
  if (entry.type === "builtin" || entry.type === "platform" || entry.source === "extension") {
    return { kind: "foreign", name, reason: "It is built into its host." };
  }
  if (entry.type === "ws" || entry.type === "websocket") {
    return unreadable("It speaks WebSocket, which is not one of MCP's transports.");
  }
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl ?? entry.uri;
  try {
    if (address !== undefined) return readHttp(name, entry, address);
    if (entry.command !== undefined || entry.cmd !== undefined) return readStdio(name, entry);
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(error.message);
    throw error;
  }
  return unreadable("It has neither an address nor a command.");
}

/** Whether something looks like a server at all, in a file that has them at its top. */
export function isEntry(entry: unknown): entry is Entry {
  return (
    isObject(entry) && ["url", "serverUrl", "httpUrl", "uri", "command", "cmd"].some((key) => key in entry)
  );
}

function readHttp(name: string, entry: Entry, address: unknown): ConfiguredHttpServer {
  if (typeof address !== "string" || !isAddress(address)) {
    throw new Unreadable(`“${String(address)}” is not an http or https address.`);
  }
  const headers = { ...textsOf(entry, "headers"), ...textsOf(entry, "http_headers") };
  for (const [header, variable] of Object.entries(textsOf(entry, "env_http_headers"))) {
    headers[header] = `\${${variable}}`;
  }
  if (typeof entry.bearer_token_env_var === "string") {
    headers.Authorization = `Bearer \${${entry.bearer_token_env_var}}`;
  }
  const oauth = oauthOf(entry);
  return {
    kind: "http",
    name,
    enabled: isEnabled(entry),
    url: address,
    headers,
    ...(oauth && { oauth }),
    places: placesIn([address, ...Object.values(headers), oauth?.clientId, oauth?.clientSecret]),
    notes: "headersHelper" in entry ? ["Its headersHelper is not run; send the header yourself."] : [],
  };
}

function readStdio(name: string, entry: Entry): ConfiguredStdioServer {
  // Some hosts nest the words, one puts them all in one list.
  const nested = isObject(entry.command) ? entry.command : entry;
  const given = isObject(entry.command) ? entry.command.path : (entry.command ?? entry.cmd);
  const words = (Array.isArray(given) ? given : [given]).map(wordOf);
  const [command = "", ...first] = words;
  if (command.trim() === "") throw new Unreadable("Its command is empty.");
  if (nested.args !== undefined && !Array.isArray(nested.args))
    throw new Unreadable("Its args are not a list.");
  const args = [...first, ...(nested.args ?? []).map(wordOf)];
  const env = { ...textsOf(nested, "env"), ...textsOf(entry, "environment"), ...textsOf(entry, "envs") };
  const { cwd } = entry;
  const server = { name, command, args, env, ...(typeof cwd === "string" && cwd !== "" && { cwd }) };
  return {
    kind: "stdio",
    ...server,
    enabled: isEnabled(entry),
    tunnel: tunnelCommand(server),
    places: placesIn([command, ...args, ...Object.values(env), server.cwd]),
    notes: "envFile" in entry ? ["Its envFile is not read; pass its variables with -e."] : [],
  };
}

class Unreadable extends Error {}

function wordOf(word: unknown): string {
  if (typeof word === "string" || typeof word === "number") return String(word);
  throw new Unreadable("Its command holds something that is not a text.");
}

function textsOf(entry: Entry, key: string): Record<string, string> {
  const value = entry[key];
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new Unreadable(`Its ${key} are not names with values.`);
  const pairs = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text === "object") throw new Unreadable(`The value of “${name}” in its ${key} is not a text.`);
    return [name, String(text)];
  });
  return Object.fromEntries(pairs);
}

function isAddress(text: string): boolean {
  const filled = text.replaceAll(/\$\{[^}]*\}|\{env:[^}]*\}/g, "x");
  // An address may be open as a whole.
  return filled === "x" || (/^https?:\/\//i.test(filled) && URL.canParse(filled));
}

function isEnabled(entry: Entry): boolean {
  return entry.disabled !== true && entry.enabled !== false;
}

function oauthOf(entry: Entry): ConfiguredHttpServer["oauth"] {
  const given = [entry.oauth, entry.auth].find(isObject);
  if (!given) return undefined;
  const clientId = given.clientId ?? given.CLIENT_ID;
  const clientSecret = given.clientSecret ?? given.CLIENT_SECRET;
  const scopes = Array.isArray(given.scopes) ? given.scopes.filter((scope) => typeof scope === "string") : [];
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof clientSecret === "string" && clientSecret !== "" && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
  };
}

function placesIn(texts: readonly (string | undefined)[]): OpenPlace[] {
  const all = texts.flatMap((text) => (text === undefined ? [] : openPlacesIn(text)));
  return [...new Map(all.map((place) => [place.text, place])).values()];
}

export function isObject(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
