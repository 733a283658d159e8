/** @module How a failure is said: an exact envelope for machines, a sentence with what to do next for people. */
import { redact, redactText } from "@fettle/contract";
import type { CliError } from "../cli-error.ts";

import { block, lines, style, type Text, text } from "./text.ts";

export interface ErrorEnvelope {
  error: {
    code: string;
    message: string;
    details?: unknown;
    hint?: string;
    choices?: readonly string[];
    nextCommand?: string;
  };
}

export function errorEnvelope(error: CliError): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: redactText(error.message),
      ...(error.details !== undefined && { details: redact(error.details) }),
      ...(error.hint !== undefined && { hint: redactText(error.hint) }),
      ...(error.choices && { choices: error.choices.map(redactText) }),
      ...(error.nextCommand !== undefined && { nextCommand: redactText(error.nextCommand) }),
    },
  };
}

export function errorText(error: CliError): Text {
  const { code, message, details, hint, nextCommand } = errorEnvelope(error).error;
  const [first = "", ...rest] = message.split("\n");
  return lines([
    text`${style.red("✗")} ${block(first)} ${style.dim(`(${code})`)}`,
    ...rest.map((line) => block(line)),
    ...detailLines(details, code),
    ...adviceLines(message, hint, nextCommand),
  ]);
}

/** The hint, with the command behind it where no sentence names it. */
function adviceLines(message: string, hint: string | undefined, command: string | undefined): Text[] {
  const isNamed = command === undefined || `${message} ${hint}`.includes(command);
  const advice = isNamed ? hint : hint === undefined ? command : `${hint}: ${command}`;
  return advice === undefined ? [] : [text`  ${style.dim("→")} ${advice}`];
}

/** The plain facts of `details`, one to a line; what is nested deeper is for machines. */
function detailLines(details: unknown, code: string): Text[] {
  if (details === null || typeof details !== "object") return [];
  return Object.entries(details).flatMap(([key, value]) => {
    // For scripts: people see the list it counts, and the code on the first line.
    if (key === "choiceCount" || value === code) return [];
    const shown = [value].flat().filter(isPlain).join(", ");
    return shown ? [text`  ${style.dim(`${key}:`)} ${shown}`] : [];
  });
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
