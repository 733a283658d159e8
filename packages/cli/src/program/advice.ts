/**
 * @module Advice that can be pasted: a command that is named to the person says again which server, deployment and project this one was
 * about, and a mistake that nobody has a word for leads to the help of its command.
 */

import { exitCodes } from "@fettle/contract/core";
import { maskUrl, redactArgv, secretsInUrl } from "@fettle/contract/secrets";
import { type CliError, retold } from "../cli-error.ts";
import { isRecord } from "../files/read-json.ts";
import { shellWords } from "../output/shell-words.ts";
import { splitWords, type WrittenWord, writtenWords } from "../output/split-words.ts";
import { lines, style, type Writable } from "../output/text.ts";
import type { World } from "../world.ts";
import type { Advised, Command, CommandNode } from "./command.ts";
import { camelCase } from "./flag.ts";
import { parse } from "./parse.ts";
import { retypedFlag } from "./retyped-flag.ts";
import { acceptedFlags, findNode, namesOf } from "./tree.ts";

/** Which server. A command that is advised with another keeps that. */
const serverFlags = ["url", "command", "args", "command-args", "cwd", "env"];

/** As whom; a command that is advised with one of them, or with another origin, gets none. */
const credentialFlags = [
  ...["access-token", "oauth-access-token", "refresh-token", "client-id", "client-secret"],
  "credentials-file",
];

/** How it is reached, behind the words of the command. */
const reachFlags = ["header", "transport", "protocol-version", "host", "timeout"];

/** Of a deployment: where and about what. */
const hostedFlags = [
  ...["project", "client", "environment", "suite", "run"],
  ...["api-url", "api-key", "api-header"],
];

/** What else says about what. */
const otherFlags = ["lock", "data"];

/** The command that gives the advice, and what was typed with it. */
export interface Adviser {
  command: Command;
  values: Readonly<Record<string, unknown>>;
  world: Pick<World, "program" | "env">;
}

/** The same failure, with commands that can be pasted and never without a way on. */
export function advisedError(root: CommandNode, from: Adviser, error: CliError): CliError {
  const next = error.nextCommand === undefined ? undefined : advised(root, from, error.nextCommand);
  const said = error.hint ?? (next ? undefined : (wayOn(root, from, error) ?? otherwise(root, from, error)));
  const befores = new Set([next?.before ?? []].flat());
  const hint = said?.replaceAll(/`(fettle [^`]+)`/g, (_, command: string) => {
    const { line, before } = advised(root, from, command);
    if (before !== undefined) befores.add(before);
    return `\`${line}\``;
  });
  const whole = [...(hint === undefined ? [] : [hint]), ...befores].join(" ");
  const retelling = { ...(whole !== "" && { hint: whole }), ...(next && { nextCommand: next.line }) };
  return retold(error, retelling);
}

/** What the service said to do: it knows what was missing, and which flags its command needs is known here. */
function otherwise(
  root: CommandNode,
  { values }: Adviser,
  { otherwise: said }: CliError,
): string | undefined {
  return said?.replaceAll(/`fettle ([^`]+)`/g, (_, words: string) => {
    const node = findNode(root, words.split(" "));
    const flags = node?.declaration.kind === "command" ? Object.entries(node.declaration.flags) : [];
    const typed = flags.flatMap(([flag, declared]) => {
      const value = values[camelCase(flag)];
      return "required" in declared && typeof value === "string" ? [`--${flag}`, value] : [];
    });
    return `\`fettle ${[words, ...(typed.length > 0 ? [shellWords(typed)] : [])].join(" ")}\``;
  });
}

/** The same failure in the words of whoever called the command: `npx fettle` where nothing else finds it. */
export function inProgram({ program }: Pick<World, "program">, error: CliError): CliError {
  const { message, hint, nextCommand } = error;
  const called = (words: string) => words.replaceAll(/(^|`)fettle (?=\S)/g, `$1${program} `);
  return retold(error, {
    message: message.replaceAll("`fettle ", `\`${program} `),
    ...(hint !== undefined && { hint: called(hint) }),
    ...(nextCommand !== undefined && { nextCommand: called(nextCommand) }),
  });
}

