/** @module Which flags take a name that only a deployment or a server knows, and the command that lists those names. */

import type { CommandNode } from "../program/command.ts";
import type { Flag } from "../program/flag.ts";
import { ownFlags } from "../program/tree.ts";

interface Listed {
  id?: unknown;
  name?: unknown;
}

export interface Source {
  /** The words of the command whose items are offered. */
  list: readonly string[];
  /** Of a hosted command: nothing is asked of anybody who is not signed in. Of a server's: nothing unless it is named by its address. Others are known here. */
  of: "deployment" | "server" | "nobody";
}

const deployment = (...list: string[]): Source => ({ list: ["cloud", ...list, "list"], of: "deployment" });

const sources: Readonly<Record<string, Source>> = {
  project: deployment("projects"),
  org: deployment("organizations"),
  server: deployment("projects", "servers"),
  client: deployment("clients"),
  host: deployment("clients"),
  environment: deployment("environments"),
  skill: deployment("skills"),
  "tool-name": { list: ["tools", "list"], of: "server" },
  "prompt-name": { list: ["prompts", "list"], of: "server" },
};

/** Undefined where the flag of that name is something else: `eval run --server` binds one, `tools list --host` knows its values. */
export function liveSource(node: CommandNode, name: string, flag: Flag): Source | undefined {
  if (name === "check-id") return checksOf(node);
  const source = flag.kind === "text" ? sources[name] : undefined;
  const fits = source?.of === "deployment" ? node.hosted : "url" in ownFlags(node);
  return fits ? source : undefined;
}

/** What an argument of the command names. */
export function liveArgument(node: CommandNode): Source | undefined {
  const { declaration } = node;
  if (declaration.kind !== "command") return undefined;
  if ("check" in declaration.arguments) return checksOf(node);
  return node.hosted && "project" in declaration.arguments ? sources.project : undefined;
}

/** Those of the suite that the command runs, or all. */
function checksOf({ path: [suite = "", word = ""] }: CommandNode): Source {
  const only = word.startsWith("conformance") ? ["--suite", suite] : [];
  return { list: ["explain", ...only], of: "nobody" };
}

/** A shell expands what it is offered: a name with a sign that means something to one is never told. */
const harmless = /^[\w@.:/+-]+$/;

/** The items of a list by name where that can be typed as it is, else by id. */
export function namesIn(answer: unknown): string[] {
  const lists = Object.values((answer ?? {}) as Record<string, unknown>).filter(Array.isArray);
  return (lists[0] ?? []).flatMap(({ name, id }: Listed) => {
    const known = [name, id].find((each) => typeof each === "string" && harmless.test(each));
    return known === undefined ? [] : [String(known)];
  });
}
