/**
 * @module From argv to the command asked for and its values. Each word parses its own flags, so that a flag's value is never
 * mistaken for a flag of another word; every word accepts the shared flags, and the one typed nearest to the end wins.
 */
import { must, only } from "@fettle/contract/formats";
import { Command as Commander, Option } from "commander";
import { CliError, retold, usageError } from "../cli-error.ts";
import { inQuotes } from "../output/in-quotes.ts";
import type { ArgumentTable, Command, CommandNode } from "./command.ts";
import { camelCase, type Flag, type FlagTable, offeredValues } from "./flag.ts";
import { parseFlagValue } from "./flag-value.ts";
import { nearNames, unknownName } from "./near-names.ts";
import { readTarget, takesTarget } from "./target-words.ts";
import { acceptedFlags } from "./tree.ts";
import { unknownCommand } from "./unknown-command.ts";

export type Values = Record<string, unknown>;

export type Parsed =
  | { kind: "version" }
  | { kind: "help"; node: CommandNode }
  | { kind: "call"; command: Command; values: Values; arguments: Values };

export function parse(root: CommandNode, argv: readonly string[]): Parsed {
  let parsed: Parsed | undefined;
  const reached: Reading["reached"] = (node, words, operands) => {
    const values = valuesOf(words, acceptedFlags(node));
    if (values.version) parsed = { kind: "version" };
    else if (operands === "help" || node.declaration.kind === "group") parsed = { kind: "help", node };
    else parsed = callOf(node.declaration, values, operands, wordsBehindDashes(argv));
  };
  try {
    toCommander({ root, reached }).parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof HelpShown)) throw error;
  }
  return must(parsed, "what the words come to");
}

interface Reading {
  root: CommandNode;
  reached(node: CommandNode, words: Commander[], operands: readonly unknown[] | "help"): void;
}

class HelpShown extends Error {}

/** One word at a time: what a word takes and leads to is filled in when it is reached, not for every command there is. */
function toCommander(reading: Reading): Commander {
  const { root } = reading;
  const commander = new Commander(root.word || "fettle");
  fillIn(commander, root, reading, []);
  return commander;
}

function fillIn(
  commander: Commander,
  node: CommandNode,
  reading: Reading,
  above: readonly Commander[],
): void {
  const { root, reached } = reading;
  const { declaration } = node;
  const words = [...above, commander];
  commander
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption("-h, --help")
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .configureHelp({
      formatHelp: () => {
        refuseUnknownWord(root, node, commander.args);
        reached(node, words, "help");
        return "";
      },
    })
    .exitOverride((error) => {
      if (error.code === "commander.helpDisplayed" || error.code === "commander.help") throw new HelpShown();
      // A command that also has commands takes no arguments: what stands there was meant to be one of them.
      if (/unknownCommand|excessArguments/.test(error.code)) refuseUnknownWord(root, node, commander.args);
      const option = error.code === "commander.unknownOption" && error.message.match(/'(.*)'/)?.[1];
      const flags = Object.entries(acceptedFlags(node)).flatMap(([name, { hidden }]) =>
        hidden ? [] : `--${name}`,
      );
      const near = option ? nearNames(option, flags) : valuesMissing(node, error);
      const nearest = only(near);
      const said = option ? didYouMean(near) : near.length > 0 ? ` It is one of ${near.join(", ")}.` : "";
      throw usageError(`${plainMessage(error.message)}${said}`, {
        ...(near.length > 0 && { choices: near }),
        ...(option && nearest !== undefined && { meant: { typed: option, name: nearest } }),
        hint: seeHelp(node),
      });
    });
  const accepted = acceptedFlags(node);
  for (const [name, flag] of Object.entries(accepted)) {
    if (name !== "help") commander.addOption(toOption(node, name, flag));
    if (`no-${name}` in accepted) refuseBoth(commander, name);
  }
  const below = new Map(
    node.children.map((child) => {
      const word = new Commander(child.word);
      if (child.declaration.aliases) word.aliases([...child.declaration.aliases]);
      commander.addCommand(word);
      return [word, child];
    }),
  );
  commander.hook("preSubcommand", (_above, word) =>
    fillIn(word, must(below.get(word), "a command for each word below"), reading, words),
  );
  if (declaration.kind === "command") {
    addArguments(commander, node, declaration.arguments);
    if (takesTarget(declaration)) commander.argument("[target...]");
    commander.action(() => reached(node, words, commander.processedArgs));
  }
}

/** commander would take the last of the two, and one of them was not meant. */
function refuseBoth(commander: Commander, name: string): void {
  const typed = new Set<string>();
  for (const each of [name, `no-${name}`]) {
    commander.on(`option:${each}`, () => {
      if (typed.add(each).size > 1) throw usageError(`Give --${name} or --no-${name}, not both.`);
    });
  }
}

