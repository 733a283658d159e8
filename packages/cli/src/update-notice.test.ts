import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWorld } from "./testing/world.ts";
import { isNewer } from "./update-notice.ts";

test.each([
  ["1.0.1", "1.0.0", true],
  ["1.10.0", "1.9.9", true],
  ["1.0.0", "1.0.0", false],
  ["0.9.0", "1.0.0", false],
  ["2.0.0-rc.1", "1.0.0", false],
  ["latest", "1.0.0", false],
])("%s against %s: %s", (candidate, current, newer) => {
  expect(isNewer(candidate, current)).toBe(newer);
});

async function knowing(env: Record<string, string> = {}) {
  let now = 1_800_000_000_000;
  const world = await testWorld({ env, now: () => now });
  const file = join(world.home, ".fettle", "update-check.json");
  await mkdir(join(world.home, ".fettle"));
  await writeFile(file, JSON.stringify({ latestVersion: "99.0.0", checkedAt: now }));
  return { ...world, file, later: (ms: number) => (now += ms) };
}

test("a newer version is mentioned once a day, after success, and never on stdout", async () => {
  const { fettle, file, later } = await knowing();
  const first = await fettle("telemetry", "status");
  expect(first.stderr).toBe("Fettle 99.0.0 is out; this is 0.1.0.\n");
  expect(JSON.parse(first.stdout)).toHaveProperty("telemetry");
  expect((await fettle("telemetry", "status")).stderr).toBe("");
  later(25 * 60 * 60 * 1000);
  expect((await fettle("telemetry", "status")).stderr).toContain("99.0.0");
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ latestVersion: "99.0.0" });
});

test("it is not mentioned after a failure, with help, with --quiet, or where nobody reads it", async () => {
  const { fettle } = await knowing();
  expect((await fettle("cloud", "whoami")).stderr).not.toContain("99.0.0");
  expect((await fettle("--help")).stderr).toBe("");
  expect((await fettle("--version")).stderr).toBe("");
  expect((await fettle("telemetry", "status", "--quiet")).stderr).toBe("");
  for (const variable of ["CI", "FETTLE_NO_UPDATE_CHECK", "NO_UPDATE_NOTIFIER"]) {
    const silent = await knowing({ [variable]: "1" });
    expect((await silent.fettle("telemetry", "status")).stderr).toBe("");
  }
});

test("nothing is asked or written where nothing is known", async () => {
  const { fettle, home } = await testWorld();
  expect((await fettle("telemetry", "status")).stderr).toBe("");
  await expect(readFile(join(home, ".fettle", "update-check.json"))).rejects.toThrow("ENOENT");
});
