/** @module Which tool a clause means: every tool gets a score by the same table, and the best one must be good enough. Pure. */
import { terms, type VerbClass, verbClasses } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { OfferedTool } from "../model.ts";
import { type Filling, fillArguments, type Recall } from "./fill-arguments.ts";

/** A tool as the words it is known by. */
interface KnownTool {
  tool: OfferedTool;
  name: Set<string>;
  description: Set<string>;
  parameters: Set<string>;
  verbs: Set<VerbClass>;
}

export interface Catalogue {
  tools: KnownTool[];
  /** How telling a word is: rare ones near 1, those that every tool has near 0. */
  weight(term: string): number;
}

export interface Choice {
  tool: OfferedTool;
  score: number;
  filling: Filling;
  /** A second tool is nearly as good. */
  ambiguous: boolean;
  /** Good enough to be called unasked. */
  isGood: boolean;
}

const threshold = 1.4;
const clearLead = 0.5;
const queryFamily: ReadonlySet<VerbClass> = new Set(["read", "list", "search"]);

export function readCatalogue(tools: readonly OfferedTool[]): Catalogue {
  const known = tools.map((tool): KnownTool => {
    const name = terms(tool.name);
    return {
      tool,
      name: new Set(name),
      description: new Set(terms(tool.description ?? "")),
      parameters: new Set(terms(parameterText(tool.inputSchema))),
      verbs: verbClasses(name.slice(0, 1)),
    };
  });
  const count = known.length;
  const weights = new Map<string, number>();
  return {
    tools: known,
    weight(term) {
      let weight = weights.get(term);
      if (weight === undefined) {
        const holders = known.filter(
          ({ name, description, parameters }) =>
            name.has(term) || description.has(term) || parameters.has(term),
        ).length;
        weight = Math.log(1 + count / (1 + holders)) / Math.log(1 + count);
        weights.set(term, weight);
      }
      return weight;
    },
  };
}

function parameterText(schema: JsonObject, depth = 0): string {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties)
    .map(([name, declared]) => {
      if (!isObject(declared)) return name;
      const { description, enum: members } = declared;
      const inner = depth < 2 ? parameterText(declared, depth + 1) : "";
      return [
        name,
        typeof description === "string" ? description : "",
        Array.isArray(members) ? members.join(" ") : "",
        inner,
      ].join(" ");
    })
    .join(" ");
}

/** The best tool for a clause; undefined when there are no tools. */
export function chooseTool(
  catalogue: Catalogue,
  clause: string,
  now: number,
  recall: Recall,
): Choice | undefined {
  const said = [...new Set(terms(clause))];
  const spoken = verbClasses(said);
  const ranked = catalogue.tools
    .map((known) => {
      const filling = fillArguments(known.tool.inputSchema, clause, now, recall);
      return { known, filling, score: scoreOf(known, catalogue, { clause, said, spoken, filling }) };
    })
    .sort((one, other) => other.score - one.score || (one.known.tool.name < other.known.tool.name ? -1 : 1));
  const [best, second] = ranked;
  if (!best) return undefined;
  return {
    tool: best.known.tool,
    score: best.score,
    filling: best.filling,
    ambiguous: second !== undefined && best.score - second.score < clearLead,
    isGood: best.score >= threshold,
  };
}

interface Spoken {
  clause: string;
  said: readonly string[];
  spoken: ReadonlySet<VerbClass>;
  filling: Filling;
}

function scoreOf(known: KnownTool, catalogue: Catalogue, { clause, said, spoken, filling }: Spoken): number {
  const isLiteral = namesLiterally(clause, known.tool.name);
  let score = isLiteral ? 6 : 0;
  let hasEvidence = isLiteral || filling.typedFits > 0;
  for (const term of said) {
    const points = known.name.has(term)
      ? 3
      : known.description.has(term)
        ? 1.2
        : known.parameters.has(term)
          ? 0.8
          : 0;
    score += points * (0.5 + 0.5 * catalogue.weight(term));
    if (points > 0 && verbClasses([term]).size === 0) hasEvidence = true;
  }
  score += 0.7 * Math.min(3, filling.typedFits) - 0.9 * filling.missing.length;
  // A bare verb never selects a tool: "write" alone says nothing about what is written.
  if (hasEvidence) score += verbPoints(known.verbs, spoken);
  const isDestructive = known.tool.isDestructive === true || known.verbs.has("delete");
  if (isDestructive && !spoken.has("delete") && !isLiteral) score -= 3;
  return score;
}

function verbPoints(own: ReadonlySet<VerbClass>, spoken: ReadonlySet<VerbClass>): number {
  if (own.size === 0 || spoken.size === 0) return 0;
  if (!own.isDisjointFrom(spoken)) return 1.5;
  return !own.isDisjointFrom(queryFamily) && !spoken.isDisjointFrom(queryFamily) ? 0.5 : -1;
}

function namesLiterally(clause: string, name: string): boolean {
  const escaped = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(clause);
}
