/** @module Calling tools with more or other than they take: arguments that do not fit their schema, and the metadata of tasks where there are none. Only tools that may be called. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { capabilitiesOf } from "../conversation/talk.ts";
import { objectsOf } from "../lists/observe.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";
import { readOnlyCalls } from "./observe.ts";
import { judgeContent } from "./output-schema.ts";

export interface CallInputSeen {
  /** A call whose argument is of another type than the tool's schema says; undefined where no tool may be called so. */
  unfitCall: { tool: string; exchange: Exchange } | undefined;
  /** A call that asks for a task, and the same call without; undefined where tasks are offered or nothing may be called. */
  needlessTask: { plain: Exchange; withTask: Exchange } | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends CallInputSeen {}
}

/** Fixtures that take an argument and do nothing before they have asked the client. */
const fixtures = ["test_sampling", "test_elicitation"];

export function callInputObservers({ talk, callReadOnly }: RunContext): ObserversOf<CallInputSeen> {
  return {
    unfitCall: async (look) => {
      const tools = objectsOf(await look("tools"));
      const harmless = callReadOnly ? readOnlyCalls(tools) : [];
      const known = (await look("hasContract")) ? fixtures.map((tool) => ({ tool, args: {} })) : [];
      for (const { tool, args } of [...known, ...harmless]) {
        const unfit = unfitArguments(tools.find(({ name }) => name === tool)?.inputSchema, args);
        if (!unfit) continue;
        return { tool, exchange: await talk.ask("tools/call", { name: tool, arguments: unfit }) };
      }
      return undefined;
    },
    needlessTask: async (look) => {
      if (offersTasks(capabilitiesOf(await look("opening")))) return undefined;
      const text = await look("textCall");
      const named = await look("namedCalls");
      const plain =
        text.kind === "called" ? text.exchange : named.find(({ exchange }) => resultOf(exchange))?.exchange;
      if (!plain || !resultOf(plain)) return undefined;
      const { _meta: _old, ...params } = plain.params ?? {};
      return { plain, withTask: await talk.ask("tools/call", { ...params, task: { ttl: 1_000 } }) };
    },
  };
}

export function offersTasks({ tasks }: JsonObject): boolean {
  const { requests } = isObject(tasks) ? tasks : {};
  const { tools } = isObject(requests) ? requests : {};
  return isObject(tools) && "call" in tools;
}

const otherTypes: Record<string, unknown> = {
  string: { fettle: "not a text" },
  number: "fettle",
  integer: "fettle",
  boolean: "fettle",
};

/** One required argument in another type, where the schema leaves no doubt that it does not fit. */
function unfitArguments(schema: unknown, args: JsonObject): JsonObject | undefined {
  if (!isObject(schema) || !Array.isArray(schema.required) || !isObject(schema.properties)) return undefined;
  for (const name of schema.required) {
    const property = schema.properties[String(name)];
    const other = isObject(property) ? otherTypes[String(property.type)] : undefined;
    if (other === undefined) continue;
    const unfit = { ...args, [String(name)]: other };
    return judgeContent(schema, unfit).faults.length > 0 ? unfit : undefined;
  }
  return undefined;
}
