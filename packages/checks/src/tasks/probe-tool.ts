/** @module Which tool may be called to make tasks: the one the operator named, one that says it is harmless, or the fixtures of the official suite. */
import { isObject, type JsonObject, type Tool } from "@fettle/mcp";

export interface ProbeCall {
  name: string;
  args: JsonObject;
}

/** Their names together are no accident. */
const fixtureNames = ["slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input"];

export function isTaskFixture(tools: readonly Tool[]): boolean {
  return fixtureNames.every((name) => tools.some((tool) => tool.name === name));
}

export interface ProbeWishes {
  toolName?: string | undefined;
  toolArgs?: JsonObject | undefined;
}

/** Undefined when nothing may be called. */
export function chooseProbe(
  tools: readonly Tool[],
  { toolName, toolArgs = {} }: ProbeWishes,
): ProbeCall | undefined {
  if (toolName !== undefined) return { name: toolName, args: toolArgs };
  if (isTaskFixture(tools)) return { name: "slow_compute", args: { seconds: 1 } };
  const harmless = tools.filter(isHarmless);
  const found = ["required", "optional"].flatMap((support) =>
    harmless.filter(({ execution }) => isObject(execution) && execution.taskSupport === support),
  );
  return found[0] && { name: found[0].name, args: {} };
}

/** Changes nothing, and needs nothing to be called. */
function isHarmless({ annotations, inputSchema }: Tool): boolean {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  return isObject(annotations) && annotations.readOnlyHint === true && required.length === 0;
}
