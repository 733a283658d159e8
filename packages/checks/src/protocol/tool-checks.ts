/** @module Checks of what the server says about its tools. */
import { isObject } from "@fettle/mcp";
import { schemaFaults } from "../diagnostics/tool-schema.ts";
import { couldNotRun, notApplicable, type Verdict } from "../verdict/check-result.ts";
import { describeAnswer, type Exchange, isBeyondLimits, isForeign, resultOf, short } from "./exchange.ts";
import { isText } from "./lifecycle-checks.ts";
import { namesOf, objectsOf, type SeenList } from "./list-observations.ts";
import { type ContentVerdict, judgeContent } from "./output-schema.ts";
import { type ProtocolCheck, spec } from "./protocol-check.ts";
import { faultUnless, judged } from "./verdicts.ts";

export const toolChecks: ProtocolCheck[] = [
  {
    id: "tools-list",
    title: "Lists its tools",
    description: "tools/list is answered with an array in which each tool has a name and an input schema.",
    category: "tools",
    severity: "must",
    reference: spec("Listing tools", "server/tools#listing-tools"),
    needs: ["tools"],
    judge: ({ tools }, { officialFixtures }) =>
      judgeListing(tools, (tool, at) => [
        ...faultUnless(isText(tool.name), `${at} has no name`),
        ...faultUnless(isObject(tool.inputSchema), `${at} has no inputSchema`),
        ...(officialFixtures ? faultUnless(isText(tool.description), `${at} has no description`) : []),
      ]),
  },
  {
    id: "tools-input-schemas-valid",
    title: "Input schemas are schemas",
    description: "Every input schema is a JSON Schema of an object, and refers only to itself.",
    category: "tools",
    severity: "must",
    reference: spec("Tool", "server/tools#tool"),
    needs: ["tools"],
    judge({ tools }, { version }) {
      return judgeList(tools, (tool, at) => {
        const { inputSchema } = tool;
        if (!isObject(inputSchema)) return [];
        const isOld = version < "2025-11-25";
        const isRooted = inputSchema.type === "object" || (isOld && inputSchema.type === undefined);
        return [
          ...faultUnless(isRooted, `${at}: the root's type is not "object"`),
          ...schemaFaults(inputSchema).map(({ path, reason }) => `${at}${path}: ${reason}`),
        ];
      });
    },
  },
  {
    id: "tools-name-format",
    title: "Tool names are plain",
    description:
      "A tool's name has 1 to 64 letters, digits, underscores, dots, slashes or hyphens; up to 128 is allowed but unwise.",
    category: "tools",
    severity: "must",
    reference: spec("Tool names", "server/tools#tool-names"),
    since: "2025-11-25",
    needs: ["tools"],
    judge({ tools }, { officialFixtures }) {
      const longest = officialFixtures ? 64 : 128;
      const verdict = judgeList(tools, (tool, at) =>
        isText(tool.name)
          ? faultUnless(
              tool.name.length <= longest && /^[A-Za-z0-9_./-]+$/.test(tool.name),
              `"${short(at, 80)}" is not a plain name`,
            )
          : [],
      );
      const long = namesOf(tools).filter((name) => name.length > 64 && name.length <= longest);
      if (verdict.is !== "passed" || long.length === 0) return verdict;
      return {
        ...verdict,
        warnings: long.map((name) => `"${short(name, 80)}" is longer than 64 characters.`),
      };
    },
  },
  {
    id: "tools-names-unique",
    title: "Tool names are unique",
    description: "No two tools have the same name.",
    category: "tools",
    severity: "must",
    reference: spec("Tool names", "server/tools#tool-names"),
    needs: ["tools"],
    judge({ tools }) {
      const seen = new Set<unknown>();
      return judgeList(tools, ({ name }, at) => {
        const isNew = !isText(name) || !seen.has(name);
        seen.add(name);
        return faultUnless(isNew, `${at} is listed twice`);
      });
    },
  },
  {
    id: "tools-schema-keywords-preserved",
    title: "Schemas come through whole",
    description: "A schema that uses the vocabulary of JSON Schema 2020-12 is listed with all of it.",
    category: "tools",
    severity: "must",
    reference: spec("Tool", "server/tools#tool", "2026-07-28"),
    since: "2025-11-25",
    needs: ["tools", "hasContract"],
    judge({ tools, hasContract }, { era, officialFixtures }) {
      const tool = objectsOf(tools).find(({ name }) => name === vocabularyTool);
      if (!tool || !hasContract) {
        const why = `There is no tool ${vocabularyTool}.`;
        return officialFixtures ? couldNotRun(why) : notApplicable(why);
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
    severity: "must",
    reference: spec("Output schema", "server/tools#output-schema"),
    since: "2025-06-18",
    needs: ["tools", "namedCalls"],
    judge({ tools, namedCalls }, { officialFixtures }) {
      const schemas = new Map(
        objectsOf(tools).flatMap(({ name, outputSchema }) =>
          isObject(outputSchema) ? [[name, outputSchema]] : [],
        ),
      );
      if (!tools.isAdvertised || schemas.size === 0)
        return notApplicable("No tool declares an output schema.");
      const calls = namedCalls.filter(({ tool }) => schemas.has(tool));
      if (calls.length === 0) {
        const why = "No tool with an output schema may be called; name one as a fixture.";
        return namedCalls.length > 0 || officialFixtures ? couldNotRun(why) : notApplicable(why);
      }
      const broken = calls.find(({ exchange }) => !resultOf(exchange));
      if (broken)
        return couldNotRun(
          `The call of ${broken.tool} was answered with ${describeAnswer(broken.exchange)}.`,
        );
      const verdicts = calls.map(({ tool, exchange }) => {
        const { faults, unchecked } = judgeOutput(schemas.get(tool) ?? {}, exchange);
        return {
          faults: faults.map((fault) => `${tool}: ${fault}`),
          unchecked: unchecked.map((part) => `${tool}: ${part}`),
        };
      });
      return judged(
        verdicts.flatMap(({ faults }) => faults),
        calls.map(({ exchange }) => exchange),
        {},
        verdicts.flatMap(({ unchecked }) => unchecked),
      );
    },
  },
];

/** Is it a list at all? For the one check of each family that asks this; the others then could not run. */
export function judgeListing(
  list: SeenList,
  faultsOf: (item: Record<string, unknown>, at: string) => string[],
): Verdict {
  const { isAdvertised, method, member, pages, items } = list;
  const last = pages.at(-1);
  if (isAdvertised && last && isBeyondLimits(last)) {
    return couldNotRun(`The answer to ${method} is more than Fettle accepts.`);
  }
  if (isAdvertised && last && !isForeign(last) && !isListed(last, member)) {
    return judged(
      [`${method} was answered with ${describeAnswer(last)}, without a list of ${member}`],
      [last],
    );
  }
  const strangers = items.flatMap((item, index) =>
    isObject(item) ? [] : [`item ${index} is not an object`],
  );
  return strangers.length > 0 ? judged(strangers, pages.slice(0, 1)) : judgeList(list, faultsOf);
}

function isListed(page: Exchange, member: string): boolean {
  return Array.isArray(resultOf(page)?.[member]);
}

/** Every item of a list held to a rule; an unfinished walk proves nothing, but what it found still counts. */
export function judgeList(
  list: SeenList,
  faultsOf: (item: Record<string, unknown>, at: string) => string[],
): Verdict {
  const { isAdvertised, method, member, pages, isComplete, items } = list;
  if (!isAdvertised) return notApplicable(`The server does not offer ${member}.`);
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

function judgeOutput(schema: Record<string, unknown>, exchange: Exchange): ContentVerdict {
  const result = resultOf(exchange) ?? {};
  // A tool that failed owes no structure, and one that asks back has not answered yet.
  if (result.isError === true || (isText(result.resultType) && result.resultType !== "complete"))
    return { faults: [], unchecked: [] };
  if (result.structuredContent === undefined)
    return { faults: ["answered without structuredContent"], unchecked: [] };
  return judgeContent(schema, result.structuredContent);
}
