import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each([
  ["search", "search"],
  ["https://x.test/mcp", "https://x.test/mcp"],
  ["https://x.test/mcp?a=1&b=2", "'https://x.test/mcp?a=1&b=2'"],
  ["it's; rm -rf ~", "'it'\\''s; rm -rf ~'"],
  ["", "''"],
  ["a\u001b]0;'\\b", "$'a\\U0000001b]0;\\'\\\\b'"],
])("%j is pasted as %s", (word, pasted) => {
  expect(shellWord(word)).toBe(pasted);
});

test("a shell reads back the very same text", () => {
  for (const word of ["$(id) `id` \\ \"q\" 'p'", "a\u001bb\nc", "b\u202ec\u{e0041}"]) {
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    expect(execFileSync("bash", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8", env })).toBe(
      word,
    );
  }
});
