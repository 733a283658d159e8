/** @module Reads the configuration files people already have (`mcp.json` and its relatives) into servers that can be saved, and says what cannot. */

export type ImportedServer =
  | {
      kind: "http";
      name: string;
      url: string;
      headers: Record<string, string>;
      /** `${…}` that the file leaves open; each needs a value before the server can be saved. */
      placeholders: string[];
    }
  | { kind: "stdio"; name: string; tunnel: string }
  | { kind: "unreadable"; name: string; reason: string };

export type ImportedConfig = { ok: true; servers: ImportedServer[] } | { ok: false; reason: string };

/** Where the hosts keep their servers. */
const holders = ["mcpServers", "servers", "context_servers", "mcp_servers"];

export function readConfig(text: string): ImportedConfig {
  let config: unknown;
  try {
    config = JSON.parse(withoutComments(text));
  } catch (error) {
    return { ok: false, reason: `This is not JSON: ${(error as Error).message}` };
  }
  if (!isObject(config)) return { ok: false, reason: "A configuration is an object with servers by name." };
  const inside = isObject(config.mcp) ? { ...config.mcp, ...config } : config;
  const held = holders.map((key) => inside[key]).find(isObject);
  const entries = held
    ? Object.entries(held)
    : isEntry(config)
      ? [[nameFrom(config), config] as const]
      : Object.entries(config).filter(([, entry]) => isEntry(entry));
  if (entries.length === 0) return { ok: false, reason: "No server was found in it." };
  return { ok: true, servers: entries.map(([name, entry]) => readEntry(name, entry)) };
}

function readEntry(name: string, entry: unknown): ImportedServer {
  if (!isObject(entry)) return { kind: "unreadable", name, reason: "Its entry is not an object." };
  const url = [entry.url, entry.serverUrl, entry.httpUrl].find((each) => typeof each === "string");
  if (typeof url === "string") {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url.replaceAll(/\$\{[^}]*\}/g, "x")))
      return { kind: "unreadable", name, reason: `“${url}” is not an http or https address.` };
    const headers = Object.fromEntries(
      Object.entries(isObject(entry.headers) ? entry.headers : {}).map(([key, value]) => [
        key,
        String(value),
      ]),
    );
    const texts = [url, ...Object.values(headers)];
    const placeholders = texts.flatMap((each) => each.match(/\$\{[^}]+\}/g) ?? []);
    return { kind: "http", name, url, headers, placeholders: [...new Set(placeholders)] };
  }
  const command = isObject(entry.command) ? entry.command.path : entry.command;
  if (typeof command === "string")
    return { kind: "stdio", name, tunnel: tunnelCommand(name, command, entry) };
  return { kind: "unreadable", name, reason: "It has neither an address nor a command." };
}

/** Values of its variables stay out: they are often secrets, and the terminal has them already. */
function tunnelCommand(name: string, command: string, entry: Record<string, unknown>): string {
  const given = isObject(entry.command) ? entry.command.args : entry.args;
  const words = [command, ...(Array.isArray(given) ? given.map(String) : [])];
  const variables = Object.keys(isObject(entry.env) ? entry.env : {});
  return [
    "fettle cloud tunnel --server",
    shellWord(name),
    ...variables.map((key) => `-e ${shellWord(key)}="$${key}"`),
    "--",
    ...words.map(shellWord),
  ].join(" ");
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Fills the open places of an imported server. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{[^}]+\}/g, (name) => (Object.hasOwn(values, name) ? values[name]! : name));
}

/** Comments and trailing commas, which the common editors allow, go; what looks like them inside a text stays. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, kept?: string) => kept ?? " ")
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, kept?: string) => kept ?? "");
}

function nameFrom(entry: Record<string, unknown>): string {
  if (typeof entry.name === "string") return entry.name;
  return typeof entry.url === "string" && URL.canParse(entry.url) ? new URL(entry.url).hostname : "server";
}

function isEntry(entry: unknown): entry is Record<string, unknown> {
  return isObject(entry) && ["url", "serverUrl", "httpUrl", "command"].some((key) => key in entry);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
