/** @module The command that brings a server on one's own machine into a project. */

import { shellWord } from "../../formats/shell-word.ts";
import { redactArgv } from "../../secrets/redact.ts";

export interface LocalServer {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

/** Values of variables stay out: they are often secrets, and the terminal has them already. Arguments that are credentials are variables too. */
export function tunnelCommand({ name, command, args, env, cwd }: LocalServer): string {
  const words = [command, ...args];
  return [
    "fettle cloud tunnel --server",
    shellWord(name),
    ...Object.keys(env).map((key) => `-e ${shellWord(key)}="$${key}"`),
    ...(cwd === undefined ? [] : ["--cwd", shellWord(cwd)]),
    "--",
    ...redactArgv(words).map((shown, at) =>
      shown === words[at] ? shellWord(shown) : `"$${variableFor(words[at - 1], at)}"`,
    ),
  ].join(" ");
}

/** Named by the flag before it; a masked word could not be pasted. */
function variableFor(before: string | undefined, at: number): string {
  const name = /^--?([a-z][\w-]*)$/i.exec(before ?? "")?.[1];
  return name === undefined ? `ARGUMENT_${at}` : name.toUpperCase().replaceAll("-", "_");
}

/** What to do about a tunnel nobody is connected to; without a name where only the address is known. */
export function tunnelDownHint(name?: string): string {
  const server = name === undefined ? "<name>" : shellWord(name);
  return `The tunnel is down; run \`fettle cloud tunnel --server ${server}\` beside the server.`;
}

/** What to do about a tunnel that is connected and says nothing. */
export const tunnelSilentHint =
  "The `fettle cloud tunnel` that holds it may be suspended (Ctrl-Z), or its machine asleep; let it go on, or run it again.";
