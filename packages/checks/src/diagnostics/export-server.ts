/** @module A whole server in one document: as it is now, or as a stable snapshot to compare with later. */

import { sortKeys } from "@fettle/contract/formats";
import type { Connection, JsonObject, ListWalk } from "@fettle/mcp";
import { isMcpError, type Tool } from "@fettle/mcp";
import { type InitInfo, initInfoOf } from "./init-info.ts";
import { toolsMetadataOf } from "./tools-metadata.ts";

export interface ServerContents {
  initInfo: InitInfo;
  capabilities: JsonObject;
  tools: JsonObject[];
  toolsMetadata: Record<string, JsonObject>;
  resources: JsonObject[];
  resourceTemplates: JsonObject[];
  prompts: JsonObject[];
  /** False when the server knows no `resources/templates/list`. */
  resourceTemplatesSupported: boolean;
}

/** What an export keeps of each definition, and by what it is called. */
export const exportedFields = {
  tools: { key: "name", fields: ["name", "description", "inputSchema", "outputSchema"] },
  resources: { key: "uri", fields: ["uri", "name", "description", "mimeType"] },
  resourceTemplates: { key: "uriTemplate", fields: ["uriTemplate", "name", "description", "mimeType"] },
  prompts: { key: "name", fields: ["name", "description", "arguments"] },
} as const;

/** Everything a server offers. A list behind a capability it does not advertise is empty. */
export async function readServer(connection: Connection, signal?: AbortSignal): Promise<ServerContents> {
  const { capabilities } = connection;
  const list = async <T extends JsonObject>(
    capability: string,
    walk: (options: { signal?: AbortSignal }) => Promise<ListWalk<T>>,
  ) => (capability in capabilities ? (await walk({ ...(signal && { signal }) })).items : []);
  const templates = list("resources", (given) => connection.listResourceTemplates(given)).catch(
    (error: unknown) => {
      if (isMcpError(error, "RPC_ERROR") && error.details.rpcCode === -32601) return undefined;
      throw error;
    },
  );
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list("tools", (given) => connection.listTools(given)),
    list("resources", (given) => connection.listResources(given)),
    templates,
    list("prompts", (given) => connection.listPrompts(given)),
  ]);
  return {
    initInfo: initInfoOf(connection),
    capabilities,
    tools: tools.map((tool: Tool) => pick(tool, exportedFields.tools.fields)),
    toolsMetadata: toolsMetadataOf(tools),
    resources: resources.map((item) => pick(item, exportedFields.resources.fields)),
    resourceTemplates: (resourceTemplates ?? []).map((item) =>
      pick(item, exportedFields.resourceTemplates.fields),
    ),
    prompts: prompts.map((item) => pick(item, exportedFields.prompts.fields)),
    resourceTemplatesSupported: "resources" in capabilities && resourceTemplates !== undefined,
  };
}

export interface ServerExport extends Omit<ServerContents, "resourceTemplatesSupported"> {
  target: string;
  /** ISO 8601. */
  exportedAt: string;
}

export function toExport(contents: ServerContents, target: string, exportedAt: string): ServerExport {
  const { resourceTemplatesSupported: _, ...rest } = contents;
  return { target, exportedAt, ...rest };
}

export interface ServerSnapshot extends ServerContents {
  kind: "server-snapshot";
  schemaVersion: 1;
  target: string;
}

/** Lists sorted, keys sorted, no time in it: the same server gives the same bytes. */
export function toSnapshot(contents: ServerContents, target: string): ServerSnapshot {
  const sorted = {
    ...contents,
    tools: sortBy(contents.tools, "name"),
    resources: sortBy(contents.resources, "uri"),
    resourceTemplates: sortBy(contents.resourceTemplates, "uriTemplate"),
    prompts: sortBy(contents.prompts, "name"),
  };
  return { kind: "server-snapshot", schemaVersion: 1, target, ...sortKeys(sorted) };
}

function sortBy(items: readonly JsonObject[], key: string): JsonObject[] {
  const named = (item: JsonObject) => String(item[key]);
  return items.toSorted((a, b) => (named(a) < named(b) ? -1 : named(a) > named(b) ? 1 : 0));
}

export function pick(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));
}
