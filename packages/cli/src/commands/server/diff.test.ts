import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let url: string[];
let close: () => Promise<void>;
beforeAll(async () => {
  const bookshop = await startBookshop();
  url = ["--url", bookshop.url];
  close = bookshop.close;
});
afterAll(() => close());

/** A lock and two exports of the bookshop, in a folder of their own. */
async function written() {
  const world = await testWorld();
  await world.fettle("server", "surface", "lock", ...url, "--lock", "lock.json");
  for (const [file, ...more] of [["export.json"], ["stable.json", "--stable"]] as const) {
    const { stdout } = await world.fettle("server", "export", ...url, ...more, "--format", "json");
    await writeFile(join(world.cwd, file), stdout);
  }
  return world;
}

test("a server is what its lock and its exports say, and they agree with each other", async () => {
  const { fettle } = await written();
  for (const file of ["lock.json", "export.json", "stable.json"]) {
    const { stdout, exitCode } = await fettle(
      "server",
      "diff",
      ...url,
      "--baseline",
      file,
      "--fail-on",
      "any",
    );
    expect([file, exitCode]).toEqual([file, 0]);
    const counts = { tools: 9, prompts: 1, resources: 42, resourceTemplates: 2 };
    expect(JSON.parse(stdout)).toEqual({
      passed: true,
      failOn: "any",
      summary: {
        totalChanges: 0,
        byClassification: { breaking: 0, non_breaking: 0, informational: 0 },
        byEntityType: {},
      },
      changes: [],
      baselineSummary: counts,
      currentSummary: counts,
    });
  }
  const files = ["--left", "lock.json", "--right", "export.json", "--format", "human"];
  expect((await fettle("server", "diff", ...files)).stdout).toContain("Nothing differs.");
});

test("differences are told by entity, with the worst of its fields as its class", async () => {
  const { fettle, cwd } = await written();
  const before = JSON.parse(await readFile(join(cwd, "lock.json"), "utf8"));
  before.tools.gone = before.tools.get_book;
  before.tools.check_stock.description = "Other words.";
  before.tools.check_stock.inputSchema.required = [];
  delete before.prompts.recommend_books;
  await writeFile(join(cwd, "before.json"), JSON.stringify(before));
  const diff = ["server", "diff", "--left", "before.json", "--right", "lock.json"];
  const { stdout, exitCode } = await fettle(...diff, "--out", "diff.json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    passed: false,
    failOn: "breaking",
    summary: {
      totalChanges: 3,
      byClassification: { breaking: 2, non_breaking: 1, informational: 0 },
      byEntityType: { tool: 2, prompt: 1 },
    },
    changes: [
      {
        entityType: "tool",
        entityId: "check_stock",
        changeType: "modified",
        classification: "breaking",
        fieldChanges: [
          { path: "/inputSchema/required", classification: "breaking" },
          { path: "/description", classification: "informational", before: "Other words." },
        ],
      },
      { entityType: "tool", entityId: "gone", changeType: "removed", classification: "breaking" },
      { entityType: "prompt", entityId: "recommend_books", changeType: "added", fieldChanges: [] },
    ],
    baselineSummary: { tools: 10, prompts: 0 },
    currentSummary: { tools: 9, prompts: 1 },
  });
  expect(JSON.parse(await readFile(join(cwd, "diff.json"), "utf8"))).toEqual(JSON.parse(stdout));
  expect((await fettle(...diff, "--fail-on", "none")).exitCode).toBe(0);
  const human = await fettle(...diff, "--format", "human");
  expect(human.stdout).toContain("3 changes: 2 breaking, 1 non-breaking, 0 informational");
  const junit = await fettle(...diff, "--reporter", "junit-xml");
  expect(junit.stdout).toContain('failures="2"');
});

test.each([
  [[], "Say what to compare"],
  [["--left", "lock.json"], "Say what to compare"],
  [["--baseline", "lock.json"], "Name exactly one server"],
  [["--baseline", "lock.json", "--left", "lock.json"], "Give --baseline and a server, or --left and --right"],
  [["--left", "lock.json", "--right", "lock.json", "--url", "http://x/"], "--url is about a server"],
  [["--left", "none.json", "--right", "lock.json"], "cannot be read"],
  [["--left", "odd.json", "--right", "lock.json"], "neither a surface lock nor"],
])("%j is a usage error that says why", async (flags, why) => {
  const { fettle, cwd } = await testWorld();
  await writeFile(join(cwd, "lock.json"), '{"kind":"surface-lock","schemaVersion":1,"capabilities":{}}');
  await writeFile(join(cwd, "odd.json"), "{}");
  const { stderr, exitCode } = await fettle("server", "diff", ...flags);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toContain(why);
});
