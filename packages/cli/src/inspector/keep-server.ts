/** @module A server that was named in the terminal, kept in the inspector; naming a command there is agreeing to start it. */
import { basename } from "node:path";
import type { ProjectServer } from "@fettle/contract/servers";
import type { Target } from "@fettle/mcp";
import { type Inspector, speak } from "./control.ts";

const servers = "/api/v1/projects/proj_local/servers";

/** One of that name is changed to be this. */
export async function keepServer(
  inspector: Inspector,
  target: Target,
  given: string | undefined,
): Promise<ProjectServer> {
  const name = given ?? nameOf(target);
  // The inspector answers as the contract says.
  const { items } = (await speak(inspector, "GET", servers)) as { items: ProjectServer[] };
  const known = items.find((server) => server.name.toLowerCase() === name.toLowerCase());
  const server = (await (known
    ? speak(inspector, "PATCH", `${servers}/${known.id}`, settingsOf(target))
    : speak(inspector, "POST", servers, { name, ...settingsOf(target) }))) as ProjectServer;
  if (target.kind === "stdio") await speak(inspector, "POST", "/api/mcp/approve", { serverId: server.id });
  return server;
}

function settingsOf(target: Target): object {
  if (target.kind === "stdio") {
    const { command, args, env } = target;
    return { transportType: "stdio", command, args, env };
  }
  const { url, headers, accessToken } = target;
  const bearer = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };
  return { transportType: "http", url, headers: { ...headers, ...bearer } };
}

/** Of the host and path of its address, or the script, package or program that its command runs. */
export function nameOf(target: Target): string {
  if (target.kind === "stdio") return plain(bare(basename(programOf(target))));
  const { host, pathname } = new URL(target.url);
  return plain(`${host}${pathname}`);
}

/** Programs that only run another, and the words they do it with. */
const runners =
  /^(node|bun|bunx|deno|tsx|npx|npm|pnpm|yarn|uv|uvx|pipx|python[\d.]*|py|ruby|php|java|docker|podman|sh|bash)$/;
const verbs = new Set(["run", "exec", "dlx", "x", "tool"]);
const isScript = (word: string) => /\.([cm]?[jt]sx?|py|rb|php|jar|sh)$/.test(word);

function programOf({ command, args }: { command: string; args: readonly string[] }): string {
  if (!runners.test(basename(command).replace(/\.(exe|cmd)$/i, ""))) return command;
  const words = args.filter((word) => !word.startsWith("-") && !verbs.has(word));
  // What stands behind it is for the program itself.
  return words.find(isScript) ?? words[0] ?? command;
}

/** Without the version of a package and the kind of a file. */
const bare = (name: string) => name.replace(/(?<=.)@.*$/, "").replace(/(?<=.)\.\w+$/, "");
const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "server";
