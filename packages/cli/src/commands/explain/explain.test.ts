import { explainableIds } from "@fettle/checks";
import { expect, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

test("every check of every suite is explained, with an address to read", async () => {
  const { fettle } = await testWorld();
  const ids = explainableIds();
  expect(ids.length).toBeGreaterThan(190);
  for (const id of ids) {
    const { stdout } = await fettle("explain", id);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ id, asks: expect.stringMatching(/\w/), why: expect.stringMatching(/\w/) });
    expect(told.mend).toMatch(/\w{4}/);
    expect(told.rules[0].url).toMatch(/^https:\/\//);
    expect(told.command).toMatch(/^fettle (protocol|apps|tasks|oauth) conformance --url "\$SERVER_URL"/);
  }
});

test("a person reads the rule, its sentence's address, why it matters and how to mend it", async () => {
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const { stdout, stderr, exitCode } = await fettle("explain", "error-id-echo", "--format", "human");
  expect(exitCode).toBe(0);
  for (const heading of ["Asks, in our words", "Goes by", "Why it matters", "How to mend it"])
    expect(stdout).toContain(heading);
  expect(stdout).toMatch(/https:\/\/modelcontextprotocol\.io\/specification\//);
  expect(stdout).toContain("decides a run");
  expect(stderr).toContain(
    'fettle protocol conformance --url "$SERVER_URL" --check-id error-id-echo\nBefore: set',
  );
});

test("without an id all checks are listed, or those of one suite", async () => {
  const { fettle } = await testWorld();
  const listed = async (...argv: string[]) => JSON.parse((await fettle("explain", ...argv)).stdout).checks;
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual(explainableIds());
  expect(new Set((await listed("--suite", "tasks")).map(({ suite }: { suite: string }) => suite))).toEqual(
    new Set(["tasks"]),
  );
});

test("a fault of the wire is mended by its own cure", async () => {
  const { fettle } = await testWorld();
  const told = JSON.parse((await fettle("explain", "messages-without-byte-order-mark")).stdout);
  expect(told.mend).toMatch(/byte order mark|BOM/i);
});

test("an id that is none is answered with near ones", async () => {
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle("explain", "error-id-ecco");
  expect(exitCode).toBe(2);
  const { choices, moreChoices, nextCommand } = JSON.parse(stderr).error;
  expect([choices[0], nextCommand]).toEqual(["error-id-echo", "fettle explain error-id-echo"]);
  expect(choices.length + moreChoices).toBe(explainableIds().length);
  const { hint } = JSON.parse((await fettle("explain", "zebra")).stderr).error;
  expect(hint).toBe("See all with `fettle explain`.");
});
