/** @module Which format the output has: asked for, or `human` on a terminal and `json` anywhere else. */

export const formats = ["json", "human"] as const;
export type Format = (typeof formats)[number];

export function defaultFormat(stdoutIsTerminal: boolean): Format {
  return stdoutIsTerminal ? "human" : "json";
}

/**
 * The format for errors, read loosely from argv: a usage error happens before parsing is done, and should still come out in the
 * format asked for. Any value but `human` means json.
 */
export function scanFormat(argv: readonly string[]): Format | undefined {
  let found: Format | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === "--") break;
    if (word === "--format") found = argv[index + 1] === "human" ? "human" : "json";
    else if (word.startsWith("--format=")) found = word === "--format=human" ? "human" : "json";
  }
  return found;
}
