// `npm test`: everything that must hold before a change lands, in one run that ends with one line of counts.
// `--soak` runs the long fault tests instead. Names given after `--` narrow the test files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";

const soak = process.argv.includes("--soak");
const only = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const scratch = mkdtempSync(join(tmpdir(), "fettle-test-"));
const count = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

function step(name, command, args, env = {}) {
  const startedAt = Date.now();
  console.log(`\n▸ ${name}`);
  const done = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${done.status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  return done.status === 0;
}

/** A check with no tests of its own counts as one. */
function check(name, command, args) {
  count[step(name, command, args) ? "passed" : "failed"] += 1;
}

function vitest(name, project, env) {
  const report = join(scratch, `${project}.json`);
  const ok = step(
    name,
    "vitest",
    [
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...only,
    ],
    env,
  );
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    count.passed += result.numPassedTests;
    count.skipped += result.numPendingTests;
    // A file that fails to load, or a fault outside any test, must not end as "0 failed".
    count.failed += Math.max(result.numFailedTests, ok ? 0 : 1);
  } catch {
    count.failed += 1;
  }
}

if (soak) {
  vitest("fault and soak tests", "soak");
} else {
  if (only.length === 0) {
    check("format and lint", "biome", ["check", "."]);
    check("types", "tsc", ["--noEmit"]);
    check("types of the web app", "tsc", ["--noEmit", "-p", "packages/web"]);
    check("unused code and dependencies", "knip", ["--no-progress"]);
  }
  vitest("tests", "main");
  const chromium = ensureChromium();
  if (chromium) vitest("browser tests", "browser", { CHROMIUM_PATH: chromium });
  else {
    notes.push(
      "NO BROWSER TEST RAN: no Chromium was found and none could be installed. Set CHROMIUM_PATH to run them.",
    );
  }
}

rmSync(scratch, { recursive: true, force: true });
for (const note of notes) console.log(`\n${note}`);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);
