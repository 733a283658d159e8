/** @module What a tool says about its own behaviour, in a word each. Hints, not promises: the server wrote them. */

import type { Tool } from "../../api/listed-tools.ts";
import { widgetUris } from "../../kit/widget/widget-link.ts";
import { isJsonObject } from "../../lib/json-exact.ts";
import type { Tone } from "../../ui/chip.tsx";

export interface ToolHint {
  word: string;
  tone: Tone;
  about: string;
}

export function hintsOf(tool: Tool): ToolHint[] {
  const said = isJsonObject(tool.annotations) ? tool.annotations : {};
  const hints: ToolHint[] = [];
  if (said.readOnlyHint === true)
    hints.push({ word: "read-only", tone: "good", about: "Says it changes nothing." });
  if (said.destructiveHint === true && said.readOnlyHint !== true)
    hints.push({ word: "destructive", tone: "bad", about: "Says it may delete or overwrite." });
  if (said.idempotentHint === true && said.readOnlyHint !== true)
    hints.push({ word: "repeatable", tone: "info", about: "Says that repeating it changes nothing more." });
  if (said.openWorldHint === true)
    hints.push({ word: "open world", tone: "warn", about: "Says it reaches beyond the server." });
  if (widgetUris(tool, undefined).length > 0)
    hints.push({ word: "widget", tone: "accent", about: "Shows its result in a widget." });
  if (isJsonObject(tool.outputSchema))
    hints.push({ word: "structured", tone: "neutral", about: "Names the shape of its result." });
  const tasks = taskSupportOf(tool);
  if (tasks !== "none") hints.push({ word: "task", tone: "info", about: `Says that a task is ${tasks}.` });
  return hints;
}

/** Whether a call of it becomes a task, as servers of 2025-11-25 say it; later ones decide with each call. */
export function taskSupportOf({ execution }: Tool): "required" | "optional" | "none" {
  const said = isJsonObject(execution) ? execution.taskSupport : undefined;
  return said === "required" || said === "optional" ? said : "none";
}

/** The name a person reads: its title where it has one. */
export function titleOf(tool: Tool): string | undefined {
  const annotated = isJsonObject(tool.annotations) ? tool.annotations.title : undefined;
  const title = tool.title ?? annotated;
  return typeof title === "string" && title !== tool.name ? title : undefined;
}
