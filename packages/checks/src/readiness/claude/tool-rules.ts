/** @module What the Claude directory asks of every tool. */
import { readinessLimits } from "@fettle/contract/servers";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { ReadinessRule } from "../rule.ts";
import { annotationsOf, everyTool } from "../server-facts.ts";
import { rulesOf } from "../shared-rules.ts";
import { claudeSource } from "./source.ts";

const common = {
  lane: "directory-policy",
  class: "required",
  provenance: "wire",
  intrusiveness: "passive",
  source: claudeSource("review", "Tool design"),
} as const;

const safeVerbs = new Set(["get", "list", "read", "search", "query", "fetch", "find"]);
const unsafeVerbs = new Set([
  ..."create update delete write remove insert upsert send post put patch execute drop".split(" "),
]);
const operationNames = new Set(["method", "action", "operation", "op", "command", "verb"]);

function parametersOf({ inputSchema }: JsonObject): [string, JsonObject][] {
  const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
  return Object.entries(properties).flatMap(([name, schema]): [string, JsonObject][] =>
    isObject(schema) ? [[name, schema]] : [],
  );
}

/** `delete_file`, `deleteFile` and `DELETE` all begin with the same verb. */
function verbOf(value: unknown): string {
  return /^[A-Z]+(?![a-z])|^[A-Za-z][a-z]*/.exec(String(value))?.[0].toLowerCase() ?? "";
}

function choicesOf({ enum: values, anyOf, oneOf }: JsonObject): unknown[] {
  if (Array.isArray(values)) return values;
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  return branches.flatMap((branch) =>
    "const" in branch ? [branch.const] : Array.isArray(branch.enum) ? branch.enum : [],
  );
}

export const claudeToolRules: readonly ReadinessRule[] = rulesOf(common, [
  {
    id: "claude.tools.name-length",
    title: `Tool names have at most ${readinessLimits.toolNameLength} characters`,
    remediation: "Shorten the name.",
    judge: everyTool((_tool, name) =>
      name.length > readinessLimits.toolNameLength ? [`${name} has ${name.length} characters.`] : [],
    ),
  },
  {
    id: "claude.tools.title-present",
    title: "Every tool has a title",
    remediation: "Give the tool a `title`.",
    judge: everyTool((tool, name) => {
      const titles = [tool.title, annotationsOf(tool).title];
      return titles.some((title) => typeof title === "string" && title.trim() !== "")
        ? []
        : [`${name} has no title.`];
    }),
  },
  {
    id: "claude.tools.behavior-hints-present",
    title: "Every tool says whether it only reads or may destroy",
    remediation: "Set annotations.readOnlyHint or annotations.destructiveHint to true.",
    source: claudeSource("review", "Tool annotations"),
    judge: everyTool((tool, name) => {
      const { readOnlyHint, destructiveHint } = annotationsOf(tool);
      return readOnlyHint === true || destructiveHint === true
        ? []
        : [`${name} says neither readOnlyHint: true nor destructiveHint: true.`];
    }),
  },
  {
    id: "claude.tools.behavior-hints-consistent",
    title: "No tool says both that it only reads and that it destroys",
    remediation: "A tool that only reads destroys nothing: set one of the two hints.",
    source: claudeSource("review", "Tool annotations"),
    judge: everyTool((tool, name) => {
      const { readOnlyHint, destructiveHint } = annotationsOf(tool);
      return readOnlyHint === true && destructiveHint === true ? [`${name} says both.`] : [];
    }),
  },
  {
    id: "claude.tools.no-catch-all-read-write",
    title: "No parameter chooses between reading and writing",
    remediation: "Make two tools of it, so that people can allow one and not the other.",
    judge: everyTool((tool, name) =>
      parametersOf(tool).flatMap(([parameter, schema]) => {
        const verbs = choicesOf(schema).map(verbOf);
        const reads = verbs.find((verb) => safeVerbs.has(verb));
        const writes = verbs.find((verb) => unsafeVerbs.has(verb));
        return reads && writes ? [`${name}: ${parameter} allows both ${reads} and ${writes}.`] : [];
      }),
    ),
  },
  {
    id: "claude.tools.free-string-operation-parameter",
    title: "No parameter takes any operation as free text",
    lane: "experience-insights",
    class: "recommended",
    remediation: "List the operations as an enum, or make a tool of each.",
    judge: everyTool((tool, name) =>
      parametersOf(tool).flatMap(([parameter, schema]) => {
        const isFree = schema.type === "string" && choicesOf(schema).length === 0 && !("const" in schema);
        return isFree && operationNames.has(parameter.toLowerCase())
          ? [`${name}: ${parameter} takes any text.`]
          : [];
      }),
    ),
  },
]);
