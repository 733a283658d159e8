/** @module Flags as a typed table: name to kind, placeholder and help. A flag without help text does not compile. */

interface Described {
  /** One line for help, completion and the reference. */
  help: string;
  /** A one-letter form, without the dash. */
  short?: string;
  /** Still accepted, no longer shown. */
  hidden?: true;
}

interface BooleanFlag extends Described {
  kind: "boolean";
}

interface Valued extends Described {
  /** What stands for the value in help: `ms`, `path`, `id-or-name`. */
  value: string;
  required?: true;
  /** May be typed several times; the values are kept in order. */
  repeats?: true;
  /** Takes several values at once, up to the next flag; a value that begins with a dash is written `--flag=value`. */
  variadic?: true;
  /** Said in help where no value was typed. The command applies it, so that "not typed" stays knowable. */
  defaultNote?: string;
}

interface TextFlag extends Valued {
  kind: "text";
  /** Blank text is refused while parsing, unless the command has its own way to say so. */
  mayBeBlank?: true;
  /** In characters as JavaScript counts them, like the schemas. */
  maxLength?: number;
  /** Offered in help and completion; the command knows whether there are others. */
  known?: readonly string[];
}

export interface IntegerFlag extends Valued {
  kind: "integer";
  min: number;
  max?: number;
}

/** Whole or not. */
export interface NumberFlag extends Valued {
  kind: "number";
  min?: number;
  max?: number;
}

export interface ChoiceFlag extends Valued {
  kind: "choice";
  choices: readonly string[];
  /** Said instead of the list of choices when the value is one of these. */
  mistakes?: Readonly<Record<string, string>>;
}

export type Flag = BooleanFlag | TextFlag | IntegerFlag | NumberFlag | ChoiceFlag;

/** The values to name to somebody who knows none. */
export function offeredValues(flag: Flag): readonly string[] {
  if (flag.kind === "choice") return flag.choices;
  return (flag.kind === "text" && flag.known) || [];
}

/** By kebab-case name, without the dashes. `no-telemetry` is a flag of its own, true when typed. */
export type FlagTable = Readonly<Record<string, Flag>>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<F extends Flag> = F extends BooleanFlag
  ? boolean
  : F extends ChoiceFlag
    ? F["choices"][number]
    : F extends IntegerFlag | NumberFlag
      ? number
      : string;

type OptionalValue<F extends Flag> = F extends { repeats: true }
  ? ValueOf<F>[]
  : F extends BooleanFlag | { required: true }
    ? ValueOf<F>
    : ValueOf<F> | undefined;

/** What a table parses to: `api-key` becomes `apiKey`. */
export type FlagValues<T extends FlagTable> = {
  [Name in keyof T & string as CamelCase<Name>]: OptionalValue<T[Name]>;
};

/** Keeps the literal types of a table, so that its values are typed. */
export function flags<const T extends FlagTable>(table: T): T {
  return table;
}

export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** How a flag is written: `-v, --version`, `--timeout <ms>`. */
export function spelling(name: string, flag: Flag): string {
  const isListed = flag.kind === "choice" && !hasManyChoices(flag);
  const value =
    flag.kind === "boolean"
      ? ""
      : ` <${isListed ? flag.choices.join("|") : flag.value}${flag.variadic ? "..." : ""}>`;
  return `${flag.short ? `-${flag.short}, ` : ""}--${name}${value}`;
}

/** Too many to stand beside the flag; its help names them then. */
export function hasManyChoices(flag: ChoiceFlag): boolean {
  return flag.choices.join("|").length > 59;
}
