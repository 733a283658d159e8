/** @module Cases of several kinds from servers' tools, by rules and without a model: the same tools and numbers give the same cases. */
import { keysOf } from "@fettle/contract/core";
import { must, neighbors } from "@fettle/contract/formats";
import type { Tool } from "@fettle/mcp";
import { draftCase, negativeCases, usableTools } from "./draft-case.ts";
import { questionsAbout } from "./draft-question.ts";
import { goalOf, orderOf } from "./spoken-goal.ts";
import type { SuiteCase } from "./suite-file.ts";

/** How many of each kind. */
export interface DraftMix {
  /** One tool, asked for in one sentence. */
  simple: number;
  /** Two tools, the second of which needs what the first gives. */
  multiTool: number;
  /** Two tools, one message each. */
  multiTurn: number;
  /** Made by a model alone. */
  complex: number;
  /** Something that none of the tools is of use for. */
  negative: number;
}

export const noDrafts: DraftMix = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };

export type DraftedCase = Omit<SuiteCase, "id">;

export interface DraftedCases {
  cases: DraftedCase[];
  /** What was asked for and cannot be made, once each. */
  skipped: { title: string; reason: string }[];
}

interface Offered {
  tool: Tool;
  draft: SuiteCase;
}

/**
 * @example
 * draftCases([{ serverName: "Shop", tools }], { simple: 3, multiTool: 0, multiTurn: 0, complex: 0, negative: 1 });
 */
export function draftCases(
  servers: readonly { serverName: string; tools: readonly Tool[] }[],
  mix: DraftMix,
  { varyStyles = false }: { varyStyles?: boolean } = {},
): DraftedCases {
  const usable = servers.map(({ serverName, tools }) => ({ serverName, tools: usableTools(tools) }));
  const questions = questionsAbout(usable.flatMap(({ tools }) => tools));
  const offered = usable.flatMap(({ serverName, tools }) =>
    tools.map((tool) => ({ tool, draft: draftCase(tool, tool.name, serverName, questions) })),
  );
  // What may be run at once comes first.
  const ordered = [
    ...offered.filter(({ draft }) => !draft.disabled),
    ...offered.filter(({ draft }) => draft.disabled),
  ];
  const spoken = ordered.filter(({ draft }) => draft.steps[0]?.kind === "prompt");
  const made: Record<keyof DraftMix, DraftedCase[]> = {
    simple: ordered.map(({ draft }) => draft),
    multiTool: spoken.flatMap((first) =>
      spoken.flatMap((second) => {
        const shared = first === second ? undefined : sharedField(first.tool, second.tool);
        return shared === undefined ? [] : [together(first, second, shared)];
      }),
    ),
    multiTurn: neighbors(spoken).map(([first, second]) => inTurn(first, second)),
    complex: [],
    negative: negativeCases(questions, mix.negative),
  };
  const kinds = keysOf(made);
  const cases = kinds.flatMap((kind) => made[kind].slice(0, mix[kind]));
  return {
    cases: cases.map(({ steps, ...draft }, index) => {
      const { id: _id, ...said } = draft as DraftedCase & { id?: string };
      return { ...said, steps: varyStyles ? styled(steps, index) : steps };
    }),
    skipped: kinds
      .filter((kind) => made[kind].length < mix[kind])
      .map((kind) => ({ title: kind, reason: shortage(kind, made[kind].length, mix[kind]) })),
  };
}

function shortage(kind: keyof DraftMix, made: number, wanted: number): string {
  if (kind === "complex") return "Rules make no complex cases: that takes a model.";
  return `The tools are enough for ${made} of ${wanted}.`;
}

/** A field that one tool says it gives and the other cannot do without. */
export function sharedField(first: Tool, second: Tool): string | undefined {
  const given = Object.keys(fieldsOf(fieldsOf(first.outputSchema).properties));
  const { required } = fieldsOf(second.inputSchema);
  return Array.isArray(required) ? required.find((name) => given.includes(name)) : undefined;
}

function together(first: Offered, second: Offered, shared: string): DraftedCase {
  const [ask, called] = first.draft.steps;
  const text = ask?.kind === "prompt" ? ask.prompt.replace(/\.$/, "") : "";
  const then = goalOf(orderOf(second.tool, new Set([second.tool.name])), []);
  return {
    ...caution(first, second),
    title: `Uses ${first.tool.name}, then ${second.tool.name} with its ${shared}`,
    steps: [
      {
        id: "ask",
        kind: "prompt",
        prompt: `${text}, then ${then.charAt(0).toLowerCase()}${then.slice(1)} for what you found.`,
      },
      { ...must(called, "what a drafted prompt is to call"), id: "first-called" },
      {
        id: "second-called",
        kind: "assert",
        assertion: { type: "toolCalledAtLeastOnce", toolName: second.tool.name },
      },
    ],
  };
}

function inTurn(first: Offered, second: Offered): DraftedCase {
  const placed = ({ draft }: Offered, turn: string) =>
    draft.steps.map((step) => ({ ...step, id: `${turn}-${step.id}` }));
  return {
    ...caution(first, second),
    title: `Uses ${first.tool.name}, and when asked again ${second.tool.name}`,
    steps: [...placed(first, "first"), ...placed(second, "second")],
  };
}

/** Two are as careful as the more careful of them. */
function caution(first: Offered, second: Offered): Pick<SuiteCase, "intent" | "disabled"> {
  const careful = [first, second].find(({ draft }) => draft.disabled);
  return careful ? { intent: careful.draft.intent, disabled: true } : {};
}

const styles = [
  (text: string) => text,
  (text: string) => `Could you please help me? ${text}`,
  (text: string) => `hey, ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
];

function styled(steps: SuiteCase["steps"], index: number): SuiteCase["steps"] {
  const say = must(styles[index % styles.length], "a style for each case");
  return steps.map((step) => (step.kind === "prompt" ? { ...step, prompt: say(step.prompt) } : step));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
