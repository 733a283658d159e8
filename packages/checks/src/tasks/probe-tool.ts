/** @module Which tool may be called to make tasks: the one the operator named, one that says it is harmless, or the fixtures of the official suite. */
import { isObject, type JsonObject, type TaskWire, type Tool } from "@fettle/mcp";
import { readOnlyCalls } from "../protocol/calls/observe.ts";

export interface ProbeCall {
  name: string;
  args: JsonObject;
  /** Nothing says that calls of this tool become tasks. */
  isGuess?: true;
}

/** Their names together are no accident. */
const fixtureNames = ["slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input"];

export function isTaskFixture(tools: readonly Tool[]): boolean {
  return fixtureNames.every((name) => tools.some((tool) => tool.name === name));
}

export interface ProbeWishes {
  toolName?: string | undefined;
  toolArgs?: JsonObject | undefined;
  /** Tools that say they are read-only may be called, with arguments made from their schemas. */
  callReadOnly?: boolean | undefined;
}

/** Undefined when nothing may be called. */
export function chooseProbe(
  tools: readonly Tool[],
  { toolName, toolArgs = {}, callReadOnly = false }: ProbeWishes,
  wire: TaskWire,
): ProbeCall | undefined {
  if (toolName !== undefined) return { name: toolName, args: toolArgs };
  if (isTaskFixture(tools)) return { name: "slow_compute", args: { seconds: 1 } };
  const [harmless] = bySupport(tools.filter(isHarmless));
  if (harmless) return { name: harmless.name, args: {} };
  if (!callReadOnly) return undefined;
  const calls = new Map(readOnlyCalls(tools).map(({ tool, args }) => [tool, args]));
  const callable = tools.filter(({ name }) => calls.has(name));
  const [named] = bySupport(callable);
  // In the extension the server decides call by call, and its tools do not say.
  const chosen = named ?? (wire === "extension" ? callable[0] : undefined);
  const args = chosen && calls.get(chosen.name);
  return args && { name: chosen.name, args, ...(!named && { isGuess: true }) };
}

/** Those that say they run as tasks, the ones that must first. */
function bySupport(tools: readonly Tool[]): Tool[] {
  return ["required", "optional"].flatMap((support) =>
    tools.filter(({ execution }) => isObject(execution) && execution.taskSupport === support),
  );
}

/** Changes nothing, and needs nothing to be called. */
function isHarmless({ annotations, inputSchema }: Tool): boolean {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  return isObject(annotations) && annotations.readOnlyHint === true && required.length === 0;
}
