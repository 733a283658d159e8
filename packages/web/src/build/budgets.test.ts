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
import { isBare, pages } from "../pages/pages.ts";

const KB = 1024;
const run = promisify(execFile);
const viteBin = join(createRequire(import.meta.url).resolve("vite/package.json"), "../bin/vite.js");
let folder: string;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-web-"));
  // A process of its own: inside the test runner React would be built for development.
  await run(
    process.execPath,
    [viteBin, "build", "--configLoader", "native", "--outDir", folder, "--manifest", "--logLevel", "error"],
    {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
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
const scriptsWith = (shape: RegExp) =>
  readdirSync(join(folder, "assets"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `assets/${name}`)
    .filter((file) => shape.test(readFileSync(join(folder, file), "utf8")));
const routeNames = () => Object.keys(manifest).filter((name) => name.startsWith("src/routes/"));

test("the workspace with its heaviest first page stays below 201 KB", () => {
  const shell = closure("index.html");
  const heaviest = Math.max(...routeNames().map((name) => sizeOf(closure(name).difference(shell))));
  // Of these 0.7 are the shapes of keys that commands are shown without.
  expect(sizeOf(shell) + heaviest).toBeLessThan(201 * KB);
});

test("a bare page stays below 110 KB", () => {
  const shell = closure("bare.html");
  const bare = pages.filter(isBare).map(({ id }) => `src/routes/entrance/${id}.tsx`);
  for (const name of bare) expect(sizeOf(closure(name).union(shell)), name).toBeLessThan(110 * KB);
});

test("bare pages never load the workspace", () => {
  const loaded = [...closure("bare.html")].map((name) => manifest[name]!.file);
  const workspace = scriptsWith(/QueryClient|radix/);
  expect(workspace.length).toBeGreaterThan(0);
  expect(loaded.filter((file) => workspace.includes(file))).toEqual([]);
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
  expect(scriptsWith(/\bnew Function\(|[^.\w]eval\(/)).toEqual([]);
});

test("no validator reaches the browser", () => {
  expect(scriptsWith(/ZodError|\b_zod\b/)).toEqual([]);
});
