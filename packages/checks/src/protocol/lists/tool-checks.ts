/** @module Checks of what the server says about its tools. */
import { isObject, isPlainToolName, wireProblem } from "@fettle/mcp";
import { couldNotRun, notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { type Finding, findingUnless } from "../../verdict/rule.ts";
import { from, spec, stateful, stateless } from "../../verdict/specification.ts";
import { inputSchemaFault } from "../../wire/schema-rules.ts";
import { type SchemaFault, schemaFaults } from "../../wire/tool-schema.ts";
import { wireRuleFor } from "../../wire/wire-rules.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  isBeyondLimits,
  isForeign,
  resultOf,
} from "../conversation/exchange.ts";
import { faultUnless, isText, judged, judgedServed } from "../conversation/verdicts.ts";
import { noFixtureServer } from "../fixtures.ts";
import type { ProtocolCheck, ProtocolFacts } from "../protocol-check.ts";
import { reasonOf } from "../wire/checks.ts";
import { objectsOf, outputSchemasOf, type SeenList } from "./observe.ts";

export const toolChecks: ProtocolCheck[] = [
  {
    id: "tools-list",
    title: "Lists its tools",
    description: "tools/list is answered with an array in which each tool has a name and an input schema.",
    category: "tools",
    rules: [
      ...spec("schema", stateful, "Listing tools", "server/tools#listing-tools"),
      ...spec("MUST", stateless, "Capabilities", "server/tools#capabilities"),
    ],
    needs: ["tools"],
    judge({ tools }, facts) {
      const verdict = judgeListing(tools, facts, (tool, at) => [
        ...faultUnless(isText(tool.name), `${at} has no name`),
        ...faultUnless(isObject(tool.inputSchema), `${at} has no inputSchema`),
      ]);
      if (verdict.is !== "passed") return verdict;
      const mute = objectsOf(tools).find(({ description }) => !isText(description));
      const warnings = findingUnless(!mute, "contract", `${String(mute?.name)} has no description`);
      return { ...verdict, ...(warnings.length > 0 && { warnings }) };
    },
  },
  {
    id: "tools-input-schemas-valid",
    title: "Input schemas are schemas",
    description: "Every input schema is a JSON Schema of an object, and refers only to itself.",
    category: "tools",
    rules: wireRuleFor("INPUT_SCHEMA_INVALID").rules,
    needs: ["tools"],
    judge: ({ tools }, { version }) =>
      judgeSchemas(tools, version, ({ inputSchema }, at) =>
        isObject(inputSchema)
          ? {
              schema: inputSchema,
              tell: (fault) => reasonOf({ message: inputSchemaFault(at, fault, version).sentence }),
              faults: faultUnless(inputSchema.type === "object", `${at}: the root's type is not "object"`),
            }
          : undefined,
      ),
  },
  {
    id: "output-schemas-valid",
    title: "Output schemas are schemas",
    description:
      "Every output schema is valid in its dialect, which is JSON Schema 2020-12 unless it names another.",
    category: "tools",
    rules: spec("MUST", from("2025-11-25"), "Schema validation", "basic#schema-validation"),
    needs: ["tools"],
    judge: ({ tools }, { version }) =>
      objectsOf(tools).some(({ outputSchema }) => outputSchema !== undefined)
        ? judgeSchemas(tools, version, ({ outputSchema }) =>
            outputSchema === undefined ? undefined : { schema: outputSchema, faults: [] },
          )
        : notApplicable("No tool declares an output schema."),
  },
  {
    id: "tools-name-format",
    title: "Tool names are plain",
    description: "A tool's name has 1 to 128 letters, digits, underscores, dots or hyphens.",
    category: "tools",
    rules: wireRuleFor("TOOL_NAME_NOT_PLAIN").rules,
    needs: ["tools"],
    judge: ({ tools }) =>
      judgeList(tools, (tool) =>
        isText(tool.name)
          ? faultUnless(isPlainToolName(tool.name), reasonOf(wireProblem("TOOL_NAME_NOT_PLAIN", tool.name)))
          : [],
      ),
  },
  {
    id: "tools-names-unique",
    title: "Tool names are unique",
    description: "No two tools have the same name.",
    category: "tools",
    rules: wireRuleFor("DUPLICATE_TOOL_NAME").rules,
    needs: ["tools"],
    judge({ tools }) {
      if (tools.isCircular)
        return couldNotRun("The list runs in a circle: a cursor came back a second time.");
      const seen = new Set<unknown>();
      return judgeList(tools, ({ name }) => {
        const isNew = !isText(name) || !seen.has(name);
        seen.add(name);
        return faultUnless(isNew, reasonOf(wireProblem("DUPLICATE_TOOL_NAME", String(name))));
      });
    },
  },
  {
    id: "tools-schema-keywords-preserved",
    title: "Schemas come through whole",
    description: "A schema that uses the vocabulary of JSON Schema 2020-12 is listed with all of it.",
    category: "tools",
    rules: [...spec("contract", from("2025-11-25"), "Schema dialect", "basic#schema-dialect")],
    needs: ["tools", "hasContract"],
    judge({ tools, hasContract }, { era, officialFixtures }) {
      const tool = objectsOf(tools).find(({ name }) => name === vocabularyTool);
      const isUnread = tools.isAdvertised && !tools.isComplete;
      if (!tool && officialFixtures && isUnread) return judgeList(tools, () => []);
      if (!tool || !hasContract) {
        return officialFixtures
          ? couldNotRun(`There is no tool ${vocabularyTool}.`)
          : notApplicable(noFixtureServer);
      }
      const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
      const composed = ["allOf", "if", "then", "else"];
      const due = ["$schema", "$defs", "additionalProperties", ...(era === "stateless" ? composed : [])];
      const address = isObject(schema.$defs) && isObject(schema.$defs.address) ? schema.$defs.address : {};
      const faults = [
        ...due.filter((keyword) => !(keyword in schema)),
        ...(era === "stateless" && !("$anchor" in address) ? ["$anchor"] : []),
      ].map((keyword) => `${keyword} is gone`);
      return judged(faults, [], { keywords: Object.keys(schema) });
    },
  },
  {
    id: "tool-output-schema-conformant",
    title: "Structured content fits its schema",
    description: "What a tool with an output schema answers validates against it.",
    category: "tools",
    rules: [...spec("MUST", from("2025-06-18"), "Output schema", "server/tools#output-schema")],
    needs: ["tools", "structuredCalls"],
    judge({ tools, structuredCalls: calls }, { officialFixtures }) {
      if (!tools.isAdvertised || outputSchemasOf(tools).size === 0)
        return notApplicable("No tool declares an output schema.");
      if (calls.length === 0) {
        const why = "No tool with an output schema may be called; name one as a fixture.";
        return officialFixtures ? couldNotRun(why) : notApplicable(why);
      }
      const broken = calls.find(({ exchange }) => !resultOf(exchange));
      if (broken)
        return couldNotRun(
          `The call of ${broken.tool} was answered with ${describeAnswer(broken.exchange)}.`,
        );
      const verdicts = calls.map(({ tool, verdict: { faults, unchecked } }) => ({
        faults: faults.map((fault) => `${tool}: ${fault}`),
        unchecked: unchecked.map((part) => `${tool}: ${part}`),
      }));
      return judged(
        verdicts.flatMap(({ faults }) => faults),
        calls.map(({ exchange }) => exchange),
        {},
        verdicts.flatMap(({ unchecked }) => unchecked).map((message) => ({ word: "inferred", message })),
      );
    },
  },
];

