/**
 * @module A command that calls one operation of the API and shows its answer, declared as data. What a flag takes is the
 * contract's; here stand the words, how a thing is found by name, and how the answer looks. The calling is loaded when needed.
 */
import { type ApiClient, operationFields } from "@fettle/contract/client";
import type { ExitCode } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { Text, Writable } from "../output/text.ts";
import {
  type ArgumentTable,
  type Call,
  type Command,
  command,
  type NoArguments,
} from "../program/command.ts";
import { camelCase, type Flag, type FlagTable, flags } from "../program/flag.ts";
import { documentFlags, namedProjectFlags, platformFlags } from "../program/shared-flags.ts";
import type { Noun } from "./finders.ts";

export type OperationId = keyof typeof operationFields & keyof ApiClient;
type FieldOf<Id extends OperationId> = keyof (typeof operationFields)[Id] & string;
type ParameterOf<Id extends OperationId> = Exclude<
  keyof NonNullable<Parameters<ApiClient[Id]>[0]> & string,
  "projectId" | "query" | "body"
>;
type AnswerOf<Id extends OperationId> = Awaited<ReturnType<ApiClient[Id]>>;
/** Of whichever operation: here all are alike. */
export type AnyAnswer = AnswerOf<OperationId>;
type ItemOf<Answer> = Answer extends { items: readonly (infer Item)[] } ? Item : never;

interface Said {
  help: string;
  /** What stands for the value in help; the flag's own name unless said. */
  value?: string;
  /** The value is an id or a name of one of these, and the id is sent. */
  find?: Noun;
  /** Stands by itself, without the flag's name. */
  isArgument?: true;
}

/** Fills this field of the query or body; of which kind and within which bounds, the contract says. */
interface FieldFlag<Field extends string = string> extends Said {
  field: Field;
  /** A list typed in one piece, with commas; else its values stand side by side. */
  commas?: true;
}

/** Says which thing in the path is meant. */
interface ParameterFlag<Parameter extends string = string> extends Said {
  parameter: Parameter;
  /** Still accepted in its place, no longer shown. */
  oldSpelling?: string;
  /** The API takes a name too; what it does not know is looked for among these, to name the near ones. */
  foundByApi?: Noun;
}

/** Sends null for this field. */
interface ClearFlag<Field extends string = string> {
  clears: Field;
  help: string;
}

type OperationFlag<Id extends OperationId> =
  | Flag
  | FieldFlag<FieldOf<Id>>
  | ParameterFlag<ParameterOf<Id>>
  | ClearFlag<FieldOf<Id>>;

/** With the flags that no field or parameter explains. */
type OwnCall<F> = {
  [Name in keyof F as F[Name] extends Flag ? Name : never]: F[Name];
} extends infer Own extends FlagTable
  ? Call<Own, NoArguments>
  : never;

export type Fields = Record<string, unknown>;

/** What was done, and what it was done to, besides the answer. */
export interface Surroundings {
  /** Where it was done; absent outside any project. */
  project?: { id: string; name: string; organizationId: string };
  /** What was found by its name. */
  subject?: { id?: string; name: string };
}

type TextOrNumber<Item> = { [K in keyof Item]: Item[K] extends string | number ? K : never }[keyof Item];

/** By header: a field of each item as it is, or what is made of it. Names stand out, numbers stand right. */
type Table<Item> = Readonly<Record<string, TextOrNumber<Item> | ((item: Item) => Writable)>>;

type Shows<Answer> =
  /** Every list of a project also says which project, and which others there are. */
  | { noun: string; table: Table<ItemOf<Answer>>; shrinks: readonly string[]; namesProject?: true }
  /** "✓ Created Shop (proj_1)", of the answer or, once it is gone, of what was found. */
  | { done: string; and?: string }
  | { text(answer: Answer, around: Surroundings): Text }
  /** Where making the text takes more than a line. */
  | { load(): Promise<(answer: Answer) => Text> }
  | "outline";

