/** @module What is said of a saved server. */
import type { ProjectServer } from "@fettle/contract/servers";
import { facts } from "../output/table.ts";
import { style, type Text } from "../output/text.ts";

/** Where it is, or why it is nowhere yet. */
export function placeOf({ transportType, url, sandboxImageId }: ProjectServer): string {
  if (url !== null || transportType !== "stdio") return url ?? "";
  return sandboxImageId
    ? `a command, run in image ${sandboxImageId}`
    : "a command, reached through a tunnel or run in the project's image";
}

export function serverFacts(server: ProjectServer): Text {
  const { id, name, transportType, useOAuth, hasClientSecret, headerNames, oauthScopes } = server;
  return facts([
    ["Name", style.bold(name)],
    ["Id", id],
    ["Transport", transportType],
    ["Address", placeOf(server)],
    ["Enabled", server.enabled ? style.green("yes") : style.yellow("no")],
    ["Sends", headerNames.length > 0 ? headerNames.join(", ") : undefined],
    ["OAuth", useOAuth ? (hasClientSecret ? "yes, with a client secret" : "yes") : undefined],
    ["Scopes", oauthScopes.length > 0 ? oauthScopes.join(" ") : undefined],
    ["Saved", new Date(server.createdAt).toISOString()],
    ["Changed", new Date(server.updatedAt).toISOString()],
  ]);
}
