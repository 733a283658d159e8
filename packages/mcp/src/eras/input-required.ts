/** @module Multi-round-trip requests of the stateless revision: a result that asks for input is answered and the request sent again, with its state untouched. */
import { McpError } from "../failure.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";

export interface InputRequest {
  method: string;
  params: JsonObject;
}

export interface InputRequired {
  inputRequests: Record<string, InputRequest>;
  requestState?: string;
}

/** The only methods whose answer may ask for input. */
const inputMethods = new Set(["tools/call", "prompts/get", "resources/read"]);

/** What a result asks for, or undefined when it is an ordinary one. */
export function readInputRequired(result: unknown): InputRequired | undefined {
  if (!isObject(result) || result.resultType !== "input_required") return undefined;
  const asked = isObject(result.inputRequests) ? result.inputRequests : {};
  // Made of entries, here and below: a key may be called __proto__.
  const entries = Object.entries(asked).map(([key, request]): [string, InputRequest] => {
    if (!isObject(request) || typeof request.method !== "string") {
      throw new McpError("INVALID_RESULT", `The input request "${key}" names no method.`, {
        details: { data: request },
      });
    }
    return [key, { method: request.method, params: isObject(request.params) ? request.params : {} }];
  });
  const inputRequests = Object.fromEntries(entries);
  const { requestState } = result;
  const hasState = typeof requestState === "string";
  if (Object.keys(inputRequests).length === 0 && !hasState) {
    throw new McpError("INVALID_RESULT", "An input_required result asks for nothing and carries no state.", {
      details: { data: result },
    });
  }
  return { inputRequests, ...(hasState && { requestState }) };
}

export interface RoundOptions {
  maxRounds: number;
  /** Answers one input request; undefined when nobody can. */
  answer(request: InputRequest): Promise<JsonObject> | undefined;
  send(extra: JsonObject): Promise<unknown>;
}

/** Sends, answers what is asked, and sends again until the result is complete. */
export async function sendWithInput(method: string, options: RoundOptions): Promise<unknown> {
  let result = await options.send({});
  for (let round = 0; ; round++) {
    const wanted = readInputRequired(result);
    if (!wanted || options.maxRounds === 0) return result;
    if (!inputMethods.has(method)) {
      throw new McpError("INVALID_RESULT", `${method} may not ask for input.`, {
        details: { method, data: result },
      });
    }
    if (round >= options.maxRounds) throw inputFailure(method, wanted, `still asks after ${round} rounds`);
    const responses: [string, JsonObject][] = [];
    for (const [key, request] of Object.entries(wanted.inputRequests)) {
      const answered = options.answer(request);
      if (!answered)
        throw inputFailure(method, wanted, `asks for ${request.method}, which nobody here answers`);
      responses.push([key, await answered]);
    }
    result = await options.send({
      ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
      ...(wanted.requestState !== undefined && { requestState: wanted.requestState }),
    });
  }
}

function inputFailure(method: string, wanted: InputRequired, why: string): McpError {
  return new McpError("INPUT_REQUIRED", `${method} ${why}.`, {
    hint: "Run it interactively, or answer the requests by hand.",
    details: { method, ...wanted },
  });
}
