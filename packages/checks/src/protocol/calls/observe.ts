/** @module Calling tools, and only those that may be called: the ones the operator named, and the official fixtures on a server that has them. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import type { AskOptions } from "../conversation/talk.ts";
import { capabilitiesOf } from "../conversation/talk.ts";
import { keepsOfficialContract } from "../fixtures.ts";
import { namesOf, objectsOf, outputSchemasOf, requireWhole } from "../lists/observe.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";
import { madeArguments } from "./made-arguments.ts";
import type { ContentVerdict } from "./output-schema.ts";
import { judgeContentApart } from "./schema-thread.ts";

/** A call of a fixture, or why there was none. */
export type FixtureCall = { kind: "called"; exchange: Exchange } | { kind: "absent"; tool: string };

interface FixtureTool {
  tool: string;
  arguments?: JsonObject;
  options?: AskOptions;
}

const progressToken = "fettle-progress";

const person = { action: "accept", content: { username: "testuser", email: "test@example.com" } };

/** Answers every question with what the fixtures ask for. */
const answersAll: AskOptions = {
  answer: (method) => (method === "elicitation/create" ? person : undefined),
};

/** Keeps the defaults and choices of a form as they are: what counts is how the server asked. */
const acceptsForm: AskOptions = {
  answer: (method) => (method === "elicitation/create" ? { action: "accept", content: {} } : undefined),
};

const fixtureTools = {
  textCall: { tool: "test_simple_text" },
  imageCall: { tool: "test_image_content" },
  audioCall: { tool: "test_audio_content" },
  embeddedResourceCall: { tool: "test_embedded_resource" },
  mixedCall: { tool: "test_multiple_content_types" },
  errorCall: { tool: "test_error_handling" },
  progressCall: { tool: "test_tool_with_progress", options: { meta: { progressToken } } },
  samplingCall: {
    tool: "test_sampling",
    arguments: { prompt: "Test prompt for sampling" },
    options: answersAll,
  },
  elicitationCall: {
    tool: "test_elicitation",
    arguments: { message: "Please provide your information" },
    options: answersAll,
  },
  elicitationDefaultsCall: { tool: "test_elicitation_sep1034_defaults", options: acceptsForm },
  elicitationEnumsCall: { tool: "test_elicitation_sep1330_enums", options: acceptsForm },
} satisfies Record<string, FixtureTool>;

export type FixtureCallName = keyof typeof fixtureTools;

/** The tool of our own samples that shows structured content; the official contract has none. */
const structuredTool = "test_structured_output";

export interface CallSeen extends Record<FixtureCallName, FixtureCall> {
  /** The official fixtures are there to be used. */
  hasContract: boolean;
  /** What the operator named, in order, and what of our own fixtures shows structured content. */
  namedCalls: { tool: string; exchange: Exchange }[];
  /** How those of them that have an output schema kept to it. */
  structuredCalls: StructuredCall[];
  /** A tool that no server has. */
  unknownToolCall: Exchange;
  /** `logging/setLevel debug`, then a tool that logs. */
  loggingCall: FixtureCall;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends CallSeen {}
}

/** A call of a tool with an output schema, and how its answer keeps to it. */
export interface StructuredCall {
  tool: string;
  exchange: Exchange;
  verdict: ContentVerdict;
}

export { progressToken };

/** Enough to see how a server answers, few enough not to be a burden. */
const mostReadOnly = 10;

/** Tools that say of themselves that they change nothing, as far as arguments for them can be made. */
export function readOnlyCalls(tools: readonly JsonObject[]): { tool: string; args: JsonObject }[] {
  const calls = tools.flatMap(({ name, annotations, inputSchema }) => {
    const isReadOnly = isObject(annotations) && annotations.readOnlyHint === true;
    const args = isReadOnly ? madeArguments(inputSchema) : undefined;
    return typeof name === "string" && args ? [{ tool: name, args }] : [];
  });
  return calls.slice(0, mostReadOnly);
}

