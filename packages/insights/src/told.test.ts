/** What is told of each planted problem, word for word and number for number, and from how many conversations on. */
import { expect, test } from "vitest";
import { E, S, U } from "./detectors/detector.ts";
import { detectors } from "./detectors/registry.ts";
import { factsReader } from "./facts/read-unit.ts";
import type { Mined } from "./mine.ts";
import { seeded, snapshot } from "./testing/bookshop.ts";
import { findingsOf, judge, minedFacts } from "./testing/mined.ts";
import { clean, type Plant } from "./testing/plant.ts";
import { plants } from "./testing/plants.ts";

const most = 6;
const others = 12;

const read = factsReader({ snapshots: [snapshot], judge });
/** Read once: they are the same beside every problem. */
const usual = Object.groupBy(
  [E, S, U].flatMap((scope) => {
    const values = seeded(1);
    return Array.from({ length: others }, (_, nth) => ({
      scope,
      facts: read(clean(scope, `clean-${nth}`, values)),
    }));
  }),
  ({ scope }) => scope,
);

function minedWith(plant: Plant, count: number): Mined {
  const values = seeded(1);
  const units = Array.from({ length: count }, (_, nth) => read(plant.unit(`it-${nth}`, values, nth)));
  const beside = (usual[plant.scope] ?? []).map(({ facts }) => facts);
  return minedFacts(plant.scope, [...units, ...beside]);
}

/** The fewest conversations in which it has to show among others in which nothing is wrong. */
function fewestOf(plant: Plant): number | undefined {
  for (let count = 1; count <= most; count += 1) {
    if (findingsOf(plant.detector, minedWith(plant, count)).length > 0) return count;
  }
  return undefined;
}

/** What the server says of its tools is shown as it is; it says nothing of the detector. */
const withoutDefinition = (key: string, value: unknown) => (key === "currentDefinition" ? undefined : value);

function toldOf(plant: Plant): string {
  const mined = minedWith(plant, most);
  const signals = mined.signals
    .filter(({ detector }) => detector === plant.detector)
    .map(({ fingerprint, count, exercised }) => `signal ${fingerprint}: ${count} of ${exercised}`);
  const findings = findingsOf(plant.detector, mined).map((finding) =>
    JSON.stringify(finding, withoutDefinition, 1),
  );
  return [`from ${fewestOf(plant) ?? "more"} on, beside ${others}`, ...signals, ...findings].join("\n");
}

test("of each planted problem is told what is kept in __golden__/findings.txt", async () => {
  const told = plants.map((plant) => `## ${plant.detector}, ${plant.scope}\n${toldOf(plant)}\n`).join("\n");
  await expect(told).toMatchFileSnapshot("__golden__/findings.txt");
});

test("each detector looks at the scopes that are kept in __golden__/scopes.txt", async () => {
  const rows = detectors.map(({ id, scopes }) => `${id}: ${scopes.join(", ")}\n`).join("");
  await expect(rows).toMatchFileSnapshot("__golden__/scopes.txt");
});

/** Without what is usual, so that what a problem leaves in the facts stands out. */
const unusual = (_: string, value: unknown) =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;

test("of the first conversation with each problem are kept the facts of __golden__/facts.txt", async () => {
  const kept = plants.map((plant) => {
    const facts = read(plant.unit("it-0", seeded(1), 0));
    const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value, unusual)}`);
    return `## ${plant.detector}, ${plant.scope}\n${lines.filter((line) => !/: (?:\[\]|\{\}|undefined)$/.test(line)).join("\n")}\n`;
  });
  await expect(kept.join("\n")).toMatchFileSnapshot("__golden__/facts.txt");
});
