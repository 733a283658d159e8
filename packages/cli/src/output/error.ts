/** @module How a failure is said: an exact envelope for machines, a sentence with what to do next for people. */
import { redact, redactText } from "@fettle/contract/secrets";
import type { CliError } from "../cli-error.ts";

import { block, lines, style, type Text, text } from "./text.ts";

export interface ErrorEnvelope {
  error: {
    code: string;
    message: string;
    details?: unknown;
    hint?: string;
    choices?: readonly string[];
    moreChoices?: number;
    nextCommand?: string;
  };
}

export function errorEnvelope(error: CliError): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: shortened(redactText(error.message)),
      ...(error.details !== undefined && { details: redact(error.details) }),
      ...(error.hint !== undefined && { hint: shortened(redactText(error.hint)) }),
      ...(error.choices && { choices: error.choices.map(redactText) }),
      ...(error.moreChoices !== undefined && { moreChoices: error.moreChoices }),
      ...(error.nextCommand !== undefined && { nextCommand: redactText(error.nextCommand) }),
    },
  };
}

export function errorText(error: CliError): Text {
  const { code, message, details, hint, nextCommand, choices, moreChoices } = errorEnvelope(error).error;
  const [first = "", ...rest] = message.split("\n");
  return lines([
    text`${style.red("✗")} ${block(first)} ${style.dim(`(${code})`)}`,
    ...rest.map((line) => block(line)),
    ...detailLines(details, code, hint !== undefined),
    ...choiceLines(`${message} ${hint}`, choices, moreChoices),
    ...adviceLines(message, hint, nextCommand),
  ]);
}

/** A line longer than this holds something that was pasted by mistake. */
const longestLine = 2_000;

function shortened(message: string): string {
  return message
    .split("\n")
    .map((line) =>
      line.length > longestLine
        ? `${line.slice(0, longestLine)}… (${line.length - longestLine} characters more)`
        : line,
    )
    .join("\n");
}

/** What could have been meant, where no sentence says so. */
function choiceLines(said: string, choices: readonly string[] = [], more = 0): Text[] {
  const isTold = /Did you mean/.test(said) || choices.every((choice) => said.includes(choice));
  if (isTold) return [];
  return [text`  ${style.dim("one of:")} ${choices.join(", ")}${more > 0 ? `, and ${more} more` : ""}`];
}

/** The hint, with the command behind it where no sentence names it. */
function adviceLines(message: string, hint: string | undefined, command: string | undefined): Text[] {
  const isNamed = command === undefined || `${message} ${hint}`.includes(command);
  const arrow = (advice: string) => text`  ${style.dim("→")} ${advice}`;
  if (isNamed || hint === undefined) return [hint ?? command ?? []].flat().map(arrow);
  return /[.?!]$/.test(hint) ? [arrow(hint), arrow(command)] : [arrow(`${hint}: ${command}`)];
}

/** The plain facts of `details`, one to a line; what is nested deeper is for machines. */
function detailLines(details: unknown, code: string, hasHint: boolean): Text[] {
  if (details === null || typeof details !== "object") return [];
  return Object.entries(details).flatMap(([key, value]) => {
    // For scripts: people see the list it counts, and the code on the first line.
    if (key === "choiceCount" || value === code) return [];
    // The advice below says it, with its commands as they are called here.
    if (key === "hint" && hasHint) return [];
    const shown = [value].flat().filter(isPlain).join(", ");
    return shown ? [text`  ${style.dim(`${key}:`)} ${shown}`] : [];
  });
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
