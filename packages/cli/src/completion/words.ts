/** @module What a shell needs to know to complete `fettle`: for each command, the words and flags that may follow. */

import type { CommandNode } from "../program/command.ts";
import { type Flag, offeredValues } from "../program/flag.ts";
import { acceptedFlags, namesOf, walk } from "../program/tree.ts";
import { liveArgument, liveSource } from "./live.ts";

export interface Word {
  text: string;
  help: string;
}

export interface Place {
  /** The words so far, each with a slash before it: `/cloud/projects`; empty at the start. */
  at: string;
  /** The same place by other spellings. */
  reachedBy: string[];
  /** Commands or fixed argument values. */
  words: Word[];
  /** An argument is a name that `fettle complete` asks for. */
  asks: boolean;
  flags: (Word & { short?: string; value: FlagValue })[];
}

/** What may follow a flag: nothing, one of some words, a file, a name that `fettle complete` asks for, or something only the person knows. */
export type FlagValue =
  | { kind: "none" | "file" | "live" | "unknown" }
  | { kind: "choice"; choices: readonly string[] };

export function places(root: CommandNode): Place[] {
  return [...walk(root)].map((node) => ({
    at: atOf(node.path),
    reachedBy:
      node.path.length === 0 ? [] : namesOf(node).map((name) => atOf([...node.path.slice(0, -1), name])),
    words: wordsAfter(node),
    asks: asksForArgument(node),
    flags: Object.entries(acceptedFlags(node))
      .filter(([, flag]) => !flag.hidden)
      .map(([name, flag]) => ({
        text: `--${name}`,
        help: flag.help,
        ...(flag.short && { short: flag.short }),
        value: valueAfter(node, name, flag),
      })),
  }));
}

/** Every flag of any place that takes a value, so that the value is not mistaken for a command. */
export function valueFlags(all: readonly Place[]): Map<string, FlagValue> {
  const valued = all.flatMap((place) => place.flags.filter((flag) => flag.value.kind !== "none"));
  return new Map(valued.map((flag) => [flag.text, flag.value]));
}

/** Where a flag takes other values than the flag of that name elsewhere. */
export function ownValues(all: readonly Place[]): { at: string; flag: string; value: FlagValue }[] {
  const usual = valueFlags(all);
  return all.flatMap(({ at, flags }) =>
    flags
      .filter(({ text, value }) => value.kind !== "none" && !isSame(value, usual.get(text)))
      .map(({ text, value }) => ({ at, flag: text, value })),
  );
}

function isSame(value: FlagValue, other: FlagValue | undefined): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}

function atOf(path: readonly string[]): string {
  return path.map((word) => `/${word}`).join("");
}

function wordsAfter(node: CommandNode): Word[] {
  const commands = node.children.map((child) => ({ text: child.word, help: child.declaration.summary }));
  if (node.declaration.kind === "group") return commands;
  const values = Object.values(node.declaration.arguments).flatMap(({ choices = [], help }) =>
    choices.map((choice) => ({ text: choice, help })),
  );
  return [...commands, ...values];
}

/** The words of a command that help is wanted for are known, but only by following them. */
function asksForArgument(node: CommandNode): boolean {
  return node.path.join(" ") === "help" || liveArgument(node) !== undefined;
}

const fileValues = ["path", "file", "folder"];

function valueAfter(node: CommandNode, name: string, flag: Flag): FlagValue {
  if (flag.kind === "boolean") return { kind: "none" };
  const choices = offeredValues(flag);
  if (choices.length > 0) return { kind: "choice", choices };
  if (liveSource(node, name, flag)) return { kind: "live" };
  return { kind: fileValues.includes(flag.value) ? "file" : "unknown" };
}
