/** @module Which project a command acts on: how the selector is found, and how it picks one of the accessible projects. Pure. */
import { only } from "@fettle/contract/formats";
import { byIdHint, CliError, operationalError, usageError } from "../cli-error.ts";
import { unknownName } from "../program/near-names.ts";
import type { FoundLink } from "./link-file.ts";

export interface ProjectSources {
  /** `--project` */
  flag: string | undefined;
  /** A selector inside the input document. */
  input?: string | undefined;
  /** `FETTLE_PROJECT`; set but blank is an error, because a script meant to choose. */
  env: string | undefined;
  link: FoundLink | undefined;
}

export type ProjectSelection =
  | { source: "flag" | "input" | "env"; selector: string; description: string }
  | { source: "link"; selector: string; description: string; path: string }
  | { source: "automatic"; description: string }
  | { source: "unresolved"; description: string; error: CliError };

export function selectProject({ flag, input, env, link }: ProjectSources): ProjectSelection {
  const typed = [
    ["flag", "--project", flag],
    ["input", "the input document", input],
    ["env", "FETTLE_PROJECT", env],
  ] as const;
  for (const [source, name, selector] of typed) {
    if (selector === undefined) continue;
    if (selector.trim() === "") return unresolved(usageError(`${name} must not be blank.`));
    return { source, selector: selector.trim(), description: name };
  }
  if (!link) return { source: "automatic", description: "newest accessible project" };
  if ("error" in link) return unresolved(brokenLink(link));
  const { id, name } = link.link.project;
  return { source: "link", selector: id, description: `link (${name})`, path: link.path };
}

function unresolved(error: CliError): ProjectSelection {
  return { source: "unresolved", description: "cannot be told", error };
}

function brokenLink({ path, error }: { path: string; error: string }): CliError {
  return operationalError(`The project link ${path} ${error}.`, {
    hint: "Run `fettle cloud link` to write it again, or `fettle cloud link --remove`.",
  });
}

/** Enough to see a slip of the finger; more would bury the message. */
const choicesShown = 10;

interface Selectable {
  id: string;
  name: string;
}

/**
 * The one thing a selector means: an exact id, else a name that only one has, whatever its case.
 *
 * @example
 * pickByIdOrName("project", "alpha", projects);
 */
export function pickByIdOrName<T extends Selectable>(noun: string, selector: string, all: readonly T[]): T {
  const byId = all.find((each) => each.id === selector);
  if (byId) return byId;
  const byName = all.filter((each) => each.name.toLowerCase() === selector.toLowerCase());
  const named = only(byName);
  if (named) return named;
  if (byName.length > 1) {
    throw new CliError("NOT_FOUND", `Several ${noun}s are named "${selector}"; use an id.`, {
      details: { ids: byName.map((each) => each.id) },
      choices: byName.map((each) => each.id),
      hint: byIdHint,
    });
  }
  throw new CliError("NOT_FOUND", `No ${noun} has the id or name "${selector}".`, {
    details: {
      choices: all.slice(0, choicesShown).map((each) => `${each.name} (${each.id})`),
      choiceCount: all.length,
    },
    ...unknownName(
      selector,
      all.map((each) => each.name),
      all.length === 0 ? `There is no ${noun} yet.` : "Use one of these names or ids.",
    ),
  });
}

interface Dated extends Selectable {
  updatedAt: number;
}

/** Follows a selection among the accessible projects; a link that leads nowhere says which file it came from. */
export function chooseProject<T extends Dated>(selection: ProjectSelection, projects: readonly T[]): T {
  switch (selection.source) {
    case "unresolved":
      throw selection.error;
    case "automatic":
      return newest(projects);
    case "link":
      try {
        return pickByIdOrName("project", selection.selector, projects);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        throw new CliError(error.code, `${error.message} It is named by ${selection.path}.`, {
          details: error.details,
          ...(error.choices && { choices: error.choices }),
          hint: "Run `fettle cloud link` to link this folder again.",
        });
      }
    default:
      return pickByIdOrName("project", selection.selector, projects);
  }
}

function newest<T extends Dated>(projects: readonly T[]): T {
  if (projects.length === 0) {
    throw new CliError("NOT_FOUND", "There is no project you can see.", {
      hint: "Create one in the web app, or ask to be added to one.",
    });
  }
  return projects.reduce((latest, each) => (each.updatedAt > latest.updatedAt ? each : latest));
}
