/**
 * @module Advice that can be pasted: a command that is named to the person says again which server, deployment and project this one was
 * about, and a mistake that nobody has a word for leads to the help of its command.
 */
import { exitCodes, redactText } from "@fettle/contract";
import { CliError } from "../cli-error.ts";
import { shellWords } from "../output/shell-words.ts";
import { splitWords } from "../output/split-words.ts";
import { style, type Writable } from "../output/text.ts";
import type { Command } from "./command.ts";
import { camelCase } from "./flag.ts";
import { acceptedFlags, type CommandNode, findNode, namesOf } from "./tree.ts";

/** Which server. A command that is advised with one of its own keeps that. */
const serverFlags = ["url", "command", "args", "command-args", "cwd"];

/** What else says where and about what. None holds a secret; headers, variables and tokens are the person's to add again. */
const otherFlags = [
  "transport",
  "protocol-version",
  "credentials-file",
  "lock",
  "project",
  "client",
  "environment",
  "suite",
  "run",
  "api-url",
];

/** The command that gives the advice, and what was typed with it. */
export interface Adviser {
  command: Command;
  values: Readonly<Record<string, unknown>>;
}

/** The same failure, with commands that can be pasted and never without a way on. */
export function advisedError(root: CommandNode, from: Adviser, error: CliError): CliError {
  const { code, message, details, choices, exitCode, cause } = error;
  const said = error.hint ?? (error.nextCommand === undefined ? wayOn(root, from, error) : undefined);
  const hint = said?.replaceAll(
    /`(fettle [^`]+)`/g,
    (_, line: string) => `\`${repeated(root, from, line)}\``,
  );
  const next = error.nextCommand && repeated(root, from, error.nextCommand);
  return new CliError(code, message, {
    details,
    exitCode,
    cause,
    ...(choices && { choices }),
    ...(hint !== undefined && { hint }),
    ...(next && { nextCommand: next }),
  });
}

/** What to do next after a success; only a command can be completed. */
export function advisedNext(root: CommandNode, from: Adviser, next: Writable): Writable {
  const line = typeof next === "object" ? next.plain : String(next);
  return line.startsWith("fettle ") ? style.cyan(repeated(root, from, line)) : next;
}

/** What lists the things that a flag names, where that is not the `list` beside the command. The innermost first. */
const listedBy: Readonly<Record<string, string>> = {
  iteration: "cloud eval iterations",
  run: "cloud eval runs",
  org: "cloud organizations list",
};

function wayOn(root: CommandNode, from: Adviser, { code, exitCode }: CliError): string | undefined {
  const { name } = from.command;
  if (exitCode === exitCodes.usage || code === "VALIDATION_ERROR") return `See \`fettle ${name} --help\`.`;
  const beside = (word: string) => [...name.split(" ").slice(0, -1), word].join(" ");
  const usable = (commands: string[]) => commands.find((words) => isComplete(root, from, words));
  if (code === "CONFLICT") {
    const read = usable([beside("get"), beside("status")]);
    return read && `Read it again with \`fettle ${read}\`.`;
  }
  if (code !== "NOT_FOUND") return undefined;
  const named = Object.keys(listedBy).filter((flag) => from.values[flag] !== undefined);
  const list = usable([...named.map((flag) => listedBy[flag]!), beside("list")]);
  return list && `See what there is with \`fettle ${list}\`.`;
}

/** A command that there is, and that needs no more than what was typed for this one. */
function isComplete(root: CommandNode, from: Adviser, words: string): boolean {
  const node = findNode(root, words.split(" "));
  if (node?.declaration.kind !== "command" || words === from.command.name) return false;
  const line = splitWords(repeated(root, from, `fettle ${words}`));
  return Object.entries(node.declaration.flags).every(
    ([flag, declared]) => !("required" in declared) || line.includes(`--${flag}`),
  );
}

function repeated(root: CommandNode, { values }: Adviser, line: string): string {
  const [program, ...words] = splitWords(line);
  const node = deepest(root, words);
  if (node.declaration.kind !== "command" || words.includes("--help")) return line;
  const accepted = acceptedFlags(node);
  const isTyped = (name: string) =>
    words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const hasServer =
    serverFlags.some(isTyped) || words.includes("--") || words.some((word) => /^https?:/.test(word));
  const added = [...(hasServer ? [] : serverFlags), ...otherFlags].flatMap((name) => {
    if (!(name in accepted) || isTyped(name)) return [];
    const typed = values[camelCase(name)];
    return [typed ?? []].flat().flatMap((value) => asTyped(name, redactText(String(value))));
  });
  if (added.length === 0) return line;
  const at = words.includes("--") ? words.indexOf("--") : words.length;
  return shellWords([program!, ...words.slice(0, at), ...added, ...words.slice(at)]);
}

/** An argument of a server's may begin with dashes of its own. */
function asTyped(name: string, value: string): string[] {
  return value.startsWith("-") || name === "args" ? [`--${name}=${value}`] : [`--${name}`, value];
}

function deepest(root: CommandNode, words: readonly string[]): CommandNode {
  const [word = "", ...rest] = words;
  const child = root.children.find((each) => namesOf(each).includes(word));
  return child ? deepest(child, rest) : root;
}
