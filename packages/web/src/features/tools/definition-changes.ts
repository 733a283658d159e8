/** @module How a server's tools differ from those one last looked at: what a model is told may change without a word. Pure. */
import { isSameJson } from "@fettle/contract/formats";
import type { Tool } from "../../api/listed-tools.ts";

export interface DefinitionChange {
  name: string;
  /** What is not there was added, or taken away. */
  before: Tool | undefined;
  after: Tool | undefined;
}

export function definitionChanges(before: readonly Tool[], after: readonly Tool[]): DefinitionChange[] {
  const was = new Map(before.map((tool) => [tool.name, tool]));
  const is = new Map(after.map((tool) => [tool.name, tool]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: was.get(name), after: is.get(name) }))
    .filter((change) => !isSameJson(change.before, change.after));
}