/** What was typed, with the name that was meant; not where it would do harm unasked, or print a secret. */
export function asMeant(root: CommandNode, argv: readonly string[], error: CliError): CliError {
  if (!error.meant || argv.some((word) => word === "--yes" || word === "--force")) return error;
  const { typed, name, isCommand = typed.includes(" ") } = error.meant;
  const wrong = typed.split(" ");
  const at = argv.findIndex((_, from) => wrong.every((word, index) => argv[from + index] === word));
  if (at === -1) return error;
  const words = [...argv.slice(0, at), ...(isCommand ? name.split(" ") : [name])];
  words.push(...argv.slice(at + wrong.length));
  const isSecret = redactArgv(words).some((shown, index) => shown !== words[index]);
  if (isSecret || words.some((word) => secretsInUrl(word).length > 0) || !canBeRead(root, words))
    return error;
  return retold(error, { nextCommand: shellWords(["fettle", ...words]) });
}

/** A second mistake would only be told next. */
function canBeRead(root: CommandNode, words: readonly string[]): boolean {
  try {
    parse(root, words);
    return true;
  } catch {
    return false;
  }
}

/** What to do next after a success; only a command can be completed. */
export function advisedNext(root: CommandNode, from: Adviser, next: Writable): Writable {
  const [said = "", ...more] = (typeof next === "object" ? next.plain : String(next)).split("\n");
  if (!said.startsWith("fettle ")) return next;
  const { line, before } = adviseLine(root, from, said);
  const told = [...more, ...(before === undefined ? [] : [before])].map((each) => style.dim(each));
  return lines([style.cyan(line), ...told]);
}

/** One command, whole and as it is called here; what is no command of ours stays as it is. */
export function adviseLine(root: CommandNode, from: Adviser, line: string): Advised {
  if (!line.startsWith("fettle ")) return { line };
  const whole = advised(root, from, line);
  return { ...whole, line: whole.line.replace(/^fettle /, `${from.world.program} `) };
}

/** What lists the things that a flag names, where that is not the `list` beside the command. The innermost first. */
const listedBy: Readonly<Record<string, string>> = {
  iteration: "cloud eval iterations",
  run: "cloud eval runs",
  email: "admin people",
  org: "cloud organizations list",
};

function wayOn(root: CommandNode, from: Adviser, error: CliError): string | undefined {
  const { code, exitCode, details } = error;
  const { name } = from.command;
  // What a deployment cannot do, only it can say how to change.
  if (code === "FEATURE_NOT_SUPPORTED" && isRecord(details) && typeof details.hint === "string")
    return details.hint;
  if (exitCode === exitCodes.usage || code === "VALIDATION_ERROR") return `See \`fettle ${name} --help\`.`;
  const beside = (word: string) => [...name.split(" ").slice(0, -1), word].join(" ");
  const usable = (commands: string[]) => commands.find((words) => isComplete(root, from, words));
  if (code === "CONFLICT") {
    const read = usable([beside("get"), beside("status")]);
    return read && `Read it again with \`fettle ${read}\`.`;
  }
  if (code !== "NOT_FOUND") return undefined;
  const known = Object.entries(listedBy).flatMap(([flag, words]) =>
    from.values[flag] === undefined ? [] : [words],
  );
  // A run of evals and one of something else are both called a run: what stands beside the command is nearer.
  const group = beside("");
  const near = known.filter((words) => words.startsWith(group));
  const far = known.filter((words) => !words.startsWith(group));
  const list = usable([...near, beside("list"), ...far]);
  return list && `See what there is with \`fettle ${list}\`.`;
}

/** A command that there is, and that needs no more than what was typed for this one. */
function isComplete(root: CommandNode, from: Adviser, words: string): boolean {
  const node = findNode(root, words.split(" "));
  if (node?.declaration.kind !== "command" || words === from.command.name) return false;
  const line = splitWords(advised(root, from, `fettle ${words}`).line);
  return Object.entries(node.declaration.flags).every(
    ([flag, declared]) => !("required" in declared) || line.includes(`--${flag}`),
  );
}

