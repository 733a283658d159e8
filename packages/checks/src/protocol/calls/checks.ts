/** @module Checks of what tools answer: content, errors, progress, and what they ask of the client meanwhile. */
import { counted } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { resultReason, toolResultFaults } from "../../diagnostics/tool-result.ts";
import { couldNotRun, notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { type Finding, findingUnless } from "../../verdict/rule.ts";
import { everyRevision, from, spec, stateful, stateless } from "../../verdict/specification.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  notificationsOf,
  resultOf,
  textsOf,
} from "../conversation/exchange.ts";
import { faultUnless, judged, judgedServed } from "../conversation/verdicts.ts";
import { noFixtureServer } from "../fixtures.ts";
import type { ProtocolCheck, ProtocolFacts } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import { type FixtureCall, progressToken } from "./observe.ts";

const validation =
  "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations";
const results = spec("schema", everyRevision, "Tool result", "server/tools#tool-result");
const requestedSchema = spec(
  "contract",
  from("2025-11-25", stateful),
  "Requested schema",
  "client/elicitation#requested-schema",
);

const noSuchTool =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unsupported|undefined|no such|no|could not find|cannot find|can't find)\s+(?:tool|function|command|method|action|operation)\b|\b(?:tool|function|command|method|action|operation)\b[^.!?]{0,100}?\b(?:unknown|not (?:found|known|recogni[sz]ed|available|registered|supported|defined|exist|implemented|valid)|(?:doesn't|does not|didn't|did not) exist|isn't (?:known|available|registered|supported))\b/i;

/** What it means is an error, only the mark is missing. */
function saysUnknown(result: JsonObject): boolean {
  return textsOf(result).some((text) => noSuchTool.test(text));
}

/** A check that one kind of content comes well formed, from the fixture that gives it or from what the operator named. */
function contentCheck(
  kind: string,
  call: "textCall" | "imageCall" | "audioCall" | "embeddedResourceCall",
  type: string,
): ProtocolCheck {
  return {
    id: `tools-call-${kind}`,
    title: `Answers with ${kind.replaceAll("-", " ")} content`,
    description: `A tool's ${kind.replaceAll("-", " ")} content is well formed.`,
    category: "tools",
    rules: results,
    needs: [call, "namedCalls"],
    judge: (seen, facts) => judgeContent(seen[call], seen.namedCalls, type, facts),
  };
}

