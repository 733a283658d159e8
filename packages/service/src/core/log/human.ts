/** @module A log line for eyes: time, level, message, then the fields that matter. */
import { styleText } from "node:util";
import type { Line } from "./log.ts";

const colours = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

export function humanLine({ time, level, message, fields }: Line): string {
  const word = styleText(colours[level], level.padEnd(5), { stream: process.stderr });
  const { error, ...rest } = fields;
  const pairs = Object.entries(rest).map(([name, value]) => `${name}=${asWord(value)}`);
  return [time.slice(11, 23), word, printable(message), ...pairs, ...stackOf(error)].join(" ");
}

function asWord(value: unknown): string {
  if (typeof value === "string" && /^[\w./:@+-]+$/.test(value)) return value;
  return printable(JSON.stringify(value) ?? "");
}

function stackOf(error: unknown): string[] {
  if (error === undefined) return [];
  if (typeof error !== "object" || error === null || !("stack" in error)) return [`error=${asWord(error)}`];
  const lines = String(error.stack).split("\n").map(printable);
  return [`\n  ${[...lines, ...causesOf(error)].join("\n  ")}`];
}

/** Often where the reason stands: who failed was told less. */
function causesOf(error: object): string[] {
  const cause = "cause" in error ? error.cause : undefined;
  if (typeof cause !== "object" || cause === null || !("message" in cause)) return [];
  return [`caused by: ${printable(String(cause.message))}`, ...causesOf(cause)];
}

/** Text from outside must not move the cursor, colour the screen or turn the reading direction. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
