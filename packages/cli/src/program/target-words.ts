/** @module A server named without flags: a bare address, or `--` and the command that starts it, on every command that takes one. */
import { usageError } from "../cli-error.ts";
import { inQuotes } from "../output/in-quotes.ts";
import type { Command } from "./command.ts";

/** Of a command that has a flag for the server and no arguments of its own. */
export function takesTarget({ section, flags, arguments: own }: Command): boolean {
  return section === "local" && "url" in flags && Object.keys(own).length === 0;
}

/** How it stands in the usage line. */
export function targetUsage({ flags }: Command): string {
  return "command" in flags ? "[url | -- command args...]" : "[url]";
}

/**
 * The same as the flags would say: `{url}`, or `{command, args}`.
 *
 * @example
 * readTarget(command, ["node", "server.js"], { behindDashes: 2, typed: {} }); // { command: "node", args: ["server.js"] }
 */
export function readTarget(
  command: Command,
  words: readonly string[],
  { behindDashes, typed }: { behindDashes: number; typed: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const [first, ...rest] = words;
  if (first === undefined) return {};
  const help = `See \`fettle ${command.name} --help\`.`;
  if (typed.url !== undefined || typed.command !== undefined) {
    throw usageError(`The server is named twice: by ${inQuotes(first)} and by a flag.`, { hint: help });
  }
  const before = words.slice(0, Math.max(0, words.length - behindDashes));
  if (before.length > 0 && behindDashes > 0) {
    throw usageError(
      `The server is named twice: by ${inQuotes(before.join(" "))} and by what stands behind --.`,
      {
        hint: help,
      },
    );
  }
  if (rest.length > 0 && before.length > 0 && isAddress(first)) {
    throw usageError(`Too many arguments: ${inQuotes(rest.join(" "))} follows the server's address.`, {
      hint: help,
    });
  }
  if (rest.length === 0 && isAddress(first)) return { url: first };
  const meant = rest.length === 0 && before.length > 0 ? withScheme(first) : undefined;
  if (meant !== undefined) {
    throw usageError(`${inQuotes(first)} is not an http address: it has no scheme.`, {
      choices: [meant],
      hint: `Did you mean ${meant}?`,
    });
  }
  if (!("command" in command.flags)) {
    throw usageError(`${inQuotes(first)} is not an http address, and this command takes only one.`, {
      hint: help,
    });
  }
  if (before.length > 0) {
    throw usageError(`${inQuotes(words.join(" "))} is not an http address.`, {
      hint: "A server that is started by a command stands behind --, for example -- node server.js.",
    });
  }
  if (Array.isArray(typed.args) && typed.args.length > 0) {
    throw usageError("--args goes with --command; behind -- the arguments follow the command.", {
      hint: help,
    });
  }
  return { command: first, args: rest };
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word) && URL.canParse(word);
}

/** Of a word that is an address but for its scheme: a name or number with a port, or with dots and a path. Nothing on this machine has a certificate. */
function withScheme(word: string): string | undefined {
  const host = word.match(
    /^(localhost|\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:[/?]|$)/i,
  )?.[1];
  const isFile = host === word && host !== "localhost";
  if (host === undefined || isFile || !URL.canParse(`http://${word}`)) return undefined;
  return `${/^(localhost|\[|[\d.]+$)/i.test(host) ? "http" : "https"}://${word}`;
}
