/** @module What is wrong with the input schemas of tools, judged by the table of faults: the doctor, `server validate`, `tools list` and the protocol suite tell the same. Pure. */
import { must } from "@fettle/contract/formats";
import { type Tool, wireProblem } from "@fettle/mcp";
import { ruleIn } from "../verdict/rule.ts";
import { type SchemaFault, schemaFaults } from "./tool-schema.ts";
import { type WireFault, wireRuleFor } from "./wire-rules.ts";

export interface InputSchemaFault extends WireFault, Pick<SchemaFault, "path" | "reason"> {
  tool: string;
}

export function judgeInputSchemas(
  tools: readonly Pick<Tool, "name" | "inputSchema">[],
  version: string,
): InputSchemaFault[] {
  return tools.flatMap(({ name, inputSchema }) =>
    schemaFaults(inputSchema, version).map((fault) => inputSchemaFault(name, fault, version)),
  );
}

/** A revision that is newer than the table is held to its newest sentence. */
export function inputSchemaFault(tool: string, fault: SchemaFault, version: string): InputSchemaFault {
  const { path, reason } = fault;
  const problem = wireProblem(codeOf(fault), tool, path, reason);
  const rule = wireRuleFor(problem.code);
  const said = must(ruleIn(rule.rules, version) ?? rule.rules.at(-1), `the sentence for ${problem.code}`);
  return { rule, said, problem, times: 1, sentence: problem.message, tool, path, reason };
}

/** Referring to another document is allowed; only fetching it is not. */
function codeOf({ isAdvice, isOutside }: SchemaFault) {
  if (isOutside) return "INPUT_SCHEMA_OUTSIDE";
  return isAdvice ? "INPUT_SCHEMA_ADVISED" : "INPUT_SCHEMA_INVALID";
}
