/** @module Holds the files of each package, of the benches and of the scripts to small circles of imports, types counted. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = [
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
  "bench",
  "scripts",
];

/** A file and its two nearest may know one another; past that nobody can say which comes first. */
const most = 3;

const isTest = (path: string) => /\.test\.tsx?$|(?:^|\/)testing[-./]/.test(path);

/** The files of a folder, each with those it imports of the same folder. */
function importsIn(folder: string): Map<string, string[]> {
  const source = join(root, folder);
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.tsx?$/.test(path) && !isTest(path),
  );
  const known = new Set(files);
  return new Map(
    files.map((path) => {
      const text = readFileSync(join(source, path), "utf8");
      const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)];
      return [path, specifiers.map(([, to]) => join(path, "..", to!)).filter((to) => known.has(to))];
    }),
  );
}

/** The strongly connected files of a graph (Tarjan), those alone left out. */
function circlesOf(graph: Map<string, string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const to of graph.get(file)!) {
      if (!order.has(to)) lowest.set(file, Math.min(lowest.get(file)!, visit(to)));
      else if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, order.get(to)!));
    }
    if (lowest.get(file) === order.get(file)) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle);
    }
    return lowest.get(file)!;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.sort((one, other) => other.length - one.length);
}

test("a circle is found through types and through several files, and what only leads to it is left out", () => {
  const graph = new Map([
    ["way-in.ts", ["a.ts"]],
    ["a.ts", ["b.ts"]],
    ["b.ts", ["c.ts", "leaf.ts"]],
    ["c.ts", ["d.ts"]],
    ["d.ts", ["a.ts"]],
    ["leaf.ts", []],
  ]);
  expect(circlesOf(graph)).toEqual([["a.ts", "b.ts", "c.ts", "d.ts"]]);
});

test.each(sources)("no circle of imports in %s is larger than three files", (name) => {
  const [largest = []] = circlesOf(importsIn(name));
  expect(largest.length, largest.join(", ")).toBeLessThanOrEqual(most);
});

test("what a process of the service holds imports nothing", () => {
  expect(importsIn("packages/service/src").get("core/app.ts")).toEqual([]);
});