export interface OperationCommand<Id extends OperationId = OperationId, F = Record<string, AnyFlag>> {
  operation: Id;
  name: string;
  summary: string;
  description?: readonly string[];
  aliases?: readonly string[];
  /** What it does, to the words that do it. */
  examples: Readonly<Record<string, string>>;
  /** In the order of help; `--file`, `--json` and `--project` come by themselves. */
  flags?: F;
  /** Stands outside `cloud`, and takes the credential flags itself. */
  atRoot?: true;
  /** Outside any project: whom or what is asked for, said before the first request. */
  asks?: string | ((flags: Fields) => string);
  /** A write goes only to a project that was named, never to the newest. */
  needsNamedProject?: true;
  /** `--file` or `--json` holds this field, or the whole body, over which flags win. */
  document?: FieldOf<Id> | "config" | "parameters" | "whole body";
  /** What is lost by it: asked about on a terminal, unless `--yes` says that it is meant. */
  wipes?: string;
  /** Changes only what is said, and something must be. */
  changes?: true;
  /** Takes `--idempotency-key`, so that a script that is run again makes nothing twice. */
  takesKey?: true;
  /** By where it stands deeper in the body: what is an id or a name of one of these there, and the id is sent. */
  findsDeep?: Readonly<Record<string, Noun>>;
  /** Refuses what cannot be meant, and says what no single flag does; before any request. */
  body?(call: OwnCall<F>, fields: Fields): Fields | Promise<Fields>;
  /** What else the printed value holds. */
  value?(answer: AnswerOf<Id>, around: Surroundings): unknown;
  shows: Shows<AnswerOf<Id>>;
  /** What a person should know although it went well. */
  warns?(answer: AnswerOf<Id>): string | undefined;
  /** Whether a script may go on; 0 unless said. */
  exitCode?(answer: AnswerOf<Id>, flags: Fields): ExitCode;
  /** The next command a person may want. */
  next?(answer: AnswerOf<Id>): string | undefined;
}

/**
 * @example
 * operationCommand({
 *   operation: "duplicateClient", name: "cloud clients duplicate", summary: "Copy a client",
 *   flags: { client: { parameter: "client", value: "id-or-name", help: "The client" }, name: { field: "name", help: "Of the copy" } },
 *   examples: { Copy: "fettle cloud clients duplicate --client Claude" },
 *   shows: { done: "Created" },
 * });
 */
export function operationCommand<
  const Id extends OperationId,
  const F extends Record<string, OperationFlag<Id>> = Record<never, never>,
>(declaration: OperationCommand<Id, F>): Command {
  const { name, summary, description, aliases, examples, operation, atRoot } = declaration;
  // What runs it reads answers and flags by the contract's tables, not by this one operation's types.
  const erased = declaration as OperationCommand;
  return command({
    name,
    ...(atRoot ? ({ section: "local", hosted: true } as const) : ({ section: "cloud" } as const)),
    operations: [operation],
    summary,
    ...(description && { description }),
    ...(aliases && { aliases }),
    arguments: argumentsOf(erased),
    flags: flagsOf(erased),
    examples: Object.entries(examples).map(([does, command]) => ({ command, does })),
    load: async () => {
      const { callOperation } = await import("./call-operation.ts");
      // An argument is read as the flag it stands for.
      const run = (call: Call<FlagTable, ArgumentTable>) =>
        callOperation(erased, { ...call, flags: { ...call.flags, ...call.arguments }, arguments: {} });
      return { run };
    },
  });
}

const isArgument = ([, flag]: [string, AnyFlag]) => "isArgument" in flag && flag.isArgument === true;

function argumentsOf(declaration: OperationCommand): ArgumentTable {
  const own = declaredFlags(declaration).filter(isArgument);
  return Object.fromEntries(
    own.map(([name, flag]) => [
      camelCase(name),
      { help: flag.help, ...("parameter" in flag && { required: true as const }) },
    ]),
  );
}

type AnyFlag = Flag | FieldFlag | ParameterFlag | ClearFlag;

/** A declaration's own flags, as the one who runs it reads them. */
export function declaredFlags({ flags = {} }: OperationCommand): [string, AnyFlag][] {
  return Object.entries(flags);
}

