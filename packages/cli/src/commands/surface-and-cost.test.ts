import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBookshop, startHostile } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../testing/world.ts";

let url: string[];
let close: () => Promise<void>;
beforeAll(async () => {
  const bookshop = await startBookshop();
  url = ["--url", bookshop.url];
  close = bookshop.close;
});
afterAll(() => close());

test("a surface that did not change passes, and one that did says what broke", async () => {
  const world = await testWorld();
  const lock = JSON.parse(
    (await world.fettle("server", "surface", "lock", ...url, "--skip", "resources")).stdout,
  );
  expect(lock).toMatchObject({
    tools: 9,
    prompts: 1,
    resourceTemplates: 2,
    file: join(world.cwd, "fettle-surface.json"),
  });
  expect(lock).not.toHaveProperty("resources");
  const same = await world.fettle("server", "surface", "check", ...url, "--fail-on", "any");
  expect(JSON.parse(same.stdout)).toMatchObject({ passed: true, changes: [], summary: { total: 0 } });

  const locked = JSON.parse(await readFile(lock.file, "utf8"));
  locked.tools.gone = locked.tools.get_book;
  locked.tools.check_stock.description = "Other words.";
  await writeFile(lock.file, JSON.stringify(locked));
  const changed = await world.fettle("server", "surface", "check", ...url);
  expect(changed.exitCode).toBe(1);
  expect(JSON.parse(changed.stdout)).toMatchObject({
    passed: false,
    failOn: "breaking",
    summary: { total: 2, breaking: 1, "text-only": 1 },
    changes: [
      { kind: "tool", name: "gone", change: "removed" },
      { name: "check_stock", path: "/description" },
    ],
  });
  const human = await world.fettle("server", "surface", "check", ...url, "--format", "human");
  expect(human.stdout).toContain("2 changes: 1 breaking, 0 compatible, 1 text-only");
  const junit = await world.fettle("server", "surface", "check", ...url, "--reporter", "junit-xml");
  expect(junit.stdout).toContain('failures="1"');
});

test.each([
  ["breaking", 0],
  ["text-only", 1],
  ["any", 1],
  ["none", 0],
])("a change of words under --fail-on %s exits %i", async (failOn, exitCode) => {
  const world = await testWorld();
  await world.fettle("server", "surface", "lock", ...url, "--lock", "a.json");
  const path = join(world.cwd, "a.json");
  await writeFile(path, (await readFile(path, "utf8")).replace("Returns information.", "Returns facts."));
  expect(
    (await world.fettle("server", "surface", "check", ...url, "--lock", "a.json", "--fail-on", failOn))
      .exitCode,
  ).toBe(exitCode);
});

test("without a usable lock the check is a usage error that says how to write one", async () => {
  const world = await testWorld();
  const { stderr, exitCode } = await world.fettle("server", "surface", "check", ...url, "--format", "human");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("fettle server surface lock");
  await writeFile(join(world.cwd, "fettle-surface.json"), "{}");
  expect((await world.fettle("server", "surface", "check", ...url)).exitCode).toBe(2);
});

test("a list without an end is not locked", async () => {
  const hostile = await startHostile("endless-pages");
  onTestFinished(() => hostile.close());
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle("server", "surface", "lock", "--url", hostile.url);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr).error.message).toContain("does not end");
});

test("tools cost counts for each host, and holds them to a budget", async () => {
  const { fettle } = await testWorld();
  const cost = JSON.parse((await fettle("tools", "cost", ...url)).stdout);
  expect(cost.hosts.map((host: { host: string }) => host.host)).toEqual(["claude", "chatgpt", "cursor"]);
  expect(cost.hosts[0]).toMatchObject({
    accuracy: "estimate",
    totalTokens: expect.any(Number),
    toolsDroppedVisibility: 1,
  });
  const tight = await fettle("tools", "cost", ...url, "--host", "chatgpt", "--budget", "10");
  expect(tight.exitCode).toBe(1);
  expect(JSON.parse(tight.stdout)).toMatchObject({
    budget: 10,
    withinBudget: false,
    hosts: [{ accuracy: "exact encoding" }],
  });
  expect((await fettle("tools", "cost", ...url, "--host", "nobody")).exitCode).toBe(2);
  const human = await fettle(
    "tools",
    "cost",
    ...url,
    "--host",
    "claude",
    "--budget",
    "9000",
    "--format",
    "human",
  );
  expect(human.stdout).toMatch(/^TOOL +CLAUDE\n/);
  expect(human.stdout).toContain("✓ within the budget of 9000");
});
