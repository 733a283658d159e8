// `npm test`: everything that must hold before a change lands, in one run that ends with one line of counts.
// `--soak` runs the long fault tests instead. Names given after `--` narrow the test files; `--changed` takes those that a change
// since `main`, or since another ref with `--changed=ref`, can reach; `--shard 1/4` takes a quarter of all.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { ensureChromium } from "./chromium.mjs";
import { changedSince, reachedTests } from "./reached-tests.mjs";

const { soak, changed, shard, only } = readArguments();
const scratch = mkdtempSync(join(tmpdir(), "fettle-test-"));
const count = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

/** With one checker: several find the same types each for itself, which costs twice the work and saves no time beside other checks. */
const tsc = ["tsc", "--noEmit", "--checkers", "1"];

function readArguments() {
  // Without a ref behind it, `--changed` means since main.
  const args = process.argv.slice(2).map((word) => (word === "--changed" ? "--changed=main" : word));
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { soak: { type: "boolean" }, changed: { type: "string" }, shard: { type: "string" } },
  });
  return { ...values, only: [...positionals, ...reachedBy(values.changed)] };
}

function reachedBy(ref) {
  if (ref === undefined) return [];
  const found = reachedTests(process.cwd(), changedSince(process.cwd(), ref));
  if (found === "all") console.log(`What changed since ${ref} can reach every test.`);
  else console.log(`What changed since ${ref} can reach ${found.length} test files.`);
  return found === "all" ? [] : found;
}

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
  const part = shard === undefined ? [] : [`--shard=${shard}`];
  const named = projects.map((project) => `--project=${project}`);
  const done = spawnSync("vitest", ["run", ...named, ...part, ...only], {
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
  } catch {
    count.failed += 1;
  }
}

if (soak) {
  const chromium = ensureChromium();
  // Browser tests once more, with every look at a page that `npm test` leaves out.
  if (chromium) vitest(["soak", "browser"], { CHROMIUM_PATH: chromium, FETTLE_TEST_LOOKS: "all" });
  else vitest(["soak"]);
} else {
  // One machine of several is enough for what has no parts.
  const isChecked = shard === undefined ? only.length === 0 || changed !== undefined : shard.startsWith("1/");
  if (isChecked) {
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
