/** @module Personas and journeys from servers' tools, by rules and without a model: the same tools and numbers give the same drafts. Pure. */
import { swarmLimits } from "@fettle/contract/visitors";
import type { Tool } from "@fettle/mcp";
import { usableTools } from "../suite/draft-case.ts";
import { sharedField } from "../suite/draft-cases.ts";
import { orderOf, spokenGoal } from "../suite/spoken-goal.ts";
import { groundOf, optionalSample, type ToolGround } from "../suite/tool-ground.ts";
import { cautionOf, mayChange } from "./caution.ts";

export interface PersonaDraft {
  name: string;
  role: string;
  notes: string;
}

export interface JourneyDraft {
  name: string;
  goal: string;
  suggestedChecks: { type: "toolCalledAtLeastOnce"; toolName: string }[];
  /** What making it may do besides reading. */
  caution?: string;
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
    role: `Tries ${server} for the first time`,
    notes: "Knows what she wants done, but not what anything is called here.",
  }),
  (server) => ({
    name: "Ben",
    role: `Uses ${server} every day`,
    notes: "Is in a hurry and says no more than he has to.",
  }),
  (server) => ({
    name: "Cleo",
    role: `Double-checks what ${server} says`,
    notes: "Asks again when an answer leaves something out.",
  }),
  (server) => ({
    name: "Dev",
    role: `Builds something on ${server}`,
    notes: "Gives exact values and expects to see the same ones in the answer.",
  }),
  (server) => ({
    name: "Emi",
    role: `Was told by a colleague to ask ${server}`,
    notes: "Has only half of the details and hopes to be asked for the rest.",
  }),
  (server) => ({
    name: "Fay",
    role: `Gave up on ${server} once before`,
    notes: "Leaves as soon as something fails a second time.",
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
 * What one tool gets done, then what two do after each other; tools that say that they only read come first. `from` goes on where another
 * persona's journeys ended. Left out is what its server says destroys something: that is a hint, and none is given by most servers, whose
 * tools by the specification's default may destroy, too. Those are drafted, with a word of caution.
 *
 * @example
 * draftJourneys([{ serverName: "Shop", tools }], 1).journeys[0].goal // 'Search the catalogue for "bees"'
 */
export function draftJourneys(
  servers: Offered,
  wanted: number,
  from = 0,
): { journeys: JourneyDraft[]; skipped: SkippedTool[] } {
  const offered = servers.flatMap(({ tools }) => usableTools(tools));
  const names = new Set(offered.map(({ name }) => name));
  const grounds = offered
    .map((tool) => ({ tool, ...groundOf(tool) }))
    .toSorted((one, other) => Number(mayChange(one.tool)) - Number(mayChange(other.tool)));
  const spoken = grounds.filter((ground) => reasonAgainst(ground) === undefined);
  const alone = spoken.map((ground) => draftOf(titleOf(ground.tool, names), goalOf(ground, names), [ground]));
  const pairs = spoken.flatMap((first) =>
    grounds.flatMap((second) => {
      // What the second one needs is what the first one gives, so that only harm speaks against it.
      if (first === second || isBarred(second)) return [];
      const shared = sharedField(first.tool, second.tool);
      if (shared === undefined || second.samples.some(([, value]) => !isSaid(value))) return [];
      const then = orderOf(second.tool, names);
      const title = `${titleOf(first.tool, names)}, then ${titleOf(second.tool, names)}`;
      return draftOf(title, `${goalOf(first, names)}, then ${lower(then)} for the first one`, [
        first,
        second,
      ]);
    }),
  );
  const all = [...alone, ...pairs];
  const first = from % all.length;
  return {
    journeys: [...all.slice(first), ...all.slice(0, first)].slice(0, wanted),
    skipped: grounds.flatMap((ground) => {
      const reason = reasonAgainst(ground);
      return reason === undefined ? [] : [{ toolName: ground.tool.name, reason }];
    }),
  };
}

interface Ground extends ToolGround {
  tool: Tool;
}

function draftOf(name: string, goal: string, grounds: readonly Ground[]): JourneyDraft {
  const caution = cautionOf(grounds.map(({ tool }) => tool));
  return {
    name: name.slice(0, swarmLimits.journeyNameLength),
    goal: goal.slice(0, swarmLimits.journeyGoalLength),
    suggestedChecks: grounds.map(({ tool }) => ({ type: "toolCalledAtLeastOnce", toolName: tool.name })),
    ...(caution !== undefined && { caution }),
  };
}

const isBarred = ({ harm, tool }: Ground) =>
  harm?.kind === "onlyAsTask" || (harm?.kind === "destroys" && mayChange(tool));

function reasonAgainst(ground: Ground): string | undefined {
  if (isBarred(ground)) return ground.harm?.reason;
  if (ground.unknown) return ground.unknown.reason;
  return ground.samples.every(([, value]) => isSaid(value))
    ? undefined
    : "Nobody says in a sentence what this tool needs";
}

/** One value, or a list of such. */
const isSaid = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((one) => typeof one !== "object")
    : typeof value !== "object";

/** Where nothing has to be said, one thing that may be: a visitor who asks for nothing in particular is a rare one. */
function goalOf({ tool, samples }: Ground, names: ReadonlySet<string>): string {
  return spokenGoal(tool, samples.length > 0 ? samples : optionalSample(tool), names);
}

const lower = (text: string) => (text[0] ?? "").toLowerCase() + text.slice(1);

function titleOf(tool: Tool, names: ReadonlySet<string>): string {
  const said = typeof tool.title === "string" ? tool.title.trim() : "";
  return said.replace(/\s+tool$/i, "") || orderOf(tool, names);
}
