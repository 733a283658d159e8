/** @module A saved server as the hosts want it written down. Values of headers are secrets, so each stands as a place to fill in. */
import { shellWord } from "../../formats/shell-word.ts";

export interface SnippetSource {
  name: string;
  url: string;
  headerNames: readonly string[];
}

export interface HostSnippet {
  id: string;
  host: string;
  /** Where it goes: a file, or a terminal. */
  place: string;
  text: string;
}

interface Writer {
  id: string;
  host: string;
  place: string;
  write: (server: SnippetSource) => string;
}

const variableOf = (header: string) => header.toUpperCase().replace(/[^A-Z0-9]+/g, "_");

const headersOf = ({ headerNames }: SnippetSource, place: (header: string) => string) =>
  headerNames.length === 0
    ? {}
    : { headers: Object.fromEntries(headerNames.map((header) => [header, place(header)])) };

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The common form; hosts differ in what they call the address, and in how a place is written. */
const inMcpServers =
  (address: string, place: (header: string) => string, more: object = {}) =>
  (server: SnippetSource) =>
    json({
      mcpServers: { [server.name]: { ...more, [address]: server.url, ...headersOf(server, place) } },
    });

const dollar = (header: string) => `\${${variableOf(header)}}`;

const writers: readonly Writer[] = [
  {
    id: "mcp-json",
    host: "mcp.json",
    place: "mcp.json",
    write: inMcpServers("url", dollar, { type: "http" }),
  },
  {
    id: "claude-code",
    host: "Claude Code",
    place: "a terminal",
    write: (server) =>
      `${[
        "claude mcp add --transport http",
        shellWord(server.name),
        shellWord(server.url),
        // The variable apart, in double quotes: the shell fills in that and nothing else.
        ...server.headerNames.map((header) => `--header ${shellWord(`${header}: `)}"$${variableOf(header)}"`),
      ].join(" ")}\n`,
  },
  {
    id: "cursor",
    host: "Cursor",
    place: ".cursor/mcp.json",
    write: inMcpServers("url", (header) => `\${env:${variableOf(header)}}`),
  },
  {
    id: "vscode",
    host: "VS Code",
    place: ".vscode/mcp.json",
    write: (server) =>
      json({
        servers: {
          [server.name]: {
            type: "http",
            url: server.url,
            ...headersOf(server, (header) => `\${input:${variableOf(header)}}`),
          },
        },
        ...(server.headerNames.length > 0 && {
          inputs: server.headerNames.map((header) => ({
            type: "promptString",
            id: variableOf(header),
            description: header,
            password: true,
          })),
        }),
      }),
  },
  {
    id: "windsurf",
    host: "Windsurf",
    place: "~/.codeium/windsurf/mcp_config.json",
    write: inMcpServers("serverUrl", (header) => `\${env:${variableOf(header)}}`),
  },
  {
    id: "gemini-cli",
    host: "Gemini CLI",
    place: "~/.gemini/settings.json",
    write: inMcpServers("httpUrl", (header) => `$${variableOf(header)}`),
  },
  {
    id: "codex",
    host: "Codex",
    place: "~/.codex/config.toml",
    write: ({ name, url, headerNames }) =>
      [
        // A quoted key and basic strings of TOML are JSON's, escapes included.
        `[mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`,
        `url = ${JSON.stringify(url)}`,
        ...(headerNames.length > 0
          ? [
              `env_http_headers = { ${headerNames
                .map((header) => `${JSON.stringify(header)} = ${JSON.stringify(variableOf(header))}`)
                .join(", ")} }`,
            ]
          : []),
        "",
      ].join("\n"),
  },
];

/**
 * @example
 * hostSnippets({ name: "shop", url: "https://shop.example/mcp", headerNames: ["X-Api-Key"] })[0].text // { "mcpServers": …
 */
export function hostSnippets(server: SnippetSource): HostSnippet[] {
  return writers.map(({ write, ...about }) => ({ ...about, text: write(server) }));
}
