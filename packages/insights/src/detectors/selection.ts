/** @module Whether the right tool is found: chosen wrongly, missed, made up, or not there at all. */

import { groupBy, must, terms } from "@fettle/contract/formats";
import type { UnitFacts } from "../facts/unit-facts.ts";
import { type PinnedTool, selectionThreshold } from "../observed/surface.ts";
import {
  always,
  anyShare,
  type Detector,
  E,
  everywhere,
  type Hit,
  never,
  S,
  type Sight,
  type World,
} from "./detector.ts";
import { byUnit, callsByTool, nowhere, ofTask, onlyServer, toolSubject } from "./sights.ts";

const alike = { confusable: 0.35, ambiguous: 0.6, sameName: 0.8 };
const split = { selections: 5, minority: 0.2 };

export const selectionDetectors: readonly Detector[] = [
  {
    id: "wrong_tool_selected",
    scopes: [E],
    *see(unit, { surface }) {
      const { wrong = [], expectedTools = [] } = unit.expectation ?? {};
      for (const slice of expectedTools) yield { slice };
      for (const { expected, called, turn } of wrong) {
        const tool = must(
          surface.tools.find(({ name }) => name === expected),
          "the tool that was expected",
        );
        const seen = `"${called}" was called where "${expected}" was expected.`;
        const place = { serverId: tool.serverId, toolName: expected, template: called };
        yield {
          subject: { kind: "tool_pair", id: `${expected}|${called}`, label: `${expected} or ${called}` },
          hits: [{ place, times: 1, turn, seen }],
        };
      }
    },
    // Whoever was to call the tool could have called the other.
    sliceOf: ({ id }) => id.replace(/\|.*/s, ""),
    category: "tool_contract",
    attribution: "server_contract",
    actionTarget: "mcp_server",
    actionability: "ready",
    weight: 0.75,
    surface: "description",
    means: (shown, world) =>
      pairSimilarity(shown.place, world) >= alike.confusable
        ? {}
        : {
            category: "agent_behavior",
            attribution: "agent_or_prompt",
            actionTarget: "agent_configuration",
            actionability: "investigate",
          },
    isProven: (shown, world) => pairSimilarity(shown.place, world) >= alike.confusable,
    evidence: ["transcript", "contrast"],
    isOfChoice: true,
    texts: {
      title: ({ place }) => `${place.template} is chosen where ${place.toolName} was meant`,
      phrase: "the wrong tool is chosen",
      observed: ({ place, count, total, unit }, world) =>
        `"${place.template}" was called instead of "${place.toolName}" in ${count} of ${total} ${unit}; description similarity ${pairSimilarity(place, world).toFixed(2)}`,
      recommendation: ({ place }) =>
        `Say in both descriptions when to use "${place.toolName}" and when "${place.template}".`,
      rootCause: "The two descriptions are so alike that they do not tell the tools apart.",
      acceptance: ({ place, cases }) =>
        `The prompts of ${cases} select ${place.toolName} in at least 9 of 10 iterations`,
      patternSlug: "clear-boundaries",
    },
  },
  {
    id: "ambiguous_tool_pair",
    scopes: everywhere,
    *see(unit, world) {
      for (const [turn, { intent, firstCall }] of unit.turns.entries()) {
        if (intent === null || !firstCall) continue;
        for (const other of ambiguousWith(firstCall, world)) {
          const { serverId, toolName } = firstCall;
          const [one, two] = toolName < other.name ? [toolName, other.name] : [other.name, toolName];
          const place = { serverId, toolName: one, template: two };
          yield {
            subject: { kind: "tool_pair", id: `${one}|${two}`, label: `${one} or ${two}` },
            hits: [{ place, times: 1, turn, group: intent.id, tally: { [toolName]: 1 } }],
          };
        }
      }
    },
    least: anyShare(1),
    keeps: (tally) => {
      const counts = Object.values(tally);
      const sum = counts.reduce((total, count) => total + count, 0);
      return counts.length === 2 && sum >= split.selections && Math.min(...counts) / sum > split.minority;
    },
    category: "tool_contract",
    attribution: "server_contract",
    actionTarget: "mcp_server",
    actionability: "ready",
    weight: 0.5,
    surface: "description",
    means: ({ place }, { surface }) => {
      const { serverId, one, two } = pairAt(place);
      const length = (name: string) => surface.find(serverId, name)?.description?.length ?? 0;
      return { target: { serverId, toolName: length(one) <= length(two) ? one : two } };
    },
    // Each is the contrast of the other: both were chosen for the same wish.
    isProven: always,
    evidence: ["transcript", "contrast"],
    isOfChoice: true,
    texts: {
      phrase: "either is chosen for the same wish",
      observed: ({ place, tally, count, total, unit }) => {
        const { one, two } = pairAt(place);
        return `For the same wishes "${one}" was chosen ${tally[one] ?? 0} times and "${two}" ${tally[two] ?? 0} times, in ${count} of ${total} ${unit}`;
      },
      recommendation: "Say in each description what the other is for, or make one tool of the two.",
      rootCause: "Their descriptions share nearly all their words.",
      acceptance: () => "The same wish selects the same tool in at least 9 of 10 conversations",
      patternSlug: "clear-boundaries",
    },
  },
  {
    id: "hallucinated_tool",
    scopes: everywhere,
    *see(unit) {
      if (unit.calls.length > 0) yield { slice: "calls" };
      // What a server answered well, it has, whatever its list says.
      const unknown = unit.calls.filter(
        ({ isKnown, isPinned, end }) => !isKnown && !isPinned && end !== "ok",
      );
      for (const [toolName, calls] of groupBy(unknown, (call) => call.toolName)) {
        yield {
          subject: { kind: "attempted", id: toolName, label: toolName },
          hits: [
            {
              place: nowhere,
              times: calls.length,
              turn: calls[0].turn,
              seen: `A tool "${toolName}" was called that no server has.`,
            },
          ],
        };
      }
    },
    sliceOf: () => "calls",
    least: anyShare(2),
    category: "capability_gap",
    attribution: "server_capability",
    actionTarget: "mcp_server",
    actionability: "investigate",
    weight: 0.75,
    surface: "capability",
    means: ({ subject }, world) => {
      const { tool, likeness } = nearest(subject.id, world);
      if (tool && likeness >= alike.sameName) {
        const target = { serverId: tool.serverId, toolName: tool.name };
        return { attribution: "server_contract", actionability: "ready", surface: "description", target };
      }
      return onlyServer(world);
    },
    isProven: ({ subject }, world) => nearest(subject.id, world).likeness >= alike.sameName,
    evidence: ["transcript"],
    texts: {
      phrase: "is called, and no server has it",
      recommendation:
        "If the wish is fair, offer such a tool; if one does it already, name it so, or say so in its description.",
      rootCause: "A tool of nearly this name exists, and its name or description does not make that plain.",
      patternSlug: "clear-boundaries",
    },
  },
  {
    id: "missing_capability",
    scopes: everywhere,
    *see(unit) {
      // A case that asks for what there is not wants to hear no.
      if (unit.expectation?.isNegative) return;
      const wishes = unit.turns.flatMap(({ intent, ...turn }, at) =>
        intent === null ? [] : [{ ...turn, intent, at }],
      );
      for (const turns of groupBy(wishes, ({ intent }) => intent.id).values()) {
        const [{ intent }] = turns;
        const denied = turns.filter(
          ({ isRefusal, bestScore }) => isRefusal && bestScore < selectionThreshold,
        );
        const [first] = denied;
        const hits: Hit[] = first ? [{ place: nowhere, times: denied.length, turn: first.at }] : [];
        yield { subject: { kind: "intent", ...intent }, hits };
      }
    },
    category: "capability_gap",
    attribution: "server_capability",
    actionTarget: "mcp_server",
    actionability: "investigate",
    weight: 0.5,
    surface: "capability",
    means: (_shown, world) => onlyServer(world),
    isProven: never,
    evidence: ["transcript", "feedback"],
    isOfChoice: true,
    texts: {
      phrase: "is asked for, and no tool does it",
      recommendation:
        "Decide whether this belongs to the server: offer a tool for it, or say in the instructions that it does not.",
    },
  },
  {
    id: "no_tools_used",
    scopes: [E, S],
    see: byUnit(ofTask, (unit) => {
      const { expectation, calls } = unit;
      return expectation !== null &&
        !expectation.isNegative &&
        expectation.expectedCalls > 0 &&
        calls.every(({ isPinned }) => isPinned)
        ? { turn: 0, tally: { meant: bestScoreOf(unit) >= selectionThreshold ? 1 : 0 } }
        : false;
    }),
    category: "agent_behavior",
    attribution: "agent_or_prompt",
    actionTarget: "agent_configuration",
    actionability: "investigate",
    weight: 0.75,
    surface: null,
    means: ({ tally, count }, world) =>
      2 * (tally.meant ?? 0) >= count
        ? {}
        : {
            ...onlyServer(world),
            attribution: "server_contract",
            actionTarget: "mcp_server",
            surface: "description",
          },
    isProven: never,
    evidence: ["transcript"],
    isOfChoice: true,
    texts: {
      phrase: "no tool is called where some are expected",
      recommendation:
        "See whether the prompt asks for it in the words of the tool's description, and whether the agent is told to use tools.",
    },
  },
  {
    id: "forbidden_tool_called",
    scopes: [E, S],
    *see(unit, { surface }): Iterable<Sight> {
      const forbidden = new Set(unit.expectation?.forbiddenTools ?? []);
      const called = new Set([...callsByTool(unit).values()].map(([first]) => first.toolName));
      for (const toolName of new Set([...forbidden, ...called])) {
        const tool = surface.tools.find(({ name }) => name === toolName);
        if (!tool) continue;
        const turn = unit.calls.find((call) => call.toolName === toolName)?.turn;
        const seen = `"${toolName}" was called where it must not be.`;
        const place = { serverId: tool.serverId, toolName };
        const hits = forbidden.has(toolName) ? [{ place, times: 1, turn, seen }] : [];
        yield { subject: toolSubject(tool.serverId, toolName), hits };
      }
    },
    category: "agent_behavior",
    attribution: "agent_or_prompt",
    actionTarget: "agent_configuration",
    actionability: "investigate",
    weight: 0.75,
    surface: "description",
    means: ({ place }, { surface }) =>
      saysWhenNot(surface.find(place.serverId, place.toolName ?? ""))
        ? {}
        : { attribution: "server_contract", actionTarget: "mcp_server", actionability: "ready" },
    isProven: ({ place }, { surface }) => !saysWhenNot(surface.find(place.serverId, place.toolName ?? "")),
    evidence: ["transcript"],
    texts: {
      phrase: "is called where it must not be",
      recommendation: ({ tool, place }, { surface }) =>
        saysWhenNot(surface.find(place.serverId, place.toolName ?? ""))
          ? `Tell the agent when "${tool}" is not to be used; its description says so already.`
          : `Say in the description of "${tool}" when not to use it.`,
      rootCause: "Nothing in the description says when the tool is not to be used.",
      patternSlug: "clear-boundaries",
    },
  },
];