/** Holds one schema of each tool to its dialect; `schemaOf` may add faults of its own. */
function judgeSchemas(
  tools: SeenList,
  version: string,
  schemaOf: (
    tool: Record<string, unknown>,
    at: string,
  ) => { schema: unknown; faults: string[]; tell?: (fault: SchemaFault) => string } | undefined,
): Verdict {
  const advice: Finding[] = [];
  const verdict = judgeList(tools, (tool, at) => {
    const found = schemaOf(tool, at);
    if (!found) return [];
    const faults = schemaFaults(found.schema, version);
    const { tell = ({ path, reason }: SchemaFault) => `${at}${path} ${reason}` } = found;
    // Referring to another document is allowed; only fetching it is not.
    const isAdvised = ({ isAdvice, isOutside }: SchemaFault) => isAdvice || isOutside;
    advice.push(
      ...faults.filter(isAdvised).map(
        (fault): Finding => ({
          word: fault.isOutside ? "inferred" : "SHOULD",
          message: tell(fault),
        }),
      ),
    );
    return [...found.faults, ...faults.filter((fault) => !isAdvised(fault)).map(tell)];
  });
  const isJudged = verdict.is === "passed" || verdict.is === "failed";
  return isJudged && advice.length > 0 ? { ...verdict, warnings: advice.slice(0, 10) } : verdict;
}

