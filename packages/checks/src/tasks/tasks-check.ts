/** @module How a check of tasks is declared, and which of the two wires it is about. */
import type { RuleWord } from "@fettle/contract/servers";
import type { TaskWire, WireKind } from "@fettle/mcp";
import type { JudgingFacts, Rule } from "../verdict/rule.ts";
import type { Check } from "../verdict/run-checks.ts";
import type { TasksObserved } from "./observe-tasks.ts";

export const tasksCategories = ["dispatch", "creation", "lifecycle"] as const;
export type TasksCategory = (typeof tasksCategories)[number];

export interface TasksFacts extends JudgingFacts {
  /** `legacy`: the tasks of 2025-11-25. `extension`: those of 2026-07-28. */
  wire: TaskWire;
  transport: WireKind;
  /** The server has the task tools of the official suite, so each of them may be called. */
  isFixture: boolean;
}

export type TasksCheck = Check<TasksObserved, TasksFacts, TasksCategory>;

const legacyPage = "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks";
const extensionPage =
  "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md";

/** A sentence about the tasks of 2025-11-25. */
export const legacyRule = (word: RuleWord, title: string): Rule => ({
  word,
  title: `Tasks: ${title}`,
  url: `${legacyPage}#${anchorOf(title)}`,
  revision: "2025-11-25",
  binds: ["2025-11-25"],
});

/** A sentence about the extension that 2026-07-28 has instead. */
export const extensionRule = (word: RuleWord, title: string): Rule => ({
  word,
  title: `Tasks extension: ${title}`,
  url: `${extensionPage}#${anchorOf(title)}`,
  revision: "2026-07-28",
  binds: ["2026-07-28"],
});

/** What the extension's proposal says beyond its text. */
export const proposalRule = (word: RuleWord, title: string): Rule => ({
  word,
  title: `SEP-2663: ${title}`,
  url: "https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2663",
  revision: "SEP-2663",
  binds: ["2026-07-28"],
});

const anchorOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

export const noTasks = ({ wire, version }: TasksFacts): string | undefined =>
  wire === "none" ? `The server offers no tasks in ${version}.` : undefined;

export const fixtureOnly = (facts: TasksFacts): string | undefined =>
  noTasks(facts) ??
  (facts.isFixture ? undefined : "It needs the task tools of the official suite, which the server has not.");
