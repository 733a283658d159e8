import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningSample, startEverything } from "../index.ts";

// The package is a program and exports nothing; its own manifest is the only thing that can be resolved.
const MANIFEST = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const SUITE = join(dirname(MANIFEST), "dist/index.js");

let everything: RunningSample;
let folder: string;
beforeAll(async () => {
  everything = await startEverything();
  folder = await mkdtemp(join(tmpdir(), "samples-conformance-"));
});
afterAll(async () => {
  await everything.close();
  await rm(folder, { recursive: true });
});

// The suite itself waits on tasks and streams for about ten seconds; the two eras share that time.
describe.concurrent("the official conformance suite", () => {
  test.each(["2025-11-25", "2026-07-28"])(
    "finds nothing to fault for %s",
    { timeout: 60_000 },
    async (revision) => {
      const args = [
        SUITE,
        "server",
        "--url",
        everything.url,
        "--requirements",
        revision,
        "-o",
        join(folder, revision),
      ];
      const suite = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      suite.stdout.on("data", (chunk) => {
        output += chunk;
      });
      await once(suite, "close");
      const summary = output.slice(output.indexOf("=== SUMMARY ==="));
      expect(summary).toMatch(/Total: \d{2,} passed, 0 failed/);
      expect(summary).not.toContain("✗");
    },
  );
});
