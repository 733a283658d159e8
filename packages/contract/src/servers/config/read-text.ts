/** @module Whatever a person pastes to bring a server: its address, its command line, or a host's configuration. */
import { readCommandLine } from "./command-line.ts";
import { readServerConfig, readServerDocument, type ServerConfig } from "./read-config.ts";

export type PastedKind = "address" | "command" | "config";

/** Nothing is sure while it is being typed; one word that is no address may still become one. */
export function pastedKind(text: string): PastedKind {
  const said = text.trim();
  if (/^[{[]/.test(said)) return "config";
  if (/^\S+$/.test(said)) return "address";
  return said === "" ? "address" : "command";
}

/**
 * @example
 * readServerText("npx -y @acme/files"); // { ok: true, servers: [{ kind: "stdio", name: "files", tunnel: "fettle cloud tunnel …" }] }
 */
export function readServerText(text: string): ServerConfig {
  const said = text.trim();
  if (pastedKind(said) === "config") return readServerConfig(said);
  if (/^https?:\/\/\S+$/i.test(said)) return readServerDocument({ url: said });
  const line = readCommandLine(said);
  if (!line.ok) return line;
  const { name, command, args, env } = line;
  return readServerDocument({ mcpServers: { [name]: { command, args, env } } });
}
