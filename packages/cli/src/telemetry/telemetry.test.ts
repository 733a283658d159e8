import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWorld } from "../testing/world.ts";
import { disableReason, parseTelemetryState, type TelemetryState } from "./state.ts";

const state: TelemetryState = { version: 1, enabled: true, createdAt: "2026-01-01", updatedAt: "2026-01-01" };

test.each([
  ["the flag before all else", true, { DO_NOT_TRACK: "1" }, state, "--no-telemetry"],
  ["DO_NOT_TRACK before the state", false, { DO_NOT_TRACK: "1" }, state, "DO_NOT_TRACK"],
  ["our own variable", false, { FETTLE_TELEMETRY_DISABLED: "1" }, state, "FETTLE_TELEMETRY_DISABLED"],
  ["the state", false, {}, { ...state, enabled: false }, "state"],
  ["having said nothing", false, {}, undefined, "default"],
  ["nothing, once enabled", false, {}, state, null],
] as const)("telemetry is kept off by %s", (_, noTelemetry, env, held, reason) => {
  expect(disableReason({ noTelemetry, env, state: held })).toBe(reason);
});

test.each([
  [{ ...state, version: 2 }],
  [{ ...state, enabled: "yes" }],
  [{ ...state, installId: "not-a-uuid" }],
  [[]],
  ["on"],
])("a state file holding %j reads as absent", (value) => {
  expect(parseTelemetryState(value)).toBeUndefined();
});

test("status creates nothing; disable makes no install id; enable makes one and keeps it", async () => {
  const world = await testWorld();
  const file = join(world.home, ".fettle", "telemetry.json");
  const call = async (word: string) => JSON.parse((await world.fettle("telemetry", word)).stdout).telemetry;

  expect(await call("status")).toMatchObject({ enabled: false, installId: null, disableReason: "default" });
  await expect(stat(file)).rejects.toThrow("ENOENT");

  expect(await call("disable")).toMatchObject({ enabled: false, installId: null, disableReason: "state" });
  const disabled = JSON.parse(await readFile(file, "utf8"));
  expect(disabled).not.toHaveProperty("installId");

  const enabled = await call("enable");
  expect(enabled).toMatchObject({
    enabled: true,
    installIdCreated: true,
    disableReason: null,
    endpoint: null,
  });
  expect(JSON.parse(await readFile(file, "utf8")).createdAt).toBe(disabled.createdAt);
  expect(await call("enable")).toMatchObject({ installId: enabled.installId, installIdCreated: false });
  expect(await call("disable")).toMatchObject({ installId: enabled.installId, enabled: false });
});

test("only the person may read the state file and its folder", async () => {
  const world = await testWorld();
  await world.fettle("telemetry", "enable");
  const mode = async (...path: string[]) =>
    ((await stat(join(world.home, ...path))).mode & 0o777).toString(8);
  expect([await mode(".fettle"), await mode(".fettle", "telemetry.json")]).toEqual(["700", "600"]);
});

test("a malformed state file is replaced, not mended", async () => {
  const world = await testWorld();
  await world.fettle("telemetry", "enable");
  await writeFile(join(world.home, ".fettle", "telemetry.json"), "{");
  expect((await world.fettle("telemetry", "status")).exitCode).toBe(0);
  expect((await world.fettle("telemetry", "disable")).exitCode).toBe(0);
});

test("debug mode shows what would be sent: command words and outcome, nothing that was typed", async () => {
  const world = await testWorld({ env: { FETTLE_TELEMETRY_DEBUG: "1", GITHUB_ACTIONS: "true" } });
  const typed = ["cloud", "status", "--project", "canary", "--api-key", "sk_canarycanary"];
  expect((await world.fettle(...typed)).stderr).toBe("");

  expect((await world.fettle("telemetry", "enable")).stderr).toBe("");
  const { stderr } = await world.fettle(...typed);
  expect(JSON.parse(stderr.replace(/^telemetry: /, ""))).toMatchObject({
    event: "cli_command",
    command: "cloud status",
    success: true,
    exit_code: 0,
    is_ci: true,
    ci_name: "github_actions",
  });
  expect(stderr).not.toContain("canary");

  const failed = await world.fettle("cloud", "whoami", "--format", "json");
  expect(failed.stderr).toContain('"success":false,"exit_code":1');
  expect((await world.fettle(...typed, "--no-telemetry")).stderr).toBe("");
});