export const callChecks: ProtocolCheck[] = [
  contentCheck("text", "textCall", "text"),
  contentCheck("image", "imageCall", "image"),
  contentCheck("audio", "audioCall", "audio"),
  contentCheck("embedded-resource", "embeddedResourceCall", "resource"),
  {
    id: "tools-call-mixed",
    title: "Answers with several kinds of content",
    description: "Text, image and resource in one answer are each well formed.",
    category: "tools",
    rules: results,
    needs: ["mixedCall"],
    judge: ({ mixedCall }, facts) =>
      judgeCall(mixedCall, facts, contentFaults, (exchange) =>
        ["text", "image", "resource"].flatMap((type) => kindFindings(exchange, type)),
      ),
  },
  {
    id: "tools-call-error",
    title: "Tells a tool's error as a result",
    description: "A tool that fails answers with isError and a text, not with a JSON-RPC error.",
    category: "tools",
    rules: [...spec("SHOULD", everyRevision, "Error handling", "server/tools#error-handling")],
    needs: ["errorCall"],
    judge: ({ errorCall }, facts) =>
      judgeCall(
        errorCall,
        facts,
        () => [],
        (exchange) => [
          ...findingUnless(
            resultOf(exchange)?.isError === true,
            facts.officialFixtures ? "contract" : "SHOULD",
            `answered with ${describeAnswer(exchange)} without isError`,
          ),
          ...(resultOf(exchange) ? contentFaults(exchange) : []).map((message) => ({
            word: "schema" as const,
            message,
          })),
          ...findingUnless(has(exchange, "text"), "contract", "no text says what went wrong"),
        ],
      ),
  },
  {
    id: "tools-call-unknown",
    title: "Refuses unknown tools",
    description:
      "A call of a tool that does not exist is refused, best with error -32602; it never succeeds.",
    category: "tools",
    rules: [...spec("inferred", everyRevision, "Error handling", "server/tools#error-handling")],
    needs: ["tools", "unknownToolCall"],
    judge({ tools, unknownToolCall }) {
      if (!tools.isAdvertised) return notApplicable("The server does not offer tools.");
      const result = resultOf(unknownToolCall);
      const isRefused = errorOf(unknownToolCall)?.code === -32602;
      const hasNoError = result !== undefined && result.isError !== true;
      // Who takes any name for a tool and says that it went well has looked at nothing.
      const isServed = hasNoError && !saysUnknown(result);
      const answer = hasNoError
        ? "a result that calls the tool unknown, without isError"
        : describeAnswer(unknownToolCall);
      return judged(
        faultUnless(isServed || isRefused, `answered with ${answer}, not with -32602`),
        [unknownToolCall],
        {},
        findingUnless(!isServed, "MUST", "a tool that does not exist was called with success", validation),
      );
    },
  },
  {
    id: "tools-call-progress",
    title: "Reports progress",
    description: "Progress carries the token of the request and rises with each notification.",
    category: "tools",
    rules: [
      ...spec("MUST", stateful, "Progress", "basic/utilities/progress#behavior-requirements"),
      ...spec("MUST", stateless, "Progress", "basic/patterns/progress#behavior-requirements"),
    ],
    needs: ["progressCall"],
    judge: ({ progressCall }, facts) => judgeCall(progressCall, facts, progressFaults, countFindings),
  },
  {
    id: "tools-call-sampling",
    title: "Asks the client's model",
    description: "A tool that needs a model sends sampling/createMessage, and answers with what came back.",
    category: "tools",
    rules: [...spec("contract", stateful, "Sampling", "client/sampling")],
    needs: ["samplingCall"],
    judge: ({ samplingCall }, facts) =>
      judgeCall(samplingCall, facts, (exchange) => askingFaults(exchange, "sampling/createMessage")),
  },
  {
    id: "tools-call-elicitation",
    title: "Asks the person",
    description:
      "A tool that needs a person's input sends elicitation/create, and answers with what came back.",
    category: "tools",
    rules: [...spec("contract", from("2025-06-18", stateful), "Elicitation", "client/elicitation")],
    needs: ["elicitationCall"],
    judge: ({ elicitationCall }, facts) =>
      judgeCall(elicitationCall, facts, (exchange) => askingFaults(exchange, "elicitation/create")),
  },
  {
    id: "elicitation-defaults",
    title: "Forms may have defaults",
    description: "Text, whole number, number, choice and yes-or-no fields carry their defaults.",
    category: "tools",
    rules: requestedSchema,
    needs: ["elicitationDefaultsCall"],
    judge: ({ elicitationDefaultsCall }, facts) =>
      judgeCall(elicitationDefaultsCall, facts, (exchange) => {
        const fields = formFields(exchange);
        return fields
          ? Object.entries(expectedDefaults).flatMap(([name, field]) => fieldFaults(fields, name, field))
          : ["no form was asked for"];
      }),
  },
  {
    id: "elicitation-enums",
    title: "Forms may have choices",
    description:
      "All five ways to write a choice come through: plain, titled, with enumNames, several plain, several titled.",
    category: "tools",
    rules: requestedSchema,
    needs: ["elicitationEnumsCall"],
    judge: ({ elicitationEnumsCall }, facts) =>
      judgeCall(elicitationEnumsCall, facts, (exchange) => {
        const fields = formFields(exchange);
        return fields
          ? Object.entries(expectedEnums).flatMap(([name, isRight]) =>
              faultUnless(
                isObject(fields[name]) && isRight(fields[name]),
                `${name} is not a choice as it should be`,
              ),
            )
          : ["no form was asked for"];
      }),
  },
];

/** Of a fixture that was called. One that is not there leaves nothing to judge, unless the operator promised it. */
export function judgeCall(
  call: FixtureCall,
  { officialFixtures }: ProtocolFacts,
  faultsOf: (exchange: Exchange) => string[],
  findingsOf: (exchange: Exchange) => Finding[] = () => [],
): Verdict {
  if (call.kind === "called") {
    const { exchange } = call;
    return judgedServed(faultsOf(exchange), [exchange], {}, findingsOf(exchange));
  }
  return officialFixtures
    ? couldNotRun(`There is no tool ${call.tool} to call.`)
    : notApplicable(noFixtureServer);
}

function judgeContent(
  fixture: FixtureCall,
  named: ProtocolSeen["namedCalls"],
  type: string,
  facts: ProtocolFacts,
): Verdict {
  const others = named.map(({ exchange }) => exchange).filter((exchange) => has(exchange, type));
  if (fixture.kind === "absent" && others.length > 0) return judged(others.flatMap(contentFaults), others);
  return judgeCall(fixture, facts, contentFaults, (exchange) => kindFindings(exchange, type));
}

/** Which kinds of content a tool answers with is its own business, unless it is a fixture that promises one. */
function kindFindings(exchange: Exchange, type: string): Finding[] {
  return findingUnless(has(exchange, type), "contract", `there is no ${type} content`);
}

function has(exchange: Exchange, type: string): boolean {
  return blocksOf(exchange).some((block) => block.type === type);
}

