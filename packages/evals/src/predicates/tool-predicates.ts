/** @module What is asked of the calls that were made. */

import { format, Validator } from "@cfworker/json-schema";
import { jsonObject, limits } from "@fettle/contract/core";
import { notCheckedText, schemaJudge } from "@fettle/contract/servers";
import { z } from "zod";
import { counted, times } from "../told.ts";
import { argumentFaults, argumentModes, argumentsMatch } from "./match-arguments.ts";
import { callsOf, positive, predicate, seen, toolName } from "./predicate.ts";
import { schemaFaults } from "./schema-faults.ts";

/** The judge of every other schema here: an author's patterns run in linear time, or not at all. */
const judgeSchema = schemaJudge({ Validator, format });

/** Enough for a real case; each one is an expectation to be paired. */
const maxCount = 100;

const calledList = (calls: readonly { toolName: string }[]) =>
  calls.length === 0 ? "no tool was called" : `called: ${calls.map((call) => call.toolName).join(", ")}`;

export const toolPredicates = [
  predicate(
    "toolCalledWith",
    "a tool was called with these arguments",
    {
      toolName,
      args: z
        .strictObject({
          args: jsonObject,
          argumentMatching: z.enum(argumentModes).optional(),
          deep: z.boolean().optional(),
        })
        .superRefine(({ args, argumentMatching: mode = "partial", deep = false }, context) => {
          for (const { path, message } of argumentFaults(args, { mode, deep })) {
            context.addIssue({ code: "custom", path: ["args", ...path], message });
          }
        }),
      minCount: z.int().min(1).max(maxCount).optional(),
    },
    ({ toolName: name, args, minCount = 1 }, transcript) => {
      const calls = callsOf(transcript, name);
      const options = { mode: args.argumentMatching ?? "partial", deep: args.deep ?? false };
      const matching = calls.filter((call) => argumentsMatch(args.args, call.arguments, options)).length;
      if (matching >= minCount) return seen(true, `${name} was called so ${times(matching)}`);
      if (calls.length === 0)
        return seen(false, `${name} was not called; ${calledList(transcript.toolCalls)}`);
      const given = calls.slice(0, 3).map((call) => JSON.stringify(call.arguments));
      return seen(
        false,
        `expected ${name}(${JSON.stringify(args.args)}) ${times(minCount)}, got ${name} with ${given.join(", ")}`,
      );
    },
  ),
  predicate("toolCalledAtLeastOnce", "a tool was called", { toolName }, ({ toolName: name }, transcript) => {
    const { length } = callsOf(transcript, name);
    return length > 0
      ? seen(true, `${name} was called ${times(length)}`)
      : seen(false, `${name} was not called; ${calledList(transcript.toolCalls)}`);
  }),
  predicate("toolNeverCalled", "a tool was not called", { toolName }, ({ toolName: name }, transcript) => {
    const { length } = callsOf(transcript, name);
    return seen(
      length === 0,
      length === 0 ? `${name} was not called` : `${name} was called ${times(length)}`,
    );
  }),
  predicate(
    "onlyToolsCalled",
    "no tool outside a list was called",
    { toolNames: z.array(toolName).max(limits.evals.toolNames) },
    ({ toolNames }, { toolCalls }) => {
      const others = toolCalls.filter((call) => !toolNames.includes(call.toolName));
      return others.length === 0
        ? seen(true, "no other tool was called")
        : seen(false, `also ${calledList(others)}`);
    },
  ),
  predicate(
    "firstToolWas",
    "the first call was to a tool",
    { toolName },
    ({ toolName: name }, { toolCalls }) => {
      const first = toolCalls[0]?.toolName;
      return seen(
        first === name,
        first === undefined ? "no tool was called" : `the first call was to ${first}`,
      );
    },
  ),
  predicate("noToolErrors", "no call failed", {}, (_, { toolErrors }) => {
    const told = toolErrors
      .slice(0, 3)
      .map((error) => `${error.toolName ?? "a tool"}: ${error.message ?? error.kind}`);
    return seen(toolErrors.length === 0, told.length === 0 ? "no call failed" : told.join("; "));
  }),
  predicate(
    "toolResultContains",
    "a tool's result contains a text",
    { toolName, needle: z.string().min(1), caseSensitive: z.boolean().optional() },
    ({ toolName: name, needle, caseSensitive = false }, transcript) => {
      const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
      const results = callsOf(transcript, name).flatMap(({ result }) =>
        result ? [`${result.text}\n${JSON.stringify(result.structured) ?? ""}`] : [],
      );
      if (results.length === 0) return seen(false, `there is no result of ${name}`);
      const found = results.some((text) => fold(text).includes(fold(needle)));
      return seen(
        found,
        found ? "found" : `"${needle}" is in none of ${counted(results.length, "result")} of ${name}`,
      );
    },
  ),
  predicate(
    "toolResultMatchesSchema",
    "a tool's structured results fit a schema",
    {
      toolName,
      schema: jsonObject.superRefine((schema, context) => {
        for (const { path, message } of schemaFaults(schema)) {
          context.addIssue({ code: "custom", path, message });
        }
      }),
    },
    ({ toolName: name, schema }, transcript) => {
      const results = callsOf(transcript, name).flatMap(({ result }) =>
        result && !result.isError ? [result.structured] : [],
      );
      if (results.length === 0) return seen(false, `there is no result of ${name} to check`);
      try {
        const faults = results.flatMap((result) => {
          if (result === undefined) return ["it has no structured content"];
          const { faults: found, unchecked } = judgeSchema(schema, result);
          // What could not be evaluated is no reason to pass.
          return [
            ...found.map(({ at, message }) => `${at} ${message}`.trim()),
            ...unchecked.map((part) => notCheckedText(part)),
          ];
        });
        return seen(faults.length === 0, faults[0] ?? `${results.length} fit`);
      } catch (error) {
        return seen(false, `the schema cannot be used: ${error instanceof Error ? error.message : error}`);
      }
    },
  ),
  predicate(
    "toolLatencyUnder",
    "every call was faster than a bound",
    { toolName: toolName.optional(), ms: positive },
    ({ toolName: name, ms }, transcript) => {
      const calls = callsOf(transcript, name);
      const timed = calls.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]));
      if (timed.length === 0 || timed.length < calls.length) return seen(false, "not every call was timed");
      const slowest = Math.max(...timed);
      return seen(slowest < ms, `the slowest took ${Math.round(slowest)} ms`);
    },
  ),
  predicate(
    "toolCallCountUnder",
    "there were fewer calls than a bound",
    { toolName: toolName.optional(), calls: positive },
    ({ toolName: name, calls }, transcript) => {
      const { length } = callsOf(transcript, name);
      return seen(length < calls, counted(length, "call"));
    },
  ),
  predicate(
    "toolResultSizeUnder",
    "every result was smaller than a bound",
    { toolName: toolName.optional(), bytes: positive },
    ({ toolName: name, bytes }, transcript) => {
      const sizes = callsOf(transcript, name).flatMap(({ resultBytes }) => resultBytes ?? []);
      if (sizes.length === 0) return seen(false, "no result was measured");
      const largest = Math.max(...sizes);
      return seen(largest < bytes, `the largest has ${counted(largest, "byte")}`);
    },
  ),
] as const;
