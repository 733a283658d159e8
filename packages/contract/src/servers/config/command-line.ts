/** @module A command line as people paste it (`TOKEN=… npx -y @scope/server --flag`), taken apart as a shell would, and run by nobody. */
import { redactArgv } from "../../secrets/redact.ts";

export type CommandLine =
  | { ok: true; name: string; command: string; args: string[]; env: Record<string, string> }
  | { ok: false; reason: string };

/**
 * @example
 * readCommandLine("API_KEY=abc npx -y @acme/files /tmp"); // { ok: true, name: "files", command: "npx", args: […], env: { API_KEY: "abc" } }
 */
export function readCommandLine(text: string): CommandLine {
  const words = shellWordsOf(text.trim().replace(/^\$\s+/, ""));
  if (typeof words === "string") return { ok: false, reason: words };
  const env: Record<string, string> = {};
  let [first, ...rest] = words;
  while (first !== undefined) {
    const [, key, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(first) ?? [];
    if (key !== undefined) env[key] = value ?? "";
    // `env A=1 command` and `export A=1` say the same.
    else if (first !== "env" && first !== "export") break;
    [first, ...rest] = rest;
  }
  if (first === undefined) return { ok: false, reason: "It names no command to run." };
  return { ok: true, name: nameOf(first, rest), command: first, args: rest, env };
}

const operators = new Set(["|", "&", ";", "<", ">", "(", ")", "`"]);

/** The words, or why a shell would do more than start one command with them. */
function shellWordsOf(text: string): string[] | string {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === "'" || letter === '"') {
      const end = endOfQuote(text, at);
      if (end === -1) return "A quote is opened and not closed.";
      const inside = text.slice(at + 1, end);
      word = (word ?? "") + (letter === "'" ? inside : inside.replaceAll(/\\([\\"$`\n])/g, unescaped));
      at = end;
    } else if (letter === "\\") {
      at++;
      // A line that goes on, on Windows too.
      if (text[at] === "\r") at++;
      if (text[at] !== "\n") word = (word ?? "") + (text[at] ?? "");
    } else if (operators.has(letter) || text.startsWith("$(", at)) {
      return `A shell does more with “${letter}” than run one command. Leave out what stands around the command.`;
    } else word = (word ?? "") + letter;
  }
  return word === undefined ? words : [...words, word];
}

const unescaped = (_: string, letter: string) => (letter === "\n" ? "" : letter);

function endOfQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Words of programs that run others, which say nothing of the server. */
const runners =
  /^(npx|npm|pnpm|pnpx|yarn|bunx?|deno|node|tsx|uvx?|pipx|python\d?(\.\d+)?|docker|podman|run|exec|dlx|tool|start|x|java|dotnet|go|cargo|sh|bash|cmd|cmd\.exe)$/i;

/** What a person would call it: the package, script or image, without scope, version, folder and ending. Never a credential. */
function nameOf(command: string, args: readonly string[]): string {
  const words = [command, ...args];
  const shown = redactArgv(words);
  const plain = words
    .filter((word, at) => shown[at] === word && !word.startsWith("-") && !isValueOfFlag(words, at))
    .map(baseOf)
    .filter((word) => word !== "");
  return (plain.find((word) => !runners.test(word)) ?? plain[0] ?? "server").slice(0, longestName);
}

const longestName = 60;

/** `-e NAME` and the like; `-y` and `-m` stand alone, or before the very word that is wanted. */
function isValueOfFlag(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "";
  return /^(-e|--env|-v|--volume|-p|--publish|--name|--network|--mount|--env-file|-w|--cwd)$/.test(before);
}

function baseOf(word: string): string {
  return word
    .replace(/[?#].*$/, "")
    .replace(/(?<=.)@[^/@]*$/, "")
    .replace(/[\\/]+$/, "")
    .replace(/^.*[\\/]/, "")
    .replace(/:[^:]*$/, "")
    .replace(/\.(m?js|c?js|m?ts|py|jar|exe|dll)$/i, "")
    .replace(/[^\w. -]/g, "");
}