export type FieldRow = { required?: true; in?: "query" } & (
  | { kind: "text" | "list"; mayBeBlank?: true; maxLength?: number }
  | { kind: "integer"; min: number; max?: number }
  | { kind: "number"; min?: number; max?: number }
  | { kind: "boolean" }
  | { kind: "choice"; choices: readonly string[] }
);

/** The contract's word on each field of an operation. */
export function fieldRows(operation: OperationId): Record<string, FieldRow> {
  return operationFields[operation];
}

/** What it names is gone afterwards, so it is asked for twice. */
export function deletes({ operation }: Pick<OperationCommand, "operation">): boolean {
  return operation.startsWith("delete");
}

const keyFlag = flags({
  "idempotency-key": { kind: "text", value: "key", help: "The same key with the same words makes one thing" },
});

const confirmFlag = flags({
  yes: { kind: "boolean", help: "Do not ask; needed where nobody can be asked" },
});

const meantFlag = flags({
  yes: { kind: "boolean", help: "Do not ask" },
});

function flagsOf(declaration: OperationCommand): FlagTable {
  const declared = declaredFlags(declaration);
  const own = declared
    .filter((each) => !isArgument(each))
    .flatMap(([name, flag]) => expanded(name, flag, declaration));
  const saysProject = declaration.asks !== undefined || declared.some(([name]) => name === "project");
  return {
    ...Object.fromEntries(own),
    ...(deletes(declaration) && confirmFlag),
    ...(declaration.wipes !== undefined && meantFlag),
    ...(declaration.takesKey && keyFlag),
    ...(declaration.document && documentFlags),
    ...(!saysProject && (declaration.needsNamedProject ? namedProjectFlags : platformFlags)),
  };
}

function expanded(name: string, flag: AnyFlag, declaration: OperationCommand): [string, Flag][] {
  if ("clears" in flag) return [[name, { kind: "boolean", help: flag.help }]];
  if ("parameter" in flag) {
    const { help, oldSpelling, value = name } = flag;
    if (!oldSpelling) return [[name, { kind: "text", value, required: true, help }]];
    const old = { kind: "text", value, hidden: true, help: `The old spelling of --${name}` } as const;
    return [
      [name, { kind: "text", value, help }],
      [oldSpelling, old],
    ];
  }
  if (!("field" in flag)) return [[name, flag]];
  const row = must(fieldRows(declaration.operation)[flag.field], "a row for each field of an operation");
  const { help, value = name } = flag;
  if (row.kind === "boolean") return [[name, { kind: "boolean", help }]];
  // What a document may hold instead is asked for once both were read.
  const isRequired = row.required && (declaration.document !== "whole body" || isGuard(flag.field));
  const shared = { value, help, ...(isRequired && { required: true as const }) };
  switch (row.kind) {
    case "integer":
      return [[name, { ...shared, kind: "integer", min: row.min, ...(row.max && { max: row.max }) }]];
    case "number": {
      const { min, max } = row;
      const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
      return [[name, { ...shared, kind: "number", ...bounds }]];
    }
    case "choice":
      return [[name, { ...shared, kind: "choice", choices: row.choices }]];
    default: {
      const blank = row.mayBeBlank && { mayBeBlank: row.mayBeBlank };
      const many = row.kind === "list" && !flag.commas && ({ repeats: true, variadic: true } as const);
      const length = row.maxLength !== undefined && { maxLength: row.maxLength };
      return [[name, { ...shared, kind: "text", ...blank, ...length, ...many }]];
    }
  }
}

/** What the caller last read guards a change; it is none, and no document brings it. */
export function isGuard(field: string): boolean {
  return field.startsWith("expected");
}

/** The flag that fills a field. */
export function flagOfField(declaration: OperationCommand, field: string): string | undefined {
  return declaredFlags(declaration).find(([, flag]) => "field" in flag && flag.field === field)?.[0];
}

export function typed(flags: Fields, name: string): unknown {
  return flags[camelCase(name)];
}
