/** @module The worked example of a new kind of run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltExample, buildExample, run } from "./worked-examples.ts";

let example: BuiltExample;
beforeAll(async () => {
  example = await buildExample("a new kind of run");
});
afterAll(() => example[Symbol.asyncDispose]());

const folder = "packages/service/src";

test("its table becomes a migration of its own, and it compiles with the start of the service", async () => {
  const { copy, touched } = example;
  const migrations = join(copy, "packages/service/migrations");
  const before = await readdir(migrations);
  const words = ["generate", "--config", "packages/service/drizzle.config.ts", "--name", "surface-audits"];
  await run(process.execPath, ["node_modules/drizzle-kit/bin.cjs", ...words], { cwd: copy });
  const [made, ...others] = (await readdir(migrations)).filter((name) => !before.includes(name));
  expect(others).toEqual([]);
  const statements = (await readFile(join(migrations, made!), "utf8")).split("--> statement-breakpoint");
  for (const statement of statements) expect(statement).toContain('"surface_audits"');
  expect(await example.compile("./tsconfig.json", [...touched, `${folder}/start/create-app.ts`])).toBe("");
});

test("its own test passes, and so does all that is tried on every kind of run", async () => {
  const { copy } = example;
  const report = join(copy, "report.json");
  const files = [`${folder}/servers/surface-audits`, `${folder}/runs/life/every-kind`];
  const words = ["run", "--project=main", "--reporter=json", `--outputFile=${report}`, ...files];
  const ofThisRun = ([name]: [string, unknown]) => !/^(VITEST|TEST$|FETTLE_TEST)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(ofThisRun));
  await run(process.execPath, ["node_modules/vitest/vitest.mjs", ...words], { cwd: copy, env });
  const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  const told = testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = told.filter(({ fullName }) => /surface audit|^an audit/.test(fullName));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ status }) => status !== "passed" && status !== "skipped")).toEqual([]);
});
