/** @module Mining sessions into findings: ten times as many take ten times as long and no more memory, also where a server never fails the same way twice. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { must } from "../packages/contract/src/formats/index.ts";
import type { SchemaJudge } from "../packages/contract/src/servers/index.ts";
import { openSchemaJudge } from "../packages/evals/src/index.ts";
import { factsReader, type Mined, startMining, type Unit } from "../packages/insights/src/index.ts";
import { failing, seeded, snapshot } from "../packages/insights/src/testing/bookshop.ts";
import { clean, observed } from "../packages/insights/src/testing/plant.ts";
import { plants } from "../packages/insights/src/testing/plants.ts";
import type { Bench, Row } from "./bench.ts";

const few = 1_000;
const many = 10_000;
const scope = "user_testing_window";
const planted = plants.filter((plant) => plant.scope === scope);

export const insightsBench: Bench = {
  name: "insights",
  run: async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const judge = await openSchemaJudge();
    // Warm, so that the first thousand is not charged for the start.
    mineAll(few, judge, collect);
    const [small, large] = [mineAll(few, judge, collect), mineAll(many, judge, collect)];
    const rate = (sessions: number, ms: number) => sessions / (ms / 1000);
    const rows: Row[] = [
      { what: "sessions read to facts", value: rate(many, large.readMs), unit: "/s" },
      { what: "facts mined", value: rate(many, large.mineMs), unit: "/s", goal: { atLeast: 300 } },
      {
        what: "time for 10,000 sessions, in times of 1,000",
        value: (large.readMs + large.mineMs) / (small.readMs + small.mineMs),
        unit: "x",
        goal: { atMost: 15 },
      },
      { what: "memory held after 1,000 sessions", value: small.heldMiB, unit: "MiB" },
      { what: "memory held after 10,000 sessions", value: large.heldMiB, unit: "MiB", goal: { atMost: 64 } },
      {
        what: "memory for 10,000 sessions, in times of 1,000",
        value: large.heldMiB / Math.max(1, small.heldMiB),
        unit: "x",
        goal: { atMost: 3 },
      },
      {
        what: "findings of 10,000 sessions",
        value: large.mined.findings.length,
        unit: "",
      },
      { what: "bytes kept of a session", value: large.bytes / many, unit: "" },
    ];
    return rows;
  },
};

/** Sessions are made, read and forgotten one by one, as a job does it; only the making is not timed. */
function mineAll(count: number, judge: SchemaJudge, collect: () => void) {
  const factsOf = factsReader({ snapshots: [snapshot], judge });
  collect();
  const before = process.memoryUsage().heapUsed;
  const mining = startMining({
    scope: { kind: scope, id: "uw_bench" },
    family: { kind: "scenario", id: "sc_bench", label: "Shop" },
    snapshots: [snapshot],
  });
  let [readMs, mineMs, bytes] = [0, 0, 0];
  for (let nth = 0; nth < count; nth += 1) {
    const unit = session(nth);
    const started = performance.now();
    const facts = factsOf(unit);
    const read = performance.now();
    mining.add(facts);
    mineMs += performance.now() - read;
    readMs += read - started;
    if (nth % 100 === 0) bytes += 100 * JSON.stringify(facts).length;
  }
  collect();
  const heldMiB = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  const started = performance.now();
  const mined: Mined = mining.finish();
  mineMs += performance.now() - started;
  return { mined, readMs, mineMs, bytes, heldMiB };
}

/** Half are clean, a third show a problem, the rest fail in words that nobody said before. */
function session(nth: number): Unit {
  const values = seeded(nth + 1);
  const id = `s-${nth}`;
  if (nth % 2 === 0) return clean(scope, id, values);
  if (nth % 6 !== 1)
    return must(planted[Math.floor(nth / 6) % planted.length], "a problem that is planted").unit(
      id,
      values,
      nth,
    );
  const words = Array.from({ length: 4 }, () => letters(values.number())).join(" ");
  const call = { toolName: "cancel_order", arguments: { order_id: values.id("ord") }, ...failing(words) };
  return observed(scope, id, [{ user: `${words} please`, calls: [call] }]);
}

const letters = (number: number) =>
  number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
