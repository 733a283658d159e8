/** @module How a check of tasks is declared, and which of the two wires it is about. */
import type { TaskWire, WireKind } from "@fettle/mcp";
import type { Check } from "../verdict/run-checks.ts";
import type { TasksObserved } from "./observe-tasks.ts";

export const tasksCategories = ["dispatch", "creation", "lifecycle"] as const;
export type TasksCategory = (typeof tasksCategories)[number];

export interface TasksFacts {
  version: string;
  /** `legacy`: the tasks of 2025-11-25. `extension`: those of 2026-07-28. */
  wire: TaskWire;
  transport: WireKind;
  /** The server has the task tools of the official suite, so each of them may be called. */
  isFixture: boolean;
}

export type TasksCheck = Check<TasksObserved, TasksFacts, TasksCategory>;

export const extensionSpec = {
  title: "Tasks extension (SEP-2663)",
  url: "https://github.com/modelcontextprotocol/ext-tasks",
};

export const noTasks = ({ wire, version }: TasksFacts): string | undefined =>
  wire === "none" ? `The server offers no tasks in ${version}.` : undefined;

export const extensionOnly = (facts: TasksFacts): string | undefined =>
  noTasks(facts) ?? (facts.wire === "legacy" ? "It is about the extension of 2026-07-28." : undefined);

export const fixtureOnly = (facts: TasksFacts): string | undefined =>
  extensionOnly(facts) ??
  (facts.isFixture ? undefined : "It needs the task tools of the official suite, which the server has not.");