/** Is it a list at all? For the one check of each family that asks this; the others then could not run. */
export function judgeListing(
  list: SeenList,
  { era, officialFixtures }: ProtocolFacts,
  faultsOf: (item: Record<string, unknown>, at: string) => string[],
): Verdict {
  const { isAdvertised, method, member, pages, items, isRefused } = list;
  const last = pages.at(-1);
  if (isAdvertised && last && isBeyondLimits(last)) {
    return couldNotRun(`The answer to ${method} is more than Fettle accepts.`);
  }
  if (isAdvertised && last && !isForeign(last) && !isListed(last, member)) {
    const said = `${method} was answered with ${describeAnswer(last)}, without a list of ${member}`;
    // An error is an answer that the schema allows; until 2025-11-25 no sentence demands a list.
    if (era === "stateful" && !officialFixtures && errorOf(last))
      return isRefused ? notApplicable(notServed(list)) : couldNotRun(`${said}.`);
    return judgedServed([said], [last]);
  }
  const strangers = items.flatMap((item, index) =>
    isObject(item) ? [] : [`item ${index} is not an object`],
  );
  return strangers.length > 0 ? judged(strangers, pages.slice(0, 1)) : judgeList(list, faultsOf);
}

/** As every command says it. */
function notServed({ member, method }: SeenList): string {
  return wireProblem("CAPABILITY_NOT_SERVED", member, method).message;
}

function isListed(page: Exchange, member: string): boolean {
  return Array.isArray(resultOf(page)?.[member]);
}

/** Every item of a list held to a rule; an unfinished walk proves nothing, but what it found still counts. */
export function judgeList(
  list: SeenList,
  faultsOf: (item: Record<string, unknown>, at: string) => string[],
): Verdict {
  const { isAdvertised, method, member, pages, isComplete, items, isRefused } = list;
  if (!isAdvertised) return notApplicable(`The server does not offer ${member}.`);
  if (isRefused) return notApplicable(notServed(list));
  const last = pages.at(-1);
  if (!last || !isListed(last, member)) {
    return couldNotRun(`${method} was answered with ${last ? describeAnswer(last) : "nothing"}.`);
  }
  const faults = objectsOf(list).flatMap((item, index) => faultsOf(item, labelOf(item, index)));
  const facts = { items: items.length, pages: pages.length };
  if (faults.length > 0) return judged(faults, pages.slice(0, 1), facts);
  return isComplete ? judged([], [], facts) : couldNotRun(`${method} never came to its last page.`, facts);
}

function labelOf(item: Record<string, unknown>, index: number): string {
  const name = item.name ?? item.uri ?? item.uriTemplate;
  return isText(name) ? name : `item ${index}`;
}

const vocabularyTool = "json_schema_2020_12_tool";
