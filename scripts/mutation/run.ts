/**
 * @module `npm run test:mutate`: plants small faults, one at a time, runs the tests nearest to each, and says which faults no test noticed.
 * The sample follows from the seed, so that a run can be repeated.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { filesByUse } from "../reached-tests.mjs";
import { copyTree } from "./copy-of-tree.ts";
import { isDeciding } from "./deciding-files.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { nearestTests } from "./nearest-tests.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { sample } from "./sample.ts";
import { TestRunner } from "./test-runner.ts";

const help = `Usage: npm run test:mutate -- [options]

Plants small faults, one at a time, and runs the tests nearest to each.

  --package <name>   Only this package (default: all)
  --deciding         Only the files that decide access, secrets, money, verdicts and statistics
  --files <glob>     Only files that match, from the root
  --sample <n>       Faults per package (default: 200)
  --seed <n>         Repeat the sample of an earlier run
  --tests <n>        Nearest test files to run for each fault (default: 6)
  --out <file>       Write every fault with its result as JSON
`;

const { values } = parseArgs({
  options: {
    package: { type: "string" },
    deciding: { type: "boolean", default: false },
    files: { type: "string" },
    sample: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    tests: { type: "string", default: "6" },
    out: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const root = join(import.meta.dirname, "../..");
// Outside of the checkout, where no other check finds it. The database's own user goes through it.
const copy = mkdtempSync(join(tmpdir(), "fettle-mutation-"));
chmodSync(copy, 0o755);
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const usedBy = filesByUse(root);
copyTree(root, copy);

interface Result extends Mutant {
  file: string;
  outcome: Outcome;
  tests: readonly string[];
}

/** Goals in percent: of all files, and of those that decide. */
const goals = { all: 85, deciding: 95 };

/** Seconds that each test file took without a fault; absent: it fails. */
const quiet = new Map<string, number | undefined>();
const runner = new TestRunner(copy);
process.on("exit", () => runner.close());

async function secondsWithout(test: string, file: string): Promise<number | undefined> {
  if (!quiet.has(test)) {
    const startedAt = Date.now();
    const color = await runner.run({ tests: [test], changed: join(copy, file) }, 600);
    quiet.set(test, color === "green" ? (Date.now() - startedAt) / 1000 : undefined);
  }
  return quiet.get(test);
}

/** Those of all packages take twenty seconds, so those of its own are asked first. A fault in what a page reads shows in `web` alone. */
function typesHold(file: string, where: "package" | "everywhere"): boolean {
  const name = file.split("/")[1] ?? "";
  if (where === "everywhere") return isTyped(".") && (name !== "contract" || isTyped("packages/web"));
  if (name === "web") return isTyped("packages/web");
  const config = `tsconfig.${name}.json`;
  if (!existsSync(join(copy, config)))
    writeFileSync(
      join(copy, config),
      JSON.stringify({
        extends: "./tsconfig.json",
        compilerOptions: { incremental: true, tsBuildInfoFile: `${name}.tsbuildinfo` },
        include: [`packages/${name}/src/**/*.ts`, `packages/${name}/*.ts`],
      }),
    );
  return isTyped(config);
}

const isTyped = (project: string) =>
  spawnSync("node_modules/.bin/tsc", ["--noEmit", "--checkers", "1", "-p", project], {
    cwd: copy,
    stdio: "ignore",
  }).status === 0;

async function tryMutant(file: string, mutant: Mutant): Promise<Result> {
  const tests = nearestTests(usedBy, file, Number(values.tests));
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  const faulty = whole.slice(0, mutant.start) + mutant.after + whole.slice(mutant.end);
  const planted = async <T>(look: () => T): Promise<Awaited<T>> => {
    await runner.ready();
    writeFileSync(path, faulty);
    try {
      return await look();
    } finally {
      writeFileSync(path, whole);
    }
  };
  const outcome = await outcomeOf({
    tests,
    runWith: (some, seconds) => planted(() => runner.run({ tests: some, changed: path }, seconds)),
    secondsWithout: (test) => secondsWithout(test, file),
    typesHold: (where) => planted(() => typesHold(file, where)),
  });
  return { file, ...mutant, outcome, tests };
}

const isSource = (path: string) =>
  !/\.test\.tsx?$|\/testing\/|\/generated\/|\/migrations\/|\.d\.ts$/.test(path) &&
  (!values.deciding || isDeciding(path));

const packages = values.package ? [values.package] : globSync("*", { cwd: join(root, "packages") }).sort();
const seed = Number(values.seed);
const results: Result[] = [];
for (const name of packages) {
  const files = globSync(values.files ?? `packages/${name}/src/**/*.ts`, { cwd: root })
    .filter((path) => path.startsWith(`packages/${name}/`) && isSource(path))
    .sort();
  const all = files.flatMap((file) =>
    mutantsOf(file, readFileSync(join(root, file), "utf8")).map((mutant) => ({ file, mutant })),
  );
  const chosen = sample(all, Number(values.sample), seed);
  for (const [at, { file, mutant }] of chosen.entries()) {
    if (at > 0 && at % 20 === 0) console.error(`${name}: ${at} of ${chosen.length} tried`);
    const result = await tryMutant(file, mutant);
    results.push(result);
    if (result.outcome !== "caught" && result.outcome !== "caught by types") {
      const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);
      console.log(
        `${result.outcome}: ${file}:${result.line} ${result.kind}: ${short(result.before)} → ${short(result.after)}`,
      );
    }
  }
  if (chosen.length > 0)
    console.log(
      rateOf(
        `${name} (${all.length} possible)`,
        results.filter(({ file }) => file.startsWith(`packages/${name}/`)),
      ),
    );
}

function rateOf(name: string, some: readonly Result[]): string {
  const counted = some.filter(({ outcome }) => outcome !== "tests fail without it");
  const caught = counted.filter(({ outcome }) => outcome.startsWith("caught"));
  const percent = counted.length === 0 ? 100 : (100 * caught.length) / counted.length;
  // Of pages most are tried in a browser alone, by tests that import none of their files.
  const unreached = counted.filter(({ outcome }) => outcome === "no test").length;
  const note = unreached > 0 ? `; ${unreached} in files that no test imports` : "";
  return `${name}: ${percent.toFixed(0)}% caught (${caught.length} of ${counted.length}${note}), seed ${seed}`;
}

if (values.out) writeFileSync(values.out, `${JSON.stringify({ seed, results }, null, 1)}\n`);
console.log(`\n${rateOf("All", results)} (goal: ${values.deciding ? goals.deciding : goals.all}%)`);
const inDeciding = results.filter(({ file }) => isDeciding(file));
if (!values.deciding && inDeciding.length > 0)
  console.log(`${rateOf("In deciding files", inDeciding)} (goal: ${goals.deciding}%)`);
runner.close();