export function callObservers({ talk, facts, fixtures, callReadOnly }: RunContext): ObserversOf<CallSeen> {
  const call = (tool: string, args: JsonObject = {}, options: AskOptions = {}) =>
    talk.ask("tools/call", { name: tool, arguments: args }, options);
  const callFixture = async (look: ProtocolLook, fixture: FixtureTool): Promise<FixtureCall> => {
    const { tool } = fixture;
    const tools = await look("tools");
    if (!(await look("hasContract"))) return { kind: "absent", tool };
    if (!namesOf(tools).includes(tool)) {
      requireWhole(tools);
      return { kind: "absent", tool };
    }
    return { kind: "called", exchange: await call(tool, fixture.arguments, fixture.options) };
  };
  const fixtureObservers = Object.fromEntries(
    Object.entries(fixtureTools).map(([name, fixture]) => [
      name,
      (look: ProtocolLook) => callFixture(look, fixture),
    ]),
    // The keys are those of the table.
  ) as ObserversOf<Record<FixtureCallName, FixtureCall>>;
  return {
    ...fixtureObservers,
    hasContract: async (look) =>
      facts.officialFixtures || keepsOfficialContract(namesOf(await look("tools"))),
    namedCalls: async (look) => {
      const named = fixtures.toolCalls.map(({ toolName, arguments: args }) => ({ tool: toolName, args }));
      const own = objectsOf(await look("tools")).some(
        ({ name, outputSchema }) => name === structuredTool && isObject(outputSchema),
      );
      if (own && (await look("hasContract"))) named.push({ tool: structuredTool, args: {} });
      // A server that reports progress does so only for a token; each call has its own.
      const asked = (index: number): AskOptions => ({ meta: { progressToken: `${progressToken}-${index}` } });
      const calls = named.map(async ({ tool, args }, index) => ({
        tool,
        exchange: await call(tool, args, asked(index)),
      }));
      const readOnly = callReadOnly ? readOnlyCalls(objectsOf(await look("tools"))) : [];
      const tried = readOnly
        .filter(({ tool }) => !named.some((other) => other.tool === tool))
        .map(async ({ tool, args }) => {
          const exchange = await call(tool, args).catch(() => undefined);
          // Made-up arguments may be refused, and a backend may be absent: that is no fault of the protocol.
          return exchange && resultOf(exchange) ? [{ tool, exchange }] : [];
        });
      return [...(await Promise.all(calls)), ...(await Promise.all(tried)).flat()];
    },
    structuredCalls: async (look) => {
      const schemas = outputSchemasOf(await look("tools"));
      const calls = (await look("namedCalls")).filter(({ tool }) => schemas.has(tool));
      return Promise.all(
        calls.map(async ({ tool, exchange }) => ({
          tool,
          exchange,
          verdict: await judgeOutput(schemas.get(tool) ?? {}, exchange),
        })),
      );
    },
    unknownToolCall: async (look) => {
      await look("tools");
      return call("fettle-no-such-tool");
    },
    loggingCall: async (look) => {
      const tool = "test_tool_with_logging";
      if (!("logging" in capabilitiesOf(await look("opening")))) return { kind: "absent", tool };
      // After the check of `setLevel` itself, which sets another level.
      await look("setLevel").catch(() => {});
      await talk.ask("logging/setLevel", { level: "debug" });
      return callFixture(look, { tool, options: answersAll });
    },
  };
}

async function judgeOutput(schema: JsonObject, exchange: Exchange): Promise<ContentVerdict> {
  const result = resultOf(exchange);
  // A tool that failed owes no structure, and one that asks back has not answered yet.
  const asksBack = typeof result?.resultType === "string" && result.resultType !== "complete";
  if (!result || result.isError === true || asksBack) return { faults: [], unchecked: [] };
  if (result.structuredContent === undefined)
    return { faults: ["answered without structuredContent"], unchecked: [] };
  return judgeContentApart(schema, result.structuredContent);
}
