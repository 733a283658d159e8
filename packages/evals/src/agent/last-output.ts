/** @module What a process said before it was gone: its last lines, bounded, and without what must not be told. Pure. */
import { redactText } from "@fettle/contract/secrets";
import type { FailureCause } from "@fettle/mcp";

const mostLines = 5;
const longestWords = 600;

/** As a sentence; undefined when nothing is known. `hide` takes out the values that the server was given. */
export function lastOutputLines(
  { evidence }: Pick<FailureCause, "evidence">,
  hide: (text: string) => string,
): string | undefined {
  // Hidden before anything is cut: half a secret is not recognised any more.
  const lines = redactText(hide(evidence.stderr ?? "")).split("\n");
  const said = lines
    .slice(lines.findLastIndex(isMark) + 1)
    .filter((line) => line.trim() !== "" && !isFrame(line));
  const words = said.slice(-mostLines).join("\n").trim().slice(-longestWords).toWellFormed();
  return words === "" ? undefined : `It said: ${words}`;
}

/** Under the place in the code that Node quotes; what happened there comes after it. */
const isMark = (line: string) => /^\s*\^+\s*$/.test(line);

/** Of a stack trace the line above its frames tells what happened; Node ends with its own version. */
function isFrame(line: string): boolean {
  return /^\s+at |^Node\.js v\d/.test(line);
}
