/** @module Personas and journeys from servers' tools, by rules and without a model: the same tools and numbers give the same drafts. Pure. */
import { swarmLimits, terms, verbClasses } from "@fettle/contract";
import type { Tool } from "@fettle/mcp";
import { sharedField } from "../suite/draft-cases.ts";
import { groundOf, type ToolGround, usableTools } from "../suite/draft-suite.ts";

export interface PersonaDraft {
  name: string;
  role: string;
  notes: string;
}

export interface JourneyDraft {
  name: string;
  goal: string;
  suggestedChecks: { type: "toolCalledAtLeastOnce"; toolName: string }[];
}

export interface SkippedTool {
  toolName: string;
  reason: string;
}

type Offered = readonly { serverName: string; tools: readonly Tool[] }[];

/** Ways to come to a server, each of which asks something else of it. */
const ways: readonly ((serverName: string) => PersonaDraft)[] = [
  (server) => ({
    name: "Ada",
    role: `Comes to ${server} for the first time`,
    notes: "Knows what to get done, and none of the words that the tools use.",
  }),
  (server) => ({
    name: "Ben",
    role: `Uses ${server} every day`,
    notes: "In a hurry. Says as little as needed.",
  }),
  (server) => ({
    name: "Cleo",
    role: `Checks what ${server} answers`,
    notes: "Asks again when an answer says less than was asked.",
  }),
  (server) => ({
    name: "Dev",
    role: `Builds on ${server}`,
    notes: "Gives exact values, and expects them back.",
  }),
  (server) => ({
    name: "Emi",
    role: `Was sent to ${server} by somebody`,
    notes: "Has only half of what is needed.",
  }),
  (server) => ({
    name: "Fay",
    role: `Gave ${server} up once already`,
    notes: "Leaves at the second failure.",
  }),
];

/**
 * Those whose names are taken come again under another.
 *
 * @example
 * draftPersonas([{ serverName: "Shop", tools }], 2)[0].role // "Comes to Shop for the first time"
 */
export function draftPersonas(
  servers: Offered,
  wanted: number,
  existing: readonly { name: string }[] = [],
): PersonaDraft[] {
  const taken = new Set(existing.map(({ name }) => name.toLowerCase()));
  // The longest role says forty characters more than the name.
  const serverName = servers
    .map((server) => server.serverName)
    .join(" and ")
    .slice(0, swarmLimits.personaNameLength - 40);
  const drafts: PersonaDraft[] = [];
  for (let round = 1; drafts.length < wanted; round += 1) {
    for (const way of ways) {
      const draft = way(serverName || "the server");
      const name = round === 1 ? draft.name : `${draft.name} ${round}`;
      if (drafts.length < wanted && !taken.has(name.toLowerCase())) drafts.push({ ...draft, name });
    }
  }
  return drafts;
}

/**
 * What one tool gets done, then what two do after each other. `from` goes on where another persona's journeys ended.
 *
 * @example
 * draftJourneys([{ serverName: "Shop", tools }], 1).journeys[0].goal // 'Search books about "example"'
 */
export function draftJourneys(
  servers: Offered,
  wanted: number,
  from = 0,
): { journeys: JourneyDraft[]; skipped: SkippedTool[] } {
  const grounds = servers.flatMap(({ tools }) =>
    usableTools(tools).map((tool) => ({ tool, ...groundOf(tool) })),
  );
  const spoken = grounds.filter((ground) => reasonAgainst(ground) === undefined);
  const alone = spoken.map(({ tool, samples }) => ({
    name: titleOf(tool),
    goal: goalOf(tool, samples),
    suggestedChecks: [called(tool)],
  }));
  const pairs = spoken.flatMap((first) =>
    grounds.flatMap((second) => {
      // What the second one needs is what the first one gives, so that only harm speaks against it.
      if (first === second || second.harm !== undefined) return [];
      return sharedField(first.tool, second.tool) === undefined ? [] : [inTurn(first, second)];
    }),
  );
  const all = [...alone, ...pairs];
  return {
    journeys: Array.from({ length: Math.min(wanted, all.length) }, (_, at) => all[(from + at) % all.length]!),
    skipped: grounds.flatMap((ground) => {
      const reason = reasonAgainst(ground);
      return reason === undefined ? [] : [{ toolName: ground.tool.name, reason }];
    }),
  };
}

interface Ground extends ToolGround {
  tool: Tool;
}

function reasonAgainst({ isSaid, why }: Ground): string | undefined {
  return why?.reason ?? (isSaid ? undefined : "Nobody says in a sentence what this tool needs");
}

function inTurn(first: Ground, second: Ground): JourneyDraft {
  const then = phraseOf(second.tool);
  return {
    name: `${titleOf(first.tool)}, then ${titleOf(second.tool)}`.slice(0, swarmLimits.journeyNameLength),
    goal: `${goalOf(first.tool, first.samples)}, then ${then[0]!.toLowerCase()}${then.slice(1)} for the first one`,
    suggestedChecks: [called(first.tool), called(second.tool)],
  };
}

const called = ({ name }: Tool) => ({ type: "toolCalledAtLeastOnce", toolName: name }) as const;

function titleOf(tool: Tool): string {
  const said = typeof tool.title === "string" ? tool.title.trim() : "";
  return (said || phraseOf(tool)).slice(0, swarmLimits.journeyNameLength);
}

/** As somebody would say it who knows no names of tools. */
function phraseOf({ name }: Tool): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const phrase = words.join(" ") || name;
  const isOrder = verbClasses(terms(words[0] ?? "")).size > 0;
  return isOrder ? phrase[0]!.toUpperCase() + phrase.slice(1) : `Get ${phrase}`;
}

/** What stands after "about", with no word for it. */
const subject = /^(?:q|query|search|keywords?|text|topic)$/i;

function goalOf(tool: Tool, samples: ToolGround["samples"]): string {
  const told = samples.map(([name, value]) => {
    const shown = typeof value === "string" ? `"${value}"` : String(value);
    const label = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ");
    return subject.test(name) ? `about ${shown}` : `with ${label.toLowerCase()} ${shown}`;
  });
  return [phraseOf(tool), ...told].join(" ").slice(0, swarmLimits.journeyGoalLength);
}
