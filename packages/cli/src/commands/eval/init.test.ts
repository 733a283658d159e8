import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleCommand } from "@fettle/samples";
import { describe, expect, test } from "vitest";
import { everythingOverStdio } from "../../../../mcp/src/testing/everything-server.ts";
import { splitWords } from "../../output/split-words.ts";
import { quoted } from "../../testing/eval-suite.ts";
import { testWorld } from "../../testing/world.ts";

const bookshop = sampleCommand("bookshop");

describe("eval init", () => {
  test("ends with a command that can be pasted", async () => {
    const world = await testWorld({ terminal: 400, env: { NO_COLOR: "1" } });
    const flags = ["--command", bookshop.command, ...bookshop.args.map((word) => `--args=${word}`)];
    const made = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    const [, typed] = `${made.stdout}${made.stderr}`.match(/fettle (eval run .*)/)!;
    const ran = await world.fettle(...splitWords(typed!));
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining("passed")]);
  });

  test("a recording is no model that a suite can name", async () => {
    const world = await testWorld();
    const made = await world.fettle("eval", "init", "--url", "http://127.0.0.1:1/mcp", "--model", "replay/x");
    expect([made.exitCode, made.stderr]).toEqual([2, expect.stringContaining("--cassette replay")]);
  });

  test.each(["/proc/z.yaml", "/dev/null/z.yaml"])(
    "%s cannot be written, which is told and no verdict",
    async (out) => {
      const world = await testWorld();
      const flags = ["--command", bookshop.command, ...bookshop.args.map((word) => `--args=${word}`)];
      const { exitCode, stderr } = await world.fettle("eval", "init", ...flags, "--out", out);
      expect([exitCode, JSON.parse(stderr).error]).toEqual([
        3,
        expect.objectContaining({ code: "OPERATIONAL_ERROR", message: expect.stringContaining(out) }),
      ]);
    },
  );

  test.each([
    ["the bookshop", bookshop],
    ["the public server-everything", everythingOverStdio],
  ])("of %s: a suite that is valid, the same twice, and runs", async (_, { command, args }) => {
    const world = await testWorld();
    const flags = ["--command", command, ...args.map((word) => `--args=${word}`)];
    const made = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    expect([made.exitCode, made.stderr]).toEqual([0, ""]);
    await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "two.yaml");
    expect(await readFile(join(world.cwd, "one.yaml"))).toEqual(await readFile(join(world.cwd, "two.yaml")));
    const again = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
    const valid = await world.fettle("eval", "validate", "--file", "one.yaml");
    expect(JSON.parse(valid.stdout)).toMatchObject({ valid: true, findings: [] });
    const ran = await world.fettle(
      ...[
        "eval",
        "run",
        "--file",
        "one.yaml",
        "--concurrency",
        "2",
        "--server",
        `shop=${quoted([command, ...args])}`,
      ],
      ...["--case", JSON.parse(valid.stdout).suite.id === "s_shop" ? "c_no-tool" : ""],
    );
    expect([ran.exitCode, JSON.parse(ran.stdout).passed]).toEqual([0, true]);
  });
});
