/** @module Checks of what the server says about its tools. */
import { isObject } from "@fettle/mcp";
import { schemaFaults } from "../diagnostics/tool-schema.ts";
import { couldNotRun, notApplicable, type Verdict } from "../verdict/check-result.ts";
import { describeAnswer, isForeign, resultOf } from "./exchange.ts";
import { isText } from "./lifecycle-checks.ts";
import { objectsOf, type SeenList } from "./list-observations.ts";
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
      judgeList(tools, (tool, at) => [
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
];

/** Every item of a list held to a rule; an unfinished walk proves nothing, but what it found still counts. */
export function judgeList(
  list: SeenList,
  faultsOf: (item: Record<string, unknown>, at: string) => string[],
): Verdict {
  const { isAdvertised, method, member, pages, isComplete, items } = list;
  if (!isAdvertised) return notApplicable(`The server does not offer ${member}.`);
  const last = pages.at(-1);
  if (last && isForeign(last)) return couldNotRun(`${method} was answered with ${describeAnswer(last)}.`);
  if (last && !Array.isArray(resultOf(last)?.[member])) {
    return judged(
      [`${method} was answered with ${describeAnswer(last)}, without a list of ${member}`],
      [last],
    );
  }
  const strangers = items.flatMap((item, index) =>
    isObject(item) ? [] : [`item ${index} is not an object`],
  );
  const faults = [
    ...strangers,
    ...objectsOf(list).flatMap((item, index) => faultsOf(item, labelOf(item, index))),
  ];
  const facts = { items: items.length, pages: pages.length };
  if (faults.length > 0) return judged(faults, pages.slice(0, 1), facts);
  return isComplete ? judged([], [], facts) : couldNotRun(`${method} never came to its last page.`, facts);
}

function labelOf(item: Record<string, unknown>, index: number): string {
  const name = item.name ?? item.uri ?? item.uriTemplate;
  return isText(name) ? name : `item ${index}`;
}
