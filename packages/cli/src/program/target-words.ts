/** @module A server named without flags: a bare address, or `--` and the command that starts it, on every command that takes one. */
import { usageError } from "../cli-error.ts";
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
 * readTarget(command, ["node", "server.js"], { hasDashes: true, typed: {} }); // { command: "node", args: ["server.js"] }
 */
export function readTarget(
  command: Command,
  words: readonly string[],
  { hasDashes, typed }: { hasDashes: boolean; typed: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const [first, ...rest] = words;
  if (first === undefined) return {};
  const help = `See \`fettle ${command.name} --help\`.`;
  if (typed.url !== undefined || typed.command !== undefined) {
    throw usageError(`The server is named twice: by "${first}" and by a flag.`, { hint: help });
  }
  if (rest.length === 0 && isAddress(first)) return { url: first };
  if (!("command" in command.flags)) {
    throw usageError(`"${first}" is not an http address, and this command takes only one.`, { hint: help });
  }
  if (!hasDashes) {
    throw usageError(`"${words.join(" ")}" is not an http address.`, {
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
