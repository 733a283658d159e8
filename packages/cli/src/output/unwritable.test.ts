import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/world.ts";

const launcher = join(import.meta.dirname, "..", "..", "bin", "fettle.mjs");

/** `fettle … > /dev/full` */
async function onFullDisk(...argv: string[]) {
  const cwd = await temporaryFolder();
  await using full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [launcher, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, FETTLE_HOME: join(cwd, ".fettle") },
    stdio: ["ignore", full.fd, "pipe"],
  });
  let stderr = "";
  child.stderr!.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, lines: stderr.trim().split("\n") };
}

test("a full disk is one line and exit 1, for people and for machines", async () => {
  const human = await onFullDisk("telemetry", "status", "--format", "human");
  expect(human).toEqual({
    exitCode: 1,
    lines: [expect.stringMatching(/^✗ The result could not be written: ENOSPC.* \(OPERATIONAL_ERROR\)$/)],
  });
  const { exitCode, lines } = await onFullDisk("telemetry", "status", "--format", "json");
  expect([exitCode, lines.length]).toEqual([1, 1]);
  expect(JSON.parse(lines[0]!).error).toMatchObject({ code: "OPERATIONAL_ERROR" });
});
