/** @module Builds the app and holds it to its size, and to what its policy promises. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Manifest } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pages } from "../app/pages.ts";

const KB = 1024;
const run = promisify(execFile);
const viteBin = join(createRequire(import.meta.url).resolve("vite/package.json"), "../bin/vite.js");
let folder: string;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-web-"));
  // A process of its own: inside the test runner React would be built for development.
  await run(process.execPath, [viteBin, "build", "--outDir", folder, "--manifest", "--logLevel", "error"], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, NODE_ENV: "production" },
  });
  manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A chunk and all it imports at once. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const each of manifest[name]?.imports ?? []) closure(each, seen);
  return seen;
}

const gz = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
const sizeOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gz(manifest[name]!.file), 0);
const routeNames = () => Object.keys(manifest).filter((name) => name.startsWith("src/routes/"));

test("the workspace with its heaviest first page stays below 200 KB", () => {
  const shell = closure("index.html");
  const heaviest = Math.max(...routeNames().map((name) => sizeOf(closure(name).difference(shell))));
  expect(sizeOf(shell) + heaviest).toBeLessThan(200 * KB);
});

test("a bare page stays below 110 KB", () => {
  const shell = closure("bare.html");
  const bare: readonly string[] = pages
    .filter(({ entry }) => entry === "bare")
    .map(({ id }) => `src/routes/${id}.tsx`);
  for (const name of bare) expect(sizeOf(closure(name).union(shell)), name).toBeLessThan(110 * KB);
});

test("bare pages never load the workspace", () => {
  const text = [...closure("bare.html")]
    .map((name) => readFileSync(join(folder, manifest[name]!.file), "utf8"))
    .join();
  expect(text).not.toContain("QueryClient");
  expect(text).not.toContain("radix");
});

test("any other page brings less than 40 KB of its own", () => {
  const shell = closure("index.html").union(closure("bare.html"));
  for (const name of routeNames())
    expect(sizeOf(closure(name).difference(shell)), name).toBeLessThan(40 * KB);
});

test("the style sheet stays below 25 KB", () => {
  const sheets = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".css"));
  expect(sheets.reduce((sum, name) => sum + gz(`assets/${name}`), 0)).toBeLessThan(25 * KB);
});

test("documents hold no inline script or style, and scripts compile nothing at run time", () => {
  for (const name of ["index.html", "bare.html"]) {
    const html = readFileSync(join(folder, name), "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  }
  for (const name of readdirSync(join(folder, "assets")).filter((each) => each.endsWith(".js"))) {
    expect(readFileSync(join(folder, "assets", name), "utf8"), name).not.toMatch(
      /\bnew Function\(|[^.\w]eval\(/,
    );
  }
});

test("no validator reaches the browser", () => {
  for (const name of readdirSync(join(folder, "assets")).filter((each) => each.endsWith(".js"))) {
    expect(readFileSync(join(folder, "assets", name), "utf8"), name).not.toMatch(/ZodError|\b_zod\b/);
  }
});
