/** @module A command is data plus a handler loaded when it is called: help, completion, reference and parsing all read this. */
import type { ApiClient } from "@fettle/contract/client";
import type { ExitCode } from "@fettle/contract/core";
import type { Input } from "../input/input.ts";
import type { Outcome, Printer } from "../output/printer.ts";
import type { World } from "../world.ts";
import type { FlagTable, FlagValues } from "./flag.ts";
import type { credentialFlags, globalFlags } from "./shared-flags.ts";

export const sections = {
  local: "Local MCP testing",
  cloud: "Fettle Cloud",
  cli: "CLI",
} as const;
export type Section = keyof typeof sections;

interface Argument {
  help: string;
  required?: true;
  /** Takes all that follow; only the last argument may. */
  repeats?: true;
  choices?: readonly string[];
}

/** By name, in order. */
export type ArgumentTable = Readonly<Record<string, Argument>>;

type WordOf<A extends Argument> = A extends { choices: readonly (infer Choice)[] } ? Choice : string;

type ArgumentValue<A extends Argument> = A extends { repeats: true }
  ? WordOf<A>[]
  : A extends { required: true }
    ? WordOf<A>
    : WordOf<A> | undefined;

/** Of a command that takes no arguments. */
export type NoArguments = Record<never, never>;

type ArgumentValues<T extends ArgumentTable> = { [Name in keyof T]: ArgumentValue<T[Name]> };

/** A command that is named to the person, whole. */
export interface Advised {
  /** To be pasted. */
  line: string;
  /** What to do before, where something was not printed. */
  before?: string;
}

/** One invocation, parsed: what a command's `run` is given. */
export interface Call<F extends FlagTable = FlagTable, A extends ArgumentTable = ArgumentTable> {
  flags: FlagValues<F>;
  arguments: ArgumentValues<A>;
  global: FlagValues<typeof globalFlags>;
  /** Empty for a command that is not hosted. */
  credentials: FlagValues<typeof credentialFlags>;
  print: Printer;
  input: Input;
  world: World;
  /** Completes a command that the result itself names, as the printed advice is. */
  advise(line: string): Advised;
  /** Every command there is, and a run of another one: for the commands about the command line. */
  tree: CommandNode;
  runOther(argv: readonly string[], world: World): Promise<ExitCode>;
}

interface Example {
  command: string;
  does: string;
}

interface Described {
  /** The words that call it: `cloud projects list`. */
  name: string;
  section: Section;
  /** One line, no full stop. */
  summary: string;
  /** Paragraphs below the summary. */
  description?: readonly string[];
  /** Other spellings of the last word. */
  aliases?: readonly string[];
  /** Talks to a deployment: credential flags are accepted here and below. */
  hosted?: true;
}

export interface Group extends Described {
  kind: "group";
}

export interface Command extends Described {
  kind: "command";
  arguments: ArgumentTable;
  flags: FlagTable;
  examples: readonly Example[];
  /** What it does at a deployment: the operations that name it as their command. */
  operations?: readonly (keyof ApiClient)[];
  load(): Promise<{ run: Run }>;
}

/** A declared command or group, with those below it. */
export interface CommandNode {
  declaration: Group | Command;
  /** The last word; empty at the root. */
  word: string;
  /** All words that call it, after `fettle`. */
  path: readonly string[];
  children: CommandNode[];
  /** This node or one above it talks to a deployment. */
  hosted: boolean;
}

/** A command that keeps running prints by itself and returns nothing. */
type Run = (call: never) => Promise<Outcome | undefined>;

export function group(declaration: Omit<Group, "kind">): Group {
  return { kind: "group", ...declaration };
}

/**
 * Declares a command; its handler must accept exactly the flags and arguments declared.
 *
 * @example
 * export const link = command({
 *   name: "cloud link", section: "cloud", summary: "Pin this folder to a project",
 *   arguments: { project: { help: "Id or name" } }, flags: linkFlags,
 *   examples: [{ command: "fettle cloud link Alpha", does: "Link to the project Alpha" }],
 *   load: () => import("./link.ts"),
 * });
 */
export function command<F extends FlagTable, const A extends ArgumentTable>(
  declaration: Omit<Command, "kind" | "flags" | "arguments" | "load"> & {
    flags: F;
    arguments: A;
    load(): Promise<{ run(call: Call<F, A>): Promise<Outcome | undefined> }>;
  },
): Command {
  return { kind: "command", ...declaration };
}
