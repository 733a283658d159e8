// `npm test`: everything that must hold before a change lands, in one run that ends with one line of counts.
// `--soak` runs the long fault tests instead. Names given after `--` narrow the test files.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { ensureChromium } from "./chromium.mjs";

const soak = process.argv.includes("--soak");
const only = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const scratch = mkdtempSync(join(tmpdir(), "fettle-test-"));
const count = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

/** With one checker: several find the same types each for itself, which costs twice the work and saves no time beside other checks. */
const tsc = ["tsc", "--noEmit", "--checkers", "1"];

const secondsSince = (startedAt) => ((Date.now() - startedAt) / 1000).toFixed(1);
const mark = (isGood) => (isGood ? "✓" : "✗");

/** Checks with no tests of their own count as one each. They run beside each other, and each prints in one piece. */
async function check(checks) {
  await Promise.all(
    Object.entries(checks).map(async ([name, [command, ...args]]) => {
      const startedAt = Date.now();
      const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
      const [out, err, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      if (status !== 0) console.log(`${out}${err}`);
      console.log(`${mark(status === 0)} ${name} (${secondsSince(startedAt)} s)`);
      count[status === 0 ? "passed" : "failed"] += 1;
    }),
  );
}

function vitest(projects, env = {}) {
  const report = join(scratch, "report.json");
  const startedAt = Date.now();
  const done = spawnSync("vitest", ["run", ...projects.map((project) => `--project=${project}`), ...only], {
    stdio: "inherit",
    env: { ...process.env, ...env, TEST_REPORT: report },
  });
  const isGood = done.status === 0;
  console.log(`${mark(isGood)} tests: ${projects.join(" and ")} (${secondsSince(startedAt)} s)`);
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    count.passed += result.numPassedTests;
    count.skipped += result.numPendingTests;
    // A file that fails to load, or a fault outside any test, must not end as "0 failed".
    count.failed += Math.max(result.numFailedTests, isGood ? 0 : 1);
    printSlowest(result.testResults);
  } catch {
    count.failed += 1;
  }
}

/** Where to look when the whole run becomes slow. */
function printSlowest(files) {
  const slowest = files.toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, 10);
  if (slowest.length < 10) return;
  console.log("\nThe ten slowest files:");
  for (const { name, startTime, endTime } of slowest) {
    const seconds = ((endTime - startTime) / 1000).toFixed(1);
    console.log(`${seconds.padStart(7)} s  ${relative(process.cwd(), name)}`);
  }
}

if (soak) {
  vitest(["soak"]);
} else {
  if (only.length === 0) {
    await check({
      "format and lint": ["biome", "check", "."],
      types: tsc,
      "types of the web app": [...tsc, "-p", "packages/web"],
      "unused code and dependencies": ["knip", "--no-progress"],
    });
  }
  const chromium = ensureChromium();
  // In one run, because browser tests keep the cores busy while most others wait.
  if (chromium) vitest(["whole"], { CHROMIUM_PATH: chromium });
  else {
    vitest(["main"]);
    notes.push(
      "NO BROWSER TEST RAN: no Chromium was found and none could be installed. Set CHROMIUM_PATH to run them.",
    );
  }
}

rmSync(scratch, { recursive: true, force: true });
for (const note of notes) console.log(`\n${note}`);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);
