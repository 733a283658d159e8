import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hiddenSpans } from "@fettle/contract/formats";
import { startHostile } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorld } from "../testing/world.ts";

let server: Awaited<ReturnType<typeof startHostile>>;
beforeAll(async () => {
  server = await startHostile("hostile-text");
});
afterAll(() => server.close());

const hiddenIn = (written: string) =>
  hiddenSpans(written.replaceAll("\n", "")).filter(({ kind }) => kind === "hidden");

test.each([
  ["JSON", ["tools", "list"]],
  ["JSON of a result", ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"\u009b2J\u202e"}']],
  [
    "a summary",
    ["tools", "call", "--tool-name", "echo", "--validate-response", "--reporter", "json-summary"],
  ],
  ["JUnit", ["tools", "call", "--tool-name", "echo", "--expect-success", "--reporter", "junit-xml"]],
  ["an error", ["tools", "call", "--tool-name", "no\u009b\u202e\u200bsuch"]],
  ["an error for eyes", ["tools", "call", "--tool-name", "no\u009b\u202e\u200bsuch", "--format", "human"]],
  ["a list for eyes", ["tools", "list", "--format", "human"]],
])("%s reaches a terminal without a character that it would act on or hide", async (_what, argv) => {
  const { fettle } = await testWorld();
  const { stdout, stderr } = await fettle(...argv, "--url", server.url);
  expect(`${stdout}${stderr}`).not.toBe("");
  expect(hiddenIn(`${stdout}${stderr}`)).toEqual([]);
});

test("what a server wrote is read back from the JSON exactly as it was", async () => {
  const { fettle } = await testWorld();
  const { stdout } = await fettle("tools", "list", "--url", server.url);
  const { tools } = JSON.parse(stdout) as { tools: { name: string; description: string }[] };
  expect(tools.some(({ description }) => hiddenIn(description).length > 0)).toBe(true);
});

test("so is the file of --debug-out", async () => {
  const { fettle, cwd } = await testWorld();
  const call = ["tools", "call", "--tool-name", "echo", "--url", server.url];
  await fettle(...call, "--debug-out", "debug.json");
  const written = await readFile(join(cwd, "debug.json"), "utf8");
  expect(written).toContain("\\u202e");
  expect(hiddenIn(written)).toEqual([]);
});