/** A word that calls nothing is a mistake also where help was asked for: help of something else would hide it. */
function refuseUnknownWord(root: CommandNode, node: CommandNode, [word]: readonly string[]): void {
  const { declaration, children } = node;
  const takesWords = declaration.kind === "command" && Object.keys(declaration.arguments).length > 0;
  if (word === undefined || word.startsWith("-") || takesWords || children.length === 0) return;
  const { hint = "", ...near } = unknownCommand(root, node, word);
  throw usageError(`Unknown command ${singly(word)}. ${hint}`.trim(), { ...near, hint: seeHelp(node) });
}

/** What could have followed the flag that nothing follows. */
function valuesMissing(node: CommandNode, { code, message }: { code: string; message: string }) {
  const name = code === "commander.optionMissingArgument" && message.match(/--([\w-]+)/)?.[1];
  const flag = name ? acceptedFlags(node)[name] : undefined;
  return flag ? offeredValues(flag) : [];
}

function didYouMean(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

function seeHelp({ path }: CommandNode): string {
  return `See \`${["fettle", ...path].join(" ")} --help\`.`;
}

/** A value that cannot be read leads to the help of its command, unless a better way is known. */
function advising<T>(node: CommandNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CliError) || error.hint !== undefined) throw error;
    throw retold(error, { hint: seeHelp(node) });
  }
}

function toOption(node: CommandNode, name: string, flag: Flag): Option {
  const short = flag.short ? `-${flag.short}, ` : "";
  if (flag.kind === "boolean") return new Option(`${short}--${name}`);
  const value = flag.variadic ? "<value...>" : "<value>";
  return new Option(`${short}--${name} ${value}`).argParser((typed, previous) => {
    const value = advising(node, () => parseFlagValue(name, flag, typed));
    return flag.repeats ? [...(Array.isArray(previous) ? previous : []), value] : value;
  });
}

function addArguments(commander: Commander, node: CommandNode, table: ArgumentTable): void {
  for (const [name, { required, repeats, choices }] of Object.entries(table)) {
    const word = repeats ? `${name}...` : name;
    const argument = commander.createArgument(required ? `<${word}>` : `[${word}]`);
    if (choices)
      argument.argParser((typed, previous) =>
        advising(node, () => parseArgument(name, choices, typed, repeats, previous)),
      );
    commander.addArgument(argument);
  }
}

function parseArgument(
  name: string,
  choices: readonly string[],
  typed: string,
  repeats: true | undefined,
  previous: unknown,
): string | string[] {
  if (!choices.includes(typed)) {
    const message = `${name} is one of ${choices.join(", ")}, not ${inQuotes(typed)}.`;
    throw usageError(`${message.charAt(0).toUpperCase()}${message.slice(1)}`, unknownName(typed, choices));
  }
  return repeats ? [...(Array.isArray(previous) ? previous : []), typed] : typed;
}

function wordsBehindDashes(argv: readonly string[]): number {
  return argv.includes("--") ? argv.length - argv.indexOf("--") - 1 : 0;
}

function callOf(command: Command, typed: Values, operands: readonly unknown[], behindDashes: number): Parsed {
  // A variadic argument is a list of words.
  const target = takesTarget(command) ? (operands[0] as string[] | undefined) : undefined;
  const values = { ...typed, ...readTarget(command, target ?? [], { behindDashes, typed }) };
  const missing = Object.entries(command.flags).find(
    ([name, flag]) => "required" in flag && isMissing(values[camelCase(name)]),
  );
  if (missing) {
    throw usageError(`--${missing[0]} is required.`, { hint: `See \`fettle ${command.name} --help\`.` });
  }
  const named = Object.keys(command.arguments).map((name, index) => [name, operands[index]]);
  return { kind: "call", command, values, arguments: Object.fromEntries(named) };
}

/** A flag that may repeat and was not typed has no values. */
function isMissing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** What was typed, merged from the first word to the last. A flag that may repeat keeps all, another the last. */
function valuesOf(words: readonly Commander[], table: FlagTable): Values {
  return Object.fromEntries(
    Object.entries(table).map(([name, flag]) => {
      const typed = words.flatMap((word) => {
        const key = name.startsWith("no-") ? camelCase(name.slice(3)) : camelCase(name);
        return word.getOptionValueSource(key) === "cli" ? [word.getOptionValue(key)] : [];
      });
      return [camelCase(name), mergeTyped(name, flag, typed)];
    }),
  );
}

function mergeTyped(name: string, flag: Flag, typed: readonly unknown[]): unknown {
  const last = typed.at(-1);
  // commander keeps `--no-x` as x = false, and one place for both `--x` and `--no-x`.
  if (flag.kind === "boolean") return last === !name.startsWith("no-");
  return flag.repeats ? typed.flat() : last;
}

/** As commander quotes. */
function singly(typed: string): string {
  return `'${inQuotes(typed).slice(1, -1)}'`;
}

/** commander writes "error: unknown option '--foo'". */
function plainMessage(message: string): string {
  const sentence = message.replace(/^error: /, "").replace(/'(.*)'/s, (_, typed: string) => singly(typed));
  const capital = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}
