/** @module Who writes where: the one result on stdout; errors, warnings, notes and progress on stderr. */
import type { ExitCode } from "@fettle/contract/core";
import { escapeHidden } from "@fettle/contract/formats";
import type { CliError } from "../cli-error.ts";
import type { Sink, World } from "../world.ts";
import { type Annotation, annotate } from "./annotation.ts";
import { wantsColour } from "./colour.ts";
import { errorEnvelope, errorText } from "./error.ts";
import type { Format } from "./format.ts";
import { render, style, type Text, text, truncate, type Writable } from "./text.ts";

/** What a command found: exact for machines, made for eyes for people. */
export interface Outcome {
  /** Printed as one compact JSON document, with hidden characters escaped: exact, and harmless on a terminal. */
  value: unknown;
  human(view: View): Text;
  /** The next command a person may want; on stderr, so that stdout stays the result alone. */
  hint?: Writable | undefined;
  /** Printed already, as a report: only the exit code is left to say. */
  silent?: boolean;
  /** The value is a document of its own kind, to which nothing is added. */
  exact?: boolean;
  exitCode?: ExitCode;
  /** The server is still leaving: the result need not wait for it, the command's end does. */
  leaving?: Promise<void>;
}

/** The screen a human rendering is made for. Not a terminal: as wide as the content. */
export interface View {
  width: number;
}

export interface Printer {
  readonly format: Format;
  readonly quiet: boolean;
  result(outcome: Outcome): void;
  /** Something that is a text in every format, such as help. */
  page(make: (width: number) => Text): void;
  /** Something that is exact in every format, such as a script or a report. What a terminal would act on is spelled `\uXXXX`. */
  document(content: string): void;
  /** One line of context, such as who is asking whom. */
  note(line: Writable): void;
  warn(line: Writable): void;
  /** What the person has to do for the command to go on; not silenced. */
  prompt(line: Writable): void;
  error(error: CliError): void;
  /** Marks on the commit, where this runs in a workflow that shows them. */
  annotate(found: readonly Annotation[]): void;
  /** Says what is being waited for; on a terminal the line replaces itself. Call the returned function when done. */
  progress(line: Writable): () => void;
}

export function createPrinter(world: World, options: { format: Format; quiet: boolean }): Printer {
  const { format, quiet } = options;
  const out = writer(world.stdout, world.env);
  const err = writer(world.stderr, world.env);
  const note = (line: Writable) => {
    if (!quiet) err.line(line);
  };
  return {
    format,
    quiet,
    result({ value, human, hint, silent }) {
      if (silent) return;
      if (format === "json") {
        world.stdout.write(escapeHidden(`${JSON.stringify(value)}\n`));
        return;
      }
      out.line(human({ width: out.width }));
      if (hint !== undefined) note(text`\n${style.dim("Next:")} ${hint}`);
    },
    page: (make) => out.line(make(world.stdout.columns ?? 80)),
    document: (content) => world.stdout.write(escapeHidden(content)),
    note: (line) => note(style.dim(line)),
    warn: (line) => note(text`${style.yellow("!")} ${line}`),
    prompt: (line) => err.line(line),
    annotate: (found) => annotate(world, found),
    error(error) {
      if (format === "json") world.stderr.write(escapeHidden(`${JSON.stringify(errorEnvelope(error))}\n`));
      else err.line(errorText(error));
    },
    progress(line) {
      if (quiet) return () => {};
      if (!world.stderr.isTTY) {
        err.line(line);
        return () => {};
      }
      world.stderr.write(err.rendered(truncate(style.dim(line), err.width - 1)));
      return () => world.stderr.write("\r\u001b[2K");
    },
  };
}

function writer(sink: Sink, env: NodeJS.ProcessEnv) {
  const colour = wantsColour({ isTerminal: sink.isTTY === true, env });
  const rendered = (value: Writable) => render(value, { colour });
  return {
    width: sink.isTTY ? (sink.columns ?? 80) : Number.POSITIVE_INFINITY,
    rendered,
    line: (value: Writable) => sink.write(`${rendered(value)}\n`),
  };
}
