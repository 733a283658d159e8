import { startHostile } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { testWorld } from "../testing/world.ts";

/** Escape, bell, bidi override, zero-width space: what a terminal would act on or a reader would not see. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/;

const commands = [
  ["server", "doctor"],
  ["server", "info"],
  ["tools", "list"],
  ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"x"}'],
];

test.each([
  ...commands,
  ["resources", "list"],
  ["resources", "templates"],
  ["resources", "read", "--resource-uri", "note://one"],
  ["prompts", "list"],
  ["prompts", "get", "--prompt-name", "greet"],
  ["server", "export"],
  ["tools", "cost"],
  ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"\\ud83d and \\u0000"}'],
  ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"refuse"}'],
  ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"fail"}'],
])("halves of characters and zero characters crash nothing: %s %s", async (...argv) => {
  const hostile = await startHostile("half-characters");
  onTestFinished(() => hostile.close());
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  for (const format of ["human", "json"]) {
    const { exitCode, stdout, stderr } = await fettle(...argv, "--url", hostile.url, "--format", format);
    expect([0, 1], stderr).toContain(exitCode);
    expect(stdout + stderr).not.toMatch(/INTERNAL_ERROR|URIError| {4}at /);
    if (format === "human") expect(stdout + stderr).not.toMatch(dangerous);
    else if (stdout) JSON.parse(stdout);
  }
});

test.each(commands)("what a hostile server says is made visible: %s %s", async (...argv) => {
  const hostile = await startHostile("hostile-text");
  onTestFinished(() => hostile.close());
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const human = await fettle(...argv, "--url", hostile.url, "--format", "human", "--rpc");
  expect(human.stdout + human.stderr).not.toMatch(dangerous);
  const json = await fettle(...argv, "--url", hostile.url, "--format", "json");
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain("\\u001b");
});
