/** @module Looking at requests that take several rounds: the server asks back inside its result, the client asks again with the answers. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import type { AskOptions } from "../conversation/talk.ts";
import { namesOf } from "../lists/observe.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

/** The rounds of one request in order, or the fixture that would be needed. */
export type Rounds = { kind: "asked"; rounds: Exchange[] } | { kind: "absent"; fixture: string };

interface RoundTrip {
  /** A tool, or a prompt when `isPrompt`. */
  fixture: string;
  isPrompt?: true;
  /** The answers of round two on, over the honest ones. */
  answer?(honest: JsonObject, round: number): JsonObject;
  /** The state sent back, over the one that came. */
  state?(came: string): string;
  options?: AskOptions;
  /** Rounds at most, the first one among them. */
  rounds?: number;
}

const prefix = "test_input_required_result_";

/** The same to every question. */
function acted(honest: JsonObject, action: "decline" | "cancel"): JsonObject {
  return Object.fromEntries(Object.keys(honest).map((key) => [key, { action }]));
}

const trips = {
  elicitationRounds: { fixture: `${prefix}elicitation` },
  samplingRounds: { fixture: `${prefix}sampling` },
  rootsRounds: { fixture: `${prefix}list_roots` },
  stateRounds: { fixture: `${prefix}request_state` },
  severalInputsRounds: { fixture: `${prefix}multiple_inputs` },
  manyRounds: { fixture: `${prefix}multi_round`, rounds: 4 },
  wrongKeyRounds: {
    fixture: `${prefix}elicitation`,
    answer: () => ({ fettle_unknown: { action: "accept", content: {} } }),
  },
  extraKeyRounds: {
    fixture: `${prefix}elicitation`,
    answer: (honest) => ({ ...honest, fettle_extra: { action: "accept", content: { more: true } } }),
  },
  numberAnswerRounds: {
    fixture: `${prefix}elicitation`,
    answer: (honest) => Object.fromEntries(Object.keys(honest).map((key) => [key, 12_345])),
  },
  nullAnswerRounds: {
    fixture: `${prefix}elicitation`,
    answer: (honest) => Object.fromEntries(Object.keys(honest).map((key) => [key, null])),
  },
  declinedRounds: { fixture: `${prefix}elicitation`, answer: (honest) => acted(honest, "decline") },
  dismissedRounds: { fixture: `${prefix}elicitation`, answer: (honest) => acted(honest, "cancel") },
  promptRounds: { fixture: `${prefix}prompt`, isPrompt: true },
  tamperedStateRounds: {
    fixture: `${prefix}tampered_state`,
    state: (came) => `${came.slice(0, -2)}${came.endsWith("AA") ? "BB" : "AA"}`,
  },
  samplingOnlyRounds: {
    fixture: `${prefix}capabilities`,
    options: { capabilities: { sampling: {} } },
    rounds: 1,
  },
} satisfies Record<string, RoundTrip>;

export type RoundTripName = keyof typeof trips;
export type RoundTripSeen = Record<RoundTripName, Rounds>;

declare module "../seen.ts" {
  interface ProtocolSeen extends RoundTripSeen {}
}

export function roundTripObservers({ talk }: RunContext): ObserversOf<RoundTripSeen> {
  const make = async (look: ProtocolLook, trip: RoundTrip): Promise<Rounds> => {
    const { fixture, isPrompt } = trip;
    const names = namesOf(await look(isPrompt ? "prompts" : "tools"));
    if (!(await look("hasContract")) || !names.includes(fixture)) return { kind: "absent", fixture };
    const method = isPrompt ? "prompts/get" : "tools/call";
    const subject: JsonObject = { name: fixture, arguments: {} };
    let last = await talk.ask(method, subject, trip.options);
    const rounds = [last];
    while (rounds.length < (trip.rounds ?? 2)) {
      const params = nextRound(last, trip, rounds.length);
      if (!params) break;
      last = await talk.ask(method, { ...subject, ...params }, trip.options);
      rounds.push(last);
    }
    return { kind: "asked", rounds };
  };
  return Object.fromEntries(
    Object.entries(trips).map(([name, trip]) => [name, (look: ProtocolLook) => make(look, trip)]),
    // The keys are those of the table.
  ) as ObserversOf<RoundTripSeen>;
}

/** What goes with the same request asked again; undefined when the last answer asked for nothing. */
function nextRound(last: Exchange, trip: RoundTrip, round: number): JsonObject | undefined {
  const result = resultOf(last);
  if (result === undefined || (!isObject(result.inputRequests) && result.requestState === undefined)) {
    return undefined;
  }
  const honest = answersTo(isObject(result.inputRequests) ? result.inputRequests : {});
  const { requestState } = result;
  return {
    inputResponses: trip.answer?.(honest, round) ?? honest,
    ...(typeof requestState === "string" && { requestState: trip.state?.(requestState) ?? requestState }),
  };
}

/** An answer to every question, as a willing client would give it. */
export function answersTo(inputRequests: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputRequests).map(([key, request]) => [key, isObject(request) ? answerTo(request) : {}]),
  );
}

function answerTo({ method, params }: JsonObject): JsonObject {
  if (method === "roots/list") return { roots: [{ uri: "file:///fettle", name: "Fettle" }] };
  if (method === "sampling/createMessage") {
    return {
      role: "assistant",
      content: { type: "text", text: "Paris" },
      model: "fettle-conformance",
      stopReason: "endTurn",
    };
  }
  const schema = isObject(params) && isObject(params.requestedSchema) ? params.requestedSchema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const content = Object.entries(properties).map(([name, property]) => [name, valueFor(property)]);
  return { action: "accept", content: Object.fromEntries(content) };
}

function valueFor(property: unknown): unknown {
  const { type, enum: choices } = isObject(property) ? property : {};
  if (Array.isArray(choices)) return choices[0];
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 1;
  return "Fettle";
}
