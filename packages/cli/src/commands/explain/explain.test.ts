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
    expect(told.command).toMatch(/^fettle (protocol|apps|tasks|oauth) conformance /);
  }
});

test("a person reads the rule, its sentence's address, why it matters and how to mend it", async () => {
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const { stdout, stderr, exitCode } = await fettle("explain", "error-id-echo", "--format", "human");
  expect(exitCode).toBe(0);
  for (const heading of ["Asks", "Goes by", "Why it matters", "How to mend it"])
    expect(stdout).toContain(heading);
  expect(stdout).toMatch(/https:\/\/modelcontextprotocol\.io\/specification\//);
  expect(stdout).toContain("decides a run");
  expect(stderr).toContain("fettle protocol conformance http://127.0.0.1:3001/mcp --check-id error-id-echo");
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
  expect(JSON.parse(stderr).error.choices[0]).toBe("error-id-echo");
});
