/** @module Outage is never a verdict, on every suite: a server that is not there is exit 3, and a whole report that says so. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWorld } from "../testing/world.ts";

const dead = "http://127.0.0.1:9/mcp";
const flow = { protocolVersion: "2025-11-25", registrationStrategy: "dcr", auth: { mode: "headless" } };

/** Every command that judges, and its file where it has one. */
const suites: Record<string, { flags?: string[]; file?: object }> = {
  "protocol conformance": { flags: ["--url", dead] },
  "protocol conformance-suite": { file: { serverUrl: dead, runs: [{ label: "a" }, { label: "b" }] } },
  "apps conformance": { flags: ["--url", dead] },
  "apps conformance-suite": { file: { target: { url: dead }, runs: [{ label: "a" }, { label: "b" }] } },
  "tasks conformance": { flags: ["--url", dead] },
  "conformance run": { flags: ["--url", dead, "--suite", "protocol", "--suite", "apps", "--suite", "oauth"] },
  "oauth conformance": {
    flags: [
      "--url",
      dead,
      "--protocol-version",
      "2025-11-25",
      "--registration",
      "dcr",
      "--auth-mode",
      "headless",
    ],
  },
  "oauth conformance-suite": { file: { serverUrl: dead, flows: [flow] } },
};

test.each(Object.entries(suites))("%s of a dead server", async (name, { flags = [], file }) => {
  const { fettle, cwd } = await testWorld();
  const path = join(cwd, "suite.json");
  if (file) await writeFile(path, JSON.stringify(file));
  const argv = [...name.split(" "), ...(file ? ["--config", path] : flags)];

  const plain = await fettle(...argv, "--format", "json");
  expect(plain.exitCode).toBe(3);
  expect(JSON.parse(plain.stdout)).toMatchObject({ outcome: "incomplete" });
  expect(plain.stdout).toContain("Nothing listens at 127.0.0.1:9.");

  const summary = await fettle(...argv, "--reporter", "json-summary");
  expect(summary.exitCode).toBe(3);
  expect(JSON.parse(summary.stdout)).toMatchObject({
    passed: false,
    outcome: "incomplete",
    score: { score: null, passed: 0, failed: 0 },
  });

  const junit = await fettle(...argv, "--reporter", "junit-xml");
  expect(junit.exitCode).toBe(3);
  expect(junit.stdout).toContain("<error ");
  expect(junit.stdout).not.toContain("<failure");
  expect(junit.stdout.trim()).toMatch(/<\/testsuites>$/);

  const human = await fettle(...argv, "--format", "human");
  expect(human.exitCode).toBe(3);
  expect(human.stdout).toContain("Nothing listens at 127.0.0.1:9.");
  expect(human.stdout).not.toMatch(/\bpassed$/m);
});
