import { startHostile } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { testWorld } from "../testing/world.ts";

/** Escape, bell, bidi override, zero-width space: what a terminal would act on or a reader would not see. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/;

test.each([
  ["server", "doctor"],
  ["server", "info"],
  ["tools", "list"],
  ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"x"}'],
])("what a hostile server says is made visible: %s %s", async (...argv) => {
  const hostile = await startHostile("hostile-text");
  onTestFinished(() => hostile.close());
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const human = await fettle(...argv, "--url", hostile.url, "--format", "human", "--rpc");
  expect(human.stdout + human.stderr).not.toMatch(dangerous);
  const json = await fettle(...argv, "--url", hostile.url, "--format", "json");
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain("\\u001b");
});
