/** @module Whole outputs of the real command, as a person at a shell gets them. */
import { expect, test } from "vitest";
import { execFettle } from "../testing/process.ts";
import { temporaryFolder } from "../testing/world.ts";

const cases: readonly (readonly string[])[] = [
  [],
  ["--version"],
  ["cloud"],
  ["cloud", "link", "--help"],
  ["cloud", "status", "--format", "human"],
  ["cloud", "--api-key", "nope", "status", "--api-url", "nope"],
  ["cloud", "whoami", "--format", "human"],
  ["cloud", "projects", "lst"],
  ["telemetry", "status", "--format", "human"],
];

test.each(cases.map((argv) => [argv]))("fettle %j", async (argv) => {
  const cwd = await temporaryFolder();
  const done = await execFettle(argv, { cwd });
  const text = `exit ${done.exitCode}\n--- stdout\n${done.stdout}--- stderr\n${done.stderr}`.replaceAll(
    cwd,
    "<home>",
  );
  expect(text).toMatchSnapshot();
});
