/** @module Holds the packages' imports to the design: only upwards, only through the front door. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** What each package may import of ours, as DESIGN says. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  mcp: ["contract"],
  checks: ["contract", "mcp"],
  evals: ["contract", "mcp"],
  insights: ["contract"],
  service: ["contract", "mcp", "checks", "evals", "insights", "samples"],
  cli: ["contract", "mcp", "checks", "evals", "insights", "samples", "service"],
  web: ["contract"],
  samples: [],
};

/** Tests may stand anything up beside the thing they test. */
const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter(
  (path) => /^[a-z]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path),
);

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, "packages", path), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1]!);
}

test("a package imports only the packages the design allows, and only by name", () => {
  const broken = sources.flatMap((path) => {
    const own = path.split("/")[0]!;
    return importsOf(path).flatMap((specifier) => {
      const named = /^(?:@fettle\/([a-z]+)|(fettle))(\/.*)?$/.exec(specifier);
      if (named) {
        const other = named[1] ?? "cli";
        const isAllowed = other === own || allowed[own]?.includes(other);
        return isAllowed && !named[3] ? [] : [`${path} imports ${specifier}`];
      }
      if (!specifier.startsWith(".")) return [];
      const target = relative(join(root, "packages", own), join(root, "packages", path, "..", specifier));
      return target.startsWith("..") ? [`${path} reaches outside its package: ${specifier}`] : [];
    });
  });
  expect(broken).toEqual([]);
});

test("no file is a dumping ground", () => {
  const names = sources.filter((path) => /\/(utils?|helpers?|common|misc|manager|types)\.tsx?$/.test(path));
  expect(names).toEqual([]);
});

test("no module re-exports everything of another", () => {
  const stars = sources.filter((path) =>
    /^export \* from/m.test(readFileSync(join(root, "packages", path), "utf8")),
  );
  expect(stars).toEqual([]);
});

/** The packages whose rooms (the folders of `src`) are in an order: each imports only rooms that come before it. */
const ordered = ["contract", "mcp"];

test("the rooms of a package import one another one way", () => {
  const roomOf = (path: string) => /^\w+\/src\/([^/]+)\//.exec(path)?.[1];
  const circles = ordered.flatMap((own) => {
    const arrows = new Map<string, Set<string>>();
    for (const path of sources.filter((source) => source.startsWith(`${own}/`))) {
      const room = roomOf(path);
      for (const specifier of importsOf(path).filter((name) => name.startsWith("."))) {
        const other = roomOf(join(path, "..", specifier));
        if (room && other && room !== other) arrows.set(room, (arrows.get(room) ?? new Set()).add(other));
      }
    }
    const reached = (room: string, seen = new Set<string>()): Set<string> => {
      for (const other of arrows.get(room) ?? []) if (!seen.has(other)) reached(other, seen.add(other));
      return seen;
    };
    return [...arrows.keys()].filter((room) => reached(room).has(room)).map((room) => `${own}/${room}`);
  });
  expect(circles).toEqual([]);
});