export function blocksOf(exchange: Exchange): JsonObject[] {
  const content = resultOf(exchange)?.content;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** What is wrong with the content of a tool's answer, base64 included. */
export function contentFaults(exchange: Exchange): string[] {
  const result = resultOf(exchange);
  if (!result) return [`answered with ${describeAnswer(exchange)}`];
  return [
    ...toolResultFaults(result).map(resultReason),
    ...blocksOf(exchange).flatMap((block, index) => base64Faults(block, `/content/${index}`)),
  ];
}

export function base64Faults(block: JsonObject, at: string): string[] {
  const { type, data, resource } = block;
  if (type === "image" || type === "audio") {
    return faultUnless(typeof data !== "string" || isBase64(data), `${at}/data is not base64`);
  }
  const blob = type === "resource" && isObject(resource) ? resource.blob : undefined;
  return faultUnless(typeof blob !== "string" || isBase64(blob), `${at}/resource/blob is not base64`);
}

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function ownProgress(exchange: Exchange): JsonObject[] {
  return notificationsOf(exchange, "notifications/progress").filter(
    (params) => params.progressToken === progressToken,
  );
}

/** Nobody must tell of progress; the fixture promises three steps of it. */
function countFindings(exchange: Exchange): Finding[] {
  const own = ownProgress(exchange).length;
  return findingUnless(
    own >= 3,
    "contract",
    `${own} progress notifications carry the token of the request, three were due`,
  );
}

function progressFaults(exchange: Exchange): string[] {
  const all = notificationsOf(exchange, "notifications/progress");
  const strangers = all.filter((params) => params.progressToken !== progressToken);
  const values = ownProgress(exchange).map(({ progress }) => progress);
  const stalls = values.some((value, index) => index > 0 && Number(value) <= Number(values[index - 1]));
  return [
    ...faultUnless(resultOf(exchange) !== undefined, `answered with ${describeAnswer(exchange)}`),
    ...faultUnless(
      strangers.length === 0,
      `${counted(strangers.length, "progress notification")} with another token than the request's`,
    ),
    ...faultUnless(
      values.every((value) => typeof value === "number"),
      "progress is not a number",
    ),
    ...faultUnless(!stalls, `progress does not rise: ${values.join(", ")}`),
  ];
}

function askingFaults(exchange: Exchange, method: string): string[] {
  const asked = exchange.heard.some((message) => message.kind === "request" && message.method === method);
  const faults = faultUnless(asked, `the server did not send ${method}`);
  return [
    ...faults,
    ...(resultOf(exchange) ? contentFaults(exchange) : [`answered with ${describeAnswer(exchange)}`]),
  ];
}

function formFields(exchange: Exchange): JsonObject | undefined {
  const request = exchange.heard.find(
    (message) => message.kind === "request" && message.method === "elicitation/create",
  );
  const schema = request?.kind === "request" ? request.params.requestedSchema : undefined;
  return isObject(schema) && isObject(schema.properties) ? schema.properties : undefined;
}

const expectedDefaults: Record<string, { type: string; default: unknown; isChoice?: true }> = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", default: "active", isChoice: true },
  verified: { type: "boolean", default: true },
};

function fieldFaults(
  fields: JsonObject,
  name: string,
  expected: { type: string; default: unknown; isChoice?: true },
): string[] {
  const field = fields[name];
  if (!isObject(field)) return [`${name} is not asked for`];
  return [
    ...faultUnless(
      field.type === expected.type,
      `${name} is a ${String(field.type)}, not a ${expected.type}`,
    ),
    ...faultUnless(
      field.default === expected.default,
      `the default of ${name} is ${JSON.stringify(field.default)}, not ${JSON.stringify(expected.default)}`,
    ),
    ...(expected.isChoice ? faultUnless(isTexts(field.enum), `${name} has no choices`) : []),
  ];
}

const expectedEnums: Record<string, (field: JsonObject) => boolean> = {
  untitledSingle: ({ type, enum: values, oneOf, enumNames }) =>
    type === "string" && isTexts(values) && oneOf === undefined && enumNames === undefined,
  titledSingle: ({ type, oneOf }) => type === "string" && isTitled(oneOf),
  legacyEnum: ({ type, enum: values, enumNames }) =>
    type === "string" && isTexts(values) && isTexts(enumNames) && values.length === enumNames.length,
  untitledMulti: ({ type, items }) =>
    type === "array" && isObject(items) && items.type === "string" && isTexts(items.enum),
  titledMulti: ({ type, items }) => type === "array" && isObject(items) && isTitled(items.anyOf),
};

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

function isTitled(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isObject(item) && typeof item.const === "string" && typeof item.title === "string")
  );
}
