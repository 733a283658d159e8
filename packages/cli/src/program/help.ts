/** @module Help, made from the registry: what a command does, how it is typed, and examples that work. */
import { lines, pad, style, type Text, text, type Writable, widthOf, wrap } from "../output/text.ts";
import type { CommandNode } from "./command.ts";
import { type Section, sections } from "./command.ts";
import { type Flag, type FlagTable, hasManyChoices, offeredValues, spelling } from "./flag.ts";
import { credentialFlags, globalFlags } from "./shared-flags.ts";
import { takesTarget, targetUsage } from "./target-words.ts";
import { namesOf, ownFlags } from "./tree.ts";

/** Wider lines are hard to read, however wide the screen. */
const widest = 100;

export function renderHelp(node: CommandNode, width: number): Text {
  const room = Math.min(width, widest);
  const { declaration } = node;
  const lists = [
    ...subcommands(node),
    argumentsOf(node),
    flagList("Flags", ownFlags(node)),
    flagList("Credential flags", node.hosted ? credentialFlags : {}),
    ...(node.path.length === 0 ? [flagList("Global flags", globalFlags)] : []),
  ].filter(({ entries }) => entries.length > 0);
  return lines([
    style.bold(declaration.summary),
    "",
    text`${style.bold("Usage")}  ${usageOf(node)}`,
    ...(declaration.description ?? []).flatMap((paragraph) => ["", ...wrap(paragraph, room)]),
    ...renderLists(lists, room),
    ...(node.path.length > 0 ? globalFlagsInBrief(room) : []),
    ...examples(node, room),
    ...(node.children.length > 0
      ? ["", style.dim(`More: ${["fettle", ...node.path].join(" ")} <command> --help`)]
      : []),
  ]);
}

/** `fettle cloud link [project] [flags]` */
export function usageOf(node: CommandNode): string {
  const { declaration } = node;
  const operands =
    declaration.kind === "group"
      ? ["<command>"]
      : [
          ...(node.children.length > 0 ? ["[command]"] : []),
          ...Object.entries(declaration.arguments).map(([name, { required, repeats }]) => {
            const word = repeats ? `${name}...` : name;
            return required ? `<${word}>` : `[${word}]`;
          }),
          ...(takesTarget(declaration) ? [targetUsage(declaration)] : []),
        ];
  // What follows two dashes is no flag of ours.
  const isLast = operands.some((operand) => operand.includes("-- "));
  return ["fettle", ...node.path, ...(isLast ? ["[flags]", ...operands] : [...operands, "[flags]"])].join(
    " ",
  );
}

type Entry = readonly [term: string, meaning: string];

interface List {
  title: string;
  entries: Entry[];
}

function subcommands(node: CommandNode): List[] {
  const entry = (child: CommandNode): Entry => [namesOf(child).join(", "), child.declaration.summary];
  if (node.path.length > 0) return [{ title: "Commands", entries: node.children.map(entry) }];
  // The keys of a literal object are its own type.
  return (Object.keys(sections) as Section[]).map((section) => ({
    title: sections[section],
    entries: node.children.filter((child) => child.declaration.section === section).map(entry),
  }));
}

function argumentsOf({ declaration }: CommandNode): List {
  const table = declaration.kind === "group" ? {} : declaration.arguments;
  const entries = Object.entries(table).map(
    ([name, { help, choices }]): Entry => [name, choices ? `${help}: ${choices.join(", ")}` : help],
  );
  return { title: "Arguments", entries };
}

function flagList(title: string, table: FlagTable): List {
  const entries = Object.entries(table)
    .filter(([, flag]) => !flag.hidden)
    .map(([name, flag]): Entry => [spelling(name, flag), describeFlag(flag)]);
  return { title, entries };
}

/** Named only: the first help page says what they do, and a command's own flags should not drown. */
function globalFlagsInBrief(width: number): Writable[] {
  const named = Object.entries(globalFlags).map(([name, flag]) => spelling(name, flag));
  return [
    "",
    text`${style.bold("Global flags")} ${style.dim("(see fettle --help)")}`,
    ...wrap(named.join(" \u00b7 "), width - 2).map((line) => text`  ${style.cyan(line)}`),
  ];
}

/** Help with what else must be known: that it is required, may repeat, or what happens without it. */
export function describeFlag(flag: Flag): string {
  if (flag.kind === "boolean") return flag.help;
  const offered = offeredValues(flag);
  const notes = [
    ...(offered.length > 0 && (flag.kind !== "choice" || hasManyChoices(flag)) ? [offered.join(", ")] : []),
    ...(flag.required ? ["required"] : []),
    ...(flag.repeats ? ["may repeat"] : []),
    ...(flag.defaultNote ? [`default: ${flag.defaultNote}`] : []),
  ];
  return notes.length > 0 ? `${flag.help} (${notes.join("; ")})` : flag.help;
}

function examples(node: CommandNode, room: number): Writable[] {
  if (node.declaration.kind === "group" || node.declaration.examples.length === 0) return [];
  const shown = node.declaration.examples.flatMap(({ command, does }) => [
    text`  ${style.dim(`# ${does}`)}`,
    ...continued(command, room).map((line) => text`  ${style.cyan(line)}`),
  ]);
  return ["", style.bold("Examples"), ...shown];
}

/** A command over several lines as a shell takes it; what is quoted stays in one piece. */
function continued(command: string, room: number): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const broken: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    // Two in front, and a blank with the backslash behind.
    if (longer.length <= room - 4 || line === "") line = longer;
    else {
      broken.push(`${line} \\`);
      line = `  ${word}`;
    }
  }
  return [...broken, line];
}

/** Terms longer than this put their meaning on the next line, so that one long flag does not push all others aside. */
const longestTerm = 24;

/** One column for all lists of a page, so that the eye runs down a single edge. */
function renderLists(lists: readonly List[], width: number): Writable[] {
  const terms = lists.flatMap(({ entries }) => entries.map(([term]) => widthOf(term)));
  const column = Math.max(...terms.filter((term) => term <= longestTerm));
  return lists.flatMap(({ title, entries }) => [
    "",
    style.bold(title),
    ...entries.flatMap((entry) => renderEntry(entry, column, width)),
  ]);
}

function renderEntry([term, meaning]: Entry, column: number, width: number): Text[] {
  const [first = "", ...rest] = wrap(meaning, width - column - 4);
  const below = (line: string) => text`  ${" ".repeat(column)}  ${line}`;
  if (widthOf(term) > column) return [text`  ${style.cyan(term)}`, ...[first, ...rest].map(below)];
  return [text`  ${style.cyan(pad(term, column))}  ${first}`, ...rest.map(below)];
}