/** A line that begins with `fettle`, with what was typed for this command and that one needs too. */
function advised(root: CommandNode, from: Adviser, line: string): Advised {
  const [, ...typed] = writtenWords(line);
  const given = typed.map(({ word }) => word);
  const node = deepest(root, given);
  if (node.declaration.kind !== "command" || given.includes("--help")) return { line };
  const { values, world } = from;
  const kept = withoutOwnServer(typed, values);
  const words = kept.map(({ word }) => word);
  const accepted = acceptedFlags(node);
  const isTyped = (name: string) =>
    words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const other = otherServer(words);
  const isElsewhere = other !== undefined && originOf(other) !== originOf(values.url);
  const isLogin = node.declaration.name === "cloud login";
  const left = [
    ...(other === undefined ? serverFlags : []),
    ...(isElsewhere || credentialFlags.some(isTyped) ? [] : credentialFlags),
    ...("url" in accepted ? reachFlags.filter((name) => !(isElsewhere && name === "header")) : []),
    ...otherFlags,
    // A login replaces keys.
    ...(node.hosted ? hostedFlags.filter((name) => !(isLogin && name === "api-key")) : []),
  ];
  const again = left.flatMap((name) => {
    const value = values[camelCase(name)];
    if (!(name in accepted) || isTyped(name) || isTooLittle(name, value)) return [];
    return [
      { isServer: ![...otherFlags, ...hostedFlags].includes(name), ...retypedFlag(name, value, world.env) },
    ];
  });
  const added = (isServer: boolean) =>
    again.filter((flag) => flag.isServer === isServer).flatMap((flag) => flag.words);
  const written = kept.map((each) => each.written);
  const depth = node.path.length;
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const before = toldToSet(Object.assign({}, ...again.map(({ toSet }) => toSet)));
  return {
    line: [
      ...["fettle", ...written.slice(0, depth), shellWords(added(true))],
      ...[...written.slice(depth, end), shellWords(added(false)), ...written.slice(end)],
    ]
      .filter((part) => part !== "")
      .join(" "),
    ...(before !== undefined && { before }),
  };
}

/** A time in which hardly anything can be done was an experiment, and often the fault itself. */
function isTooLittle(name: string, value: unknown): boolean {
  return name === "timeout" && Number(value) < 1_000;
}

function toldToSet(toSet: Readonly<Record<string, string>>): string | undefined {
  const parts = Object.entries(toSet).map(([variable, flag]) => `${variable} to what ${flag} had`);
  return parts.length === 0 ? undefined : `Before: set ${parts.join(", ")}; secrets are not printed.`;
}

/** A report names its server as it may be shown, masked: those words give way to what was typed. */
function withoutOwnServer(typed: readonly WrittenWord[], { url, command }: Adviser["values"]): WrittenWord[] {
  const words = typed.map(({ word }) => word);
  const at = words.findIndex((word) => word === "--url" || word === "--command");
  const named = words[at + 1];
  const isOwn =
    words[at] === "--url"
      ? typeof url === "string" && named === maskUrl(url)
      : words[at] === "--command" && named === command;
  if (!isOwn) return [...typed];
  const isArgument = ({ word }: WrittenWord) => words[at] === "--command" && word.startsWith("--args=");
  return [...typed.slice(0, at), ...typed.slice(at + 2).filter((word) => !isArgument(word))];
}

/** Where the advised command goes, when it says so itself: an address, or two dashes and a command. */
function otherServer(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => /^--(url|command)$/.test(word));
  if (flag !== -1) return words[flag + 1];
  return words.includes("--") ? "--" : words.find((word) => /^(--url=|--command=|https?:)/.test(word));
}

function originOf(address: unknown): string | undefined {
  return URL.parse(String(address).replace(/^--url=/, ""))?.origin;
}

function deepest(root: CommandNode, words: readonly string[]): CommandNode {
  const [word = "", ...rest] = words;
  const child = root.children.find((each) => namesOf(each).includes(word));
  return child ? deepest(child, rest) : root;
}
