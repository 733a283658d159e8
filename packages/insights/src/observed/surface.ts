/** @module The pinned tools of a scope, asked for: a definition, its words, how alike two are, which one a sentence means. Pure. */
import { terms, type VerbClass, verbClasses } from "@fettle/contract/formats";
import type { Vocabulary } from "../errors/template.ts";
import { fieldsOf } from "./fields.ts";
import type { ServerSnapshot, SnapshotTool } from "./snapshot.ts";

export interface PinnedTool extends SnapshotTool {
  serverId: string;
  hash: string;
}

export interface BestTool {
  tool: PinnedTool | null;
  score: number;
}

export interface Surface {
  /** Every server's newest tools, by server and name. */
  tools: readonly PinnedTool[];
  serverIds: readonly string[];
  /** As the unit met it, or else as it was last. */
  find(serverId: string | null, toolName: string, hash?: string): PinnedTool | undefined;
  hasTool(toolName: string): boolean;
  snapshotsOf(serverId: string): readonly ServerSnapshot[];
  vocabulary(serverId: string | null): Vocabulary;
  /** 0 to 1: by the words of their names, descriptions and parameters. */
  similarity(one: PinnedTool, other: PinnedTool): number;
  /** Which tool's words fit a sentence best. */
  meant(sentence: string): BestTool;
}

/** Below it, no tool is meant; the rule model chooses by the same number. */
export const selectionThreshold = 1.4;

const keyOf = (serverId: string, toolName: string) => `${serverId}\n${toolName}`;
const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

export function readSurface(snapshots: readonly ServerSnapshot[]): Surface {
  const newestFirst = snapshots.toSorted(
    (one, other) => other.takenAt - one.takenAt || byText(one.hash, other.hash),
  );
  const newest = new Map<string, PinnedTool>();
  const exact = new Map<string, PinnedTool>();
  for (const { serverId, hash, tools } of newestFirst) {
    for (const tool of tools) {
      const pinned = { ...tool, serverId, hash };
      exact.set(`${keyOf(serverId, tool.name)}\n${hash}`, pinned);
      if (!newest.has(keyOf(serverId, tool.name))) newest.set(keyOf(serverId, tool.name), pinned);
    }
  }
  const tools = [...newest.values()].sort(
    (one, other) => byText(one.serverId, other.serverId) || byText(one.name, other.name),
  );
  const byServer = Map.groupBy(newestFirst, ({ serverId }) => serverId);
  const names = new Set(tools.map(({ name }) => name));
  const vocabularies = new Map<string | null, Vocabulary>();
  const words = readWords(tools);
  return {
    tools,
    serverIds: [...byServer.keys()].sort(),
    find: (serverId, toolName, hash) => {
      if (serverId === null) return undefined;
      const key = keyOf(serverId, toolName);
      return exact.get(`${key}\n${hash}`) ?? newest.get(key);
    },
    hasTool: (toolName) => names.has(toolName),
    snapshotsOf: (serverId) => byServer.get(serverId) ?? [],
    vocabulary: (serverId) => {
      let known = vocabularies.get(serverId);
      if (!known) {
        const own = tools.filter((tool) => serverId === null || tool.serverId === serverId);
        known = new Set(own.flatMap((tool) => [tool.name, ...schemaWords(tool.inputSchema)]));
        vocabularies.set(serverId, known);
      }
      return known;
    },
    ...words,
  };
}

/** Property names, enum values and type names. */
function schemaWords(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(schemaWords);
  return Object.entries(fieldsOf(schema)).flatMap(([key, value]) => {
    if (key === "properties")
      return [...Object.keys(fieldsOf(value)), ...schemaWords(Object.values(fieldsOf(value)))];
    if (key === "enum" && Array.isArray(value)) return value.map(String);
    if (key === "type") return [value].flat().map(String);
    return schemaWords(value);
  });
}

interface KnownTool {
  tool: PinnedTool;
  name: Set<string>;
  description: Set<string>;
  parameters: Set<string>;
  verbs: Set<VerbClass>;
}

function readWords(tools: readonly PinnedTool[]): Pick<Surface, "similarity" | "meant"> {
  const known = tools.map((tool): KnownTool => {
    const name = terms(tool.name);
    return {
      tool,
      name: new Set(name),
      description: new Set(terms(tool.description ?? "")),
      parameters: new Set(terms(Object.keys(fieldsOf(tool.inputSchema.properties)).join(" "))),
      verbs: verbClasses(name.slice(0, 1)),
    };
  });
  const holders = new Map<string, number>();
  for (const { name, description, parameters } of known) {
    for (const term of new Set([...name, ...description, ...parameters])) {
      holders.set(term, (holders.get(term) ?? 0) + 1);
    }
  }
  const weight = (term: string) => Math.log(1 + known.length / (holders.get(term) ?? known.length));
  const telling = (term: string) =>
    Math.log(1 + known.length / (1 + (holders.get(term) ?? 0))) / Math.log(1 + known.length);
  const vectorOf = (tool: PinnedTool) => {
    const counts = new Map<string, number>();
    const parameters = Object.keys(fieldsOf(tool.inputSchema.properties)).join(" ");
    for (const term of terms(`${tool.name} ${tool.description ?? ""} ${parameters}`)) {
      counts.set(term, (counts.get(term) ?? 0) + weight(term));
    }
    return counts;
  };
  return {
    similarity: (one, other) => cosine(vectorOf(one), vectorOf(other)),
    meant: (sentence) => {
      const said = [...new Set(terms(sentence))];
      const spoken = verbClasses(said);
      let best: BestTool = { tool: null, score: 0 };
      for (const { tool, ...words } of known) {
        const score = scoreOf(words, said, spoken, telling);
        if (score > best.score) best = { tool, score };
      }
      return best;
    },
  };
}

function scoreOf(
  { name, description, parameters, verbs }: Omit<KnownTool, "tool">,
  said: readonly string[],
  spoken: ReadonlySet<VerbClass>,
  telling: (term: string) => number,
): number {
  let score = 0;
  // A bare verb means no tool.
  let isMeant = false;
  for (const term of said) {
    const points = name.has(term) ? 3 : description.has(term) ? 1.2 : parameters.has(term) ? 0.8 : 0;
    score += points * (0.5 + 0.5 * telling(term));
    if (points > 0 && verbClasses([term]).size === 0) isMeant = true;
  }
  if (!isMeant) return 0;
  if (verbs.size === 0 || spoken.size === 0) return score;
  return score + (verbs.isDisjointFrom(spoken) ? 0 : 1.5);
}

function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const length = (vector: ReadonlyMap<string, number>) =>
    Math.sqrt([...vector.values()].reduce((sum, value) => sum + value * value, 0));
  const product = [...one].reduce((sum, [term, value]) => sum + value * (other.get(term) ?? 0), 0);
  const lengths = length(one) * length(other);
  return lengths === 0 ? 0 : product / lengths;
}
