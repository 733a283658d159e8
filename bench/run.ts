/** @module `npm run bench`: builds what people run, measures it, and holds each figure to its goal. Names after `--` narrow it. */
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { benches, type Row } from "./benches.ts";

const only = process.argv.slice(2);
const chosen = only.length === 0 ? benches : benches.filter(({ name }) => only.includes(name));
if (chosen.length === 0) {
  console.error(
    `No bench is called ${only.join(" or ")}; there are ${benches.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

const built = spawnSync(
  process.execPath,
  [join(import.meta.dirname, "..", "scripts", "build.mjs"), "--if-changed"],
  {
    stdio: ["ignore", 2, 2],
  },
);
if (built.status !== 0) process.exit(built.status ?? 1);

const missed: Row[] = [];
console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} processors\n`,
);
for (const bench of chosen) {
  console.log(`${bench.name}`);
  for (const row of await bench.run()) {
    const isMet = meets(row);
    if (!isMet) missed.push(row);
    const goal = row.goal
      ? `goal ${"atLeast" in row.goal ? `≥ ${row.goal.atLeast}` : `≤ ${row.goal.atMost}`}`
      : "";
    const mark = row.goal ? (isMet ? "✓" : "✗") : " ";
    const spread = row.spread ? `(${row.spread.map(format).join("–")})` : "";
    console.log(
      `  ${mark} ${row.what.padEnd(64)} ${format(row.value).padStart(9)} ${row.unit.padEnd(6)} ${spread.padEnd(12)} ${goal}`.trimEnd(),
    );
  }
}
if (missed.length > 0) {
  console.log(`\n${missed.length} below their goal.`);
  process.exitCode = 1;
}

function meets({ value, goal }: Row): boolean {
  if (!goal) return true;
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}

function format(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}
