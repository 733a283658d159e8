import { expect, test } from "vitest";
import { tree } from "./commands/index.ts";
import { walk } from "./program/tree.ts";
import { testWorld } from "./testing/world.ts";

test("without arguments, help goes to stdout and nothing has failed", async () => {
  const { fettle } = await testWorld();
  const { stdout, stderr, exitCode } = await fettle();
  expect(stdout).toContain("Usage  fettle <command> [flags]");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("help fits an 80-column terminal", async () => {
  const { fettle } = await testWorld({ terminal: 80, env: { NO_COLOR: "1" } });
  for (const { path } of walk(tree)) {
    const { stdout } = await fettle(...path, "--help");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  }
});

test("`help <command>` is the same as `<command> --help`", async () => {
  const { fettle } = await testWorld();
  expect(await fettle("help", "cloud", "status")).toEqual(await fettle("cloud", "status", "--help"));
  expect(await fettle("help", "nonsense")).toMatchObject({ stdout: "", exitCode: 2 });
});

const unknownOption =
  '{"error":{"code":"USAGE_ERROR","message":"Unknown option \'--nope\'.","hint":"See `fettle --help`.","nextCommand":"fettle --help"}}\n';

test.each([
  [["--format", "json", "--nope"], unknownOption],
  [["--nope", "--format=human"], "✗ Unknown option '--nope'. (USAGE_ERROR)\n  → See `fettle --help`.\n"],
  [["--nope"], unknownOption],
])("a usage error of %j comes in the format asked for, on stderr alone", async (argv, stderr) => {
  const { fettle } = await testWorld();
  expect(await fettle(...argv)).toEqual({ stdout: "", stderr, exitCode: 2 });
});

test("a failure in one call leaves the next one clean", async () => {
  const { fettle } = await testWorld();
  expect((await fettle("--nope")).exitCode).toBe(2);
  expect((await fettle("telemetry", "status")).exitCode).toBe(0);
});

test("colour is for terminals, and not when NO_COLOR is set", async () => {
  const esc = String.fromCodePoint(27);
  const onTerminal = await (await testWorld({ terminal: 80 })).fettle("--help");
  const piped = await (await testWorld()).fettle("--help");
  const plain = await (await testWorld({ terminal: 80, env: { NO_COLOR: "1" } })).fettle("--help");
  expect([onTerminal, piped, plain].map(({ stdout }) => stdout.includes(esc))).toEqual([true, false, false]);
});

test("the format is human on a terminal and json elsewhere", async () => {
  const piped = await (await testWorld()).fettle("telemetry", "status");
  expect(JSON.parse(piped.stdout)).toMatchObject({ success: true });
  const seen = await (await testWorld({ terminal: 80, env: { NO_COLOR: "1" } })).fettle(
    "telemetry",
    "status",
  );
  expect(seen.stdout).toMatch(/^Telemetry: +disabled$/m);
});