/** The two tools of an `ambiguous_tool_pair`. */
const pairAt = ({ serverId, toolName, template }: Hit["place"]) => ({
  serverId: must(serverId, "the server of both tools"),
  one: must(toolName, "the first tool of a pair"),
  two: must(template, "the second tool of a pair"),
});

function pairSimilarity({ serverId, toolName, template }: Hit["place"], { surface }: World): number {
  const expected = surface.find(serverId, toolName ?? "");
  const called =
    surface.find(serverId, template ?? "") ?? surface.tools.find(({ name }) => name === template);
  return expected && called ? surface.similarity(expected, called) : 0;
}

const pairs = new WeakMap<World, Map<string, PinnedTool[]>>();

/** Each tool's doubles are found once. */
function ambiguousWith(
  { serverId, toolName }: { serverId: string; toolName: string },
  world: World,
): PinnedTool[] {
  const known = pairs.get(world) ?? new Map<string, PinnedTool[]>();
  pairs.set(world, known);
  const key = `${serverId}\n${toolName}`;
  let found = known.get(key);
  if (!found) {
    const own = world.surface.find(serverId, toolName);
    found = own
      ? world.surface.tools.filter(
          (other) =>
            other.serverId === serverId &&
            other.name !== toolName &&
            world.surface.similarity(own, other) >= alike.ambiguous,
        )
      : [];
    known.set(key, found);
  }
  return found;
}

/** By the words of the names, or letter by letter. */
function nearest(name: string, { surface }: World): { tool: PinnedTool | null; likeness: number } {
  let best: { tool: PinnedTool | null; likeness: number } = { tool: null, likeness: 0 };
  for (const tool of surface.tools) {
    const likeness = Math.max(
      overlap(terms(name), terms(tool.name)),
      overlap(letterPairs(name), letterPairs(tool.name)),
    );
    if (likeness > best.likeness) best = { tool, likeness };
  }
  return best;
}

function overlap(one: readonly string[], other: readonly string[]): number {
  const [mine, theirs] = [new Set(one), new Set(other)];
  const sum = mine.size + theirs.size;
  return sum === 0 ? 0 : (2 * mine.intersection(theirs).size) / sum;
}

function letterPairs(name: string): string[] {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2));
}

const bestScoreOf = ({ turns }: UnitFacts) => Math.max(0, ...turns.map(({ bestScore }) => bestScore));
const saysWhenNot = (tool: PinnedTool | undefined) =>
  /\b(?:do not|don't|never|not for|only (?:use|when|if|for)|instead|unless|avoid)\b/i.test(
    tool?.description ?? "",
  );
