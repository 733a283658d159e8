import { Socket } from "node:net";
import { limits } from "@fettle/contract/core";
import { describe, expect, test, vi } from "vitest";
import { suiteOf, worldWith } from "../../testing/eval-suite.ts";
import { testWorld } from "../../testing/world.ts";

describe("eval validate", () => {
  test("a valid file is told in a line, and asks nobody: no key, no project, no network", async () => {
    const env = { FETTLE_API_KEY: "sk_x", FETTLE_API_URL: "http://127.0.0.1:9", FETTLE_PROJECT: "Alpha" };
    const world = await worldWith(suiteOf(), env);
    const connecting = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
      throw new Error("no network in this test");
    });
    try {
      const { stdout, stderr, exitCode } = await world.fettle("eval", "validate", "--file", "suite.yaml");
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        valid: true,
        file: "suite.yaml",
        suite: { id: "s_one", name: "One", cases: 1, enabledCases: 1 },
        findings: [],
      });
      expect(connecting).not.toHaveBeenCalled();
    } finally {
      connecting.mockRestore();
    }
  });

  test.each<[string, string | Uint8Array, string, string]>([
    [
      "not of the contract",
      suiteOf().replace("repetitions: 2", "repetitions: 0"),
      "contract",
      "SUITE_FILE_INVALID",
    ],
    ["no YAML", "a: [", "parse", "SUITE_FILE_YAML_INVALID"],
    ["empty", "", "parse", "SUITE_FILE_EMPTY"],
    ["two documents", "a: 1\n---\nb: 1\n", "parse", "SUITE_FILE_MULTIPLE_DOCUMENTS"],
    ["too large", new Uint8Array(limits.suiteFile.maxBytes + 1).fill(32), "input", "SUITE_FILE_TOO_LARGE"],
  ])(
    "%s: validate exits 1 with an envelope, run exits 2 and starts nothing",
    async (_, content, stage, code) => {
      const world = await worldWith(content);
      const validated = await world.fettle("eval", "validate", "--file", "suite.yaml");
      expect(validated.exitCode).toBe(1);
      expect(JSON.parse(validated.stdout)).toMatchObject({ valid: false, stage, findings: [{ code }] });
      const ran = await world.fettle(
        "eval",
        "run",
        "--file",
        "suite.yaml",
        "--server",
        "shop=/no/such/program",
      );
      expect(ran.exitCode).toBe(2);
      expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code } });
    },
  );

  test("a file that is not there is a finding too", async () => {
    const world = await testWorld();
    const { stdout, exitCode } = await world.fettle("eval", "validate", "--file", "nowhere.yaml");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      stage: "input",
      findings: [{ code: "SUITE_FILE_UNREADABLE" }],
    });
  });

  test("stdin is read, and called so", async () => {
    const world = await testWorld({ stdin: suiteOf() });
    const { stdout } = await world.fettle("eval", "validate", "--file", "-");
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, file: "<stdin>" });
  });

  test("twice the same bytes", async () => {
    const world = await worldWith(
      suiteOf().replace("id: c_one", "id: '!'").replace("mode: agent", "mode: x"),
    );
    const [one, other] = [
      await world.fettle("eval", "validate", "--file", "suite.yaml"),
      await world.fettle("eval", "validate", "--file", "suite.yaml"),
    ];
    expect(one.stdout).toBe(other.stdout);
    expect(JSON.parse(one.stdout).findings).toHaveLength(2);
  });

  test("people see the line, machines of another kind are pointed elsewhere", async () => {
    const world = await worldWith('{"name": "x", "servers": ["a"], "cases": []}');
    const { stdout, stderr } = await world.fettle(
      "--format",
      "human",
      "eval",
      "validate",
      "--file",
      "suite.yaml",
    );
    expect(stdout).toContain("suite.yaml:1:");
    expect(stderr).toContain("cloud eval create");
    const ran = await world.fettle("eval", "run", "--file", "suite.yaml");
    expect([ran.exitCode, JSON.parse(ran.stderr).error.code]).toEqual([2, "USAGE_ERROR"]);
  });
});
