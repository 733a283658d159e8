/**
 * @module `npm run bench`: builds what people run, measures it, and holds each figure to its goal. Names after `--` narrow it;
 * `--json FILE` keeps the figures, `--compare FILE` holds them against kept ones.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../packages/service/src/core/version.ts";
import { meets, type Row } from "./bench.ts";
import { benches } from "./benches.ts";
import { compareReports } from "./compare.ts";
import { type Report, readReport, reportOf, writeReport } from "./report.ts";
import { comparisonLine, rowLine } from "./show.ts";

const { values: flags, positionals: only } = readFlags();
const unknown = only.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  refuse(
    `No bench is called ${unknown.join(" or ")}; there are ${benches.map(({ name }) => name).join(", ")}.`,
  );
}
// Before anything is measured: a wrong path should not cost half an hour.
const before = flags.compare === undefined ? undefined : await readReport(flags.compare).catch(refuse);
const chosen =
  only.length === 0
    ? benches.filter(({ needsNetwork }) => !needsNetwork)
    : benches.filter(({ name }) => only.includes(name));

const built = spawnSync(
  process.execPath,
  [join(import.meta.dirname, "..", "scripts", "build.mjs"), "--if-changed"],
  {
    stdio: ["ignore", 2, 2],
  },
);
if (built.status !== 0) process.exit(built.status ?? 1);

const rows: Report["rows"] = [];
const failed: string[] = [];
const report = reportOf(version, rows);
console.log(`Node ${report.node}, ${report.machine}\n`);
for (const bench of chosen) {
  console.log(`${bench.name}`);
  try {
    const measured: Row[] = await bench.run();
    for (const row of measured) {
      rows.push({ bench: bench.name, ...row });
      console.log(rowLine(row));
    }
  } catch (error) {
    failed.push(bench.name);
    console.error(error);
  }
}
if (flags.json !== undefined) await writeReport(flags.json, report);
const missed = rows.filter((row) => !meets(row));
if (missed.length > 0) console.log(`\n${missed.length} below their goal.`);
if (failed.length > 0) console.log(`\nNot measured: ${failed.join(", ")}.`);
let worse = 0;
if (before) {
  const compared = compareReports(before, report);
  console.log(`\nAgainst Fettle ${before.version} (${before.machine}), 99% intervals`);
  for (const comparison of compared) console.log(comparisonLine(comparison));
  worse = compared.filter(({ verdict }) => verdict === "worse").length;
  console.log(worse === 0 ? "\nNothing got worse." : `\n${worse} got worse.`);
}
if (missed.length + failed.length + worse > 0) process.exitCode = 1;

function readFlags() {
  try {
    return parseArgs({
      options: { json: { type: "string" }, compare: { type: "string" } },
      allowPositionals: true,
    });
  } catch (error) {
    return refuse(error);
  }
}

function refuse(reason: unknown): never {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exit(2);
}
