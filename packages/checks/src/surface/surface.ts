/** @module What a server offers to those who use it, by name and in one order: the part of it that a lock file holds. */

import { counted, sortKeys } from "@fettle/contract/formats";
import { type Connection, isObject, type JsonObject, type ListWalk, McpError } from "@fettle/mcp";
import { askAgain } from "../verdict/ask-again.ts";

export const surfaceSections = ["tools", "prompts", "resources", "resourceTemplates"] as const;
export type SurfaceSection = (typeof surfaceSections)[number];

/** Definitions by name or address. A section that is absent is not compared. */
export interface Surface {
  capabilities: JsonObject;
  instructions?: string;
  tools?: Record<string, JsonObject>;
  prompts?: Record<string, JsonObject>;
  resources?: Record<string, JsonObject>;
  resourceTemplates?: Record<string, JsonObject>;
}

export interface ReadSurfaceOptions {
  /** Left out, because they come and go: resources often do. */
  skip?: readonly SurfaceSection[];
  signal?: AbortSignal;
}

/** Reads everything, to the end: a list that was cut short cannot be locked, or what is missing would seem removed. */
export async function readSurface(
  connection: Connection,
  options: ReadSurfaceOptions = {},
): Promise<Surface> {
  const { capabilities, instructions } = connection;
  const given = options.signal ? { signal: options.signal } : {};
  const skipped = new Set(options.skip ?? []);
  const section = async <T extends JsonObject>(
    name: SurfaceSection,
    capability: string,
    key: string,
    walk: () => Promise<ListWalk<T>>,
  ) => {
    if (skipped.has(name)) return {};
    const items = capability in capabilities ? await wholeList(name, walk) : [];
    return { [name]: byName(items.map(withoutVolatile), key) };
  };
  const parts = await Promise.all([
    section("tools", "tools", "name", () => connection.listTools(given)),
    section("prompts", "prompts", "name", () => connection.listPrompts(given)),
    section("resources", "resources", "uri", () => connection.listResources(given)),
    section("resourceTemplates", "resources", "uriTemplate", () => connection.listResourceTemplates(given)),
  ]);
  return Object.assign(
    { capabilities: sortKeys(capabilities), ...(instructions !== undefined && { instructions }) },
    ...parts,
  );
}

/** Of what was listed already. */
export function surfaceOf(
  listed: { capabilities: JsonObject; instructions: string | undefined } & Record<
    SurfaceSection,
    readonly JsonObject[]
  >,
): Surface {
  const { capabilities, instructions } = listed;
  return {
    capabilities: sortKeys(capabilities),
    ...(instructions !== undefined && { instructions }),
    ...Object.fromEntries(
      surfaceSections.map((name) => [name, byName(listed[name].map(withoutVolatile), keyOf[name])]),
    ),
  };
}

const keyOf: Record<SurfaceSection, string> = {
  tools: "name",
  prompts: "name",
  resources: "uri",
  resourceTemplates: "uriTemplate",
};

async function wholeList<T>(name: SurfaceSection, walk: () => Promise<ListWalk<T>>): Promise<T[]> {
  try {
    const { items, truncated, truncatedBecause, pages } = await askAgain(walk);
    if (!truncated) return items;
    throw new McpError(
      "INVALID_RESULT",
      `The list of ${name} does not end (${truncatedBecause}, ${counted(pages, "page")}).`,
      {
        hint: "A surface is only compared whole. Mend the list's last page, or leave this section out.",
      },
    );
  } catch (error) {
    const isUnknown = error instanceof McpError && error.details.rpcCode === -32601;
    if (isUnknown && name === "resourceTemplates") return [];
    throw error;
  }
}

/** Size and date say how a resource is today, not what it is. */
function withoutVolatile(item: JsonObject): JsonObject {
  const { size: _size, annotations, ...rest } = item;
  if (!isObject(annotations)) return rest;
  const { lastModified: _lastModified, ...stable } = annotations;
  return { ...rest, annotations: stable };
}

function byName(items: readonly JsonObject[], key: string): Record<string, JsonObject> {
  const named = items.map((item) => [String(item[key]), sortKeys(item)] as const);
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
