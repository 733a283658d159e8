/** @module A server that was named in the terminal, kept in the inspector; naming a command there is agreeing to start it. */
import { basename } from "node:path";
import type { ProjectServer } from "@fettle/contract";
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

/** Of the host and path of its address, or the last part of its command. */
export function nameOf(target: Target): string {
  if (target.kind === "stdio") {
    const script = target.args.findLast((word) => !word.startsWith("-"));
    return plain(basename(script ?? target.command));
  }
  const { host, pathname } = new URL(target.url);
  return plain(`${host}${pathname}`);
}

const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "server";
