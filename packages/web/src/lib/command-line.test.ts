import { expect, test } from "vitest";
import { commandLine } from "./command-line.ts";

test.each([
  [["fettle", "tools", "--url", "http://localhost:3000/mcp"], "fettle tools --url http://localhost:3000/mcp"],
  [["echo", "two words"], "echo 'two words'"],
  [["echo", "it's"], "echo 'it'\\''s'"],
  [["echo", ""], "echo ''"],
  [["echo", "$HOME"], "echo '$HOME'"],
])("%j is pasted as %s", (words, line) => {
  expect(commandLine(words)).toBe(line);
});
