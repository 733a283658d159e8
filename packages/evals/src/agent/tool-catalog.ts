/** @module The tools of all servers under names that a model can use: clashes and illegal names are resolved the same way every time, and led back. Pure. */
import { createHash } from "node:crypto";
import { must } from "@fettle/contract/formats";
import { isAppOnlyTool, isObject, type JsonObject, type Tool } from "@fettle/mcp";
import { digestOf } from "../digest.ts";
import type { OfferedTool } from "../models/model.ts";
import type { TraceTool } from "./trace.ts";

/** What one server listed. */
export interface ListedTools {
  server: string;
  tools: readonly Tool[];
}

export interface CatalogTool {
  server: string;
  /** The server's own name. */
  name: string;
  offeredName: string;
  tool: Tool;
  hash: string;
}

export interface ToolCatalog {
  tools: readonly CatalogTool[];
  /** By the name that the model was offered. */
  find(offeredName: string): CatalogTool | undefined;
  /** By the server's own name. */
  of(server: string, name: string): CatalogTool | undefined;
  /** Which content the model chose from, by server, whatever the order it was listed in. */
  hashes: { combined: string; servers: Record<string, string> };
}

/** What the narrowest provider takes. */
const legalName = /^[a-zA-Z0-9_-]{1,64}$/;
const longestName = 64;

/** Tools that are for a widget and not for the model are left out, and so is a second one of the same name. */
export function toolCatalog(listed: readonly ListedTools[]): ToolCatalog {
  const found = listed.flatMap(({ server, tools }) => {
    const own = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
    return tools
      .filter((tool) => own.get(tool.name) === tool && !isAppOnlyTool(tool))
      .map((tool) => ({ server, name: tool.name, tool, hash: hashOf(tool) }));
  });
  const names = offeredNames(found);
  const tools = found.map((entry) => ({
    ...entry,
    offeredName: must(names.get(keyOf(entry)), "a name for each tool"),
  }));
  const byOffered = new Map(tools.map((entry) => [entry.offeredName, entry]));
  const byOwn = new Map(tools.map((entry) => [keyOf(entry), entry]));
  return {
    tools,
    find: (name) => byOffered.get(name),
    of: (server, name) => byOwn.get(keyOf({ server, name })),
    hashes: hashesOf(
      listed.map(({ server }) => server),
      tools,
    ),
  };
}

function hashesOf(servers: readonly string[], tools: readonly CatalogTool[]): ToolCatalog["hashes"] {
  const own = Object.fromEntries(
    servers.map((server) => [
      server,
      digestOf(
        Object.fromEntries(
          tools.filter((entry) => entry.server === server).map(({ name, hash }) => [name, hash]),
        ),
      ),
    ]),
  );
  return { combined: digestOf(own), servers: own };
}

/** Of tools that are offered to one conversation after another. */
const known = new WeakMap<Tool, string>();

/** What a model judges a tool by. */
function hashOf(tool: Tool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const hash =
    known.get(tool) ?? digestOf({ name, title, description, inputSchema, outputSchema, annotations });
  known.set(tool, hash);
  return hash;
}

const keyOf = ({ server, name }: { server: string; name: string }) => `${server}\u0000${name}`;

/** A name that is legal and taken by one server alone stays; every other one is made from server and tool. */
function offeredNames(found: readonly { server: string; name: string }[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const { name } of found) count.set(name, (count.get(name) ?? 0) + 1);
  const keeps = (name: string) => count.get(name) === 1 && legalName.test(name);
  const taken = new Set(found.map(({ name }) => name).filter(keeps));
  const names = new Map<string, string>();
  // In an order of their own, so that it does not matter which server was listed first.
  const renamed = found.filter(({ name }) => !keeps(name)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const entry of found) if (keeps(entry.name)) names.set(keyOf(entry), entry.name);
  for (const entry of renamed) {
    const plain = `${spell(entry.server)}__${spell(entry.name)}`;
    const isExact = plain === `${entry.server}__${entry.name}` && plain.length <= longestName;
    const name = isExact && !taken.has(plain) ? plain : marked(plain, keyOf(entry));
    taken.add(name);
    names.set(keyOf(entry), name);
  }
  return names;
}

const spell = (text: string) => text.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Two names that are spelled the same differ in what they were made from. */
function marked(plain: string, key: string): string {
  const mark = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return `${plain.slice(0, longestName - mark.length - 1)}_${mark}`;
}

/** As models are offered it. */
export function offeredTool({ offeredName, tool }: CatalogTool): OfferedTool {
  const { description } = tool;
  return {
    name: offeredName,
    ...(typeof description === "string" && { description }),
    inputSchema: tool.inputSchema,
    ...(annotationsOf(tool).destructiveHint === true && { isDestructive: true }),
  };
}

export function annotationsOf(tool: Tool): JsonObject {
  return isObject(tool.annotations) ? tool.annotations : {};
}

export function traceTool({ server, name, offeredName, tool, hash }: CatalogTool): TraceTool {
  return {
    server,
    name,
    ...(offeredName !== name && { offeredName }),
    hash,
    ...(hasWidget(tool) && { hasWidget: true }),
  };
}

/** Whether the tool names a document that shows its result, in either dialect. */
export function hasWidget({ _meta }: Tool): boolean {
  const meta = isObject(_meta) ? _meta : {};
  const ui = isObject(meta.ui) ? meta.ui : {};
  return [ui.resourceUri, meta["ui/resourceUri"], meta["openai/outputTemplate"]].some(
    (uri) => typeof uri === "string",
  );
}
