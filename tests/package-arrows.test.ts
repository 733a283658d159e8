/** @module Holds the packages' imports to the design: only upwards, only through a door. */
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

interface Manifest {
  name: string;
  exports?: Record<string, string>;
}

/** What a package may be asked for by, with the file behind it. */
const doors = new Map(
  readdirSync(join(root, "packages")).flatMap((own) => {
    const text = readFileSync(join(root, "packages", own, "package.json"), "utf8");
    const { name, exports = {} } = JSON.parse(text) as Manifest;
    return Object.entries(exports).map(([sub, file]) => [name + sub.slice(1), join("packages", own, file)]);
  }),
);

/** Tests may stand anything up beside the thing they test. */
const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter(
  (path) => /^[a-z]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path),
);

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, "packages", path), "utf8");
  return [...text.matchAll(/(?:from|import(?:\.meta\.glob<.*>)?)\s*\(?\s*["']([^"']+)["']/g)].map(
    (match) => match[1]!,
  );
}

test("a package imports only the packages the design allows, and only by name", () => {
  const broken = sources.flatMap((path) => {
    const own = path.split("/")[0]!;
    return importsOf(path).flatMap((specifier) => {
      const named = /^(?:@fettle\/([a-z]+)|(fettle))(\/.*)?$/.exec(specifier);
      if (named) {
        const other = named[1] ?? "cli";
        const isAllowed = other === own || allowed[own]?.includes(other);
        return isAllowed && doors.has(specifier) ? [] : [`${path} imports ${specifier}`];
      }
      if (!specifier.startsWith(".")) return [];
      const target = relative(join(root, "packages", own), join(root, "packages", path, "..", specifier));
      return target.startsWith("..") ? [`${path} reaches outside its package: ${specifier}`] : [];
    });
  });
  expect(broken).toEqual([]);
});

test("every door of a package is a file that only says what stands behind it", () => {
  const said = /^export (?:type )?\{[^}]*\} from "\.[^"]+";\n/gm;
  const comments = /^\/\*\*.*?\*\/\n/gms;
  const more = [...doors].filter(
    ([, file]) =>
      readFileSync(join(root, file), "utf8").replace(said, "").replace(comments, "").trim() !== "",
  );
  // The samples are other people's servers as far as the rest can tell.
  expect(more.map(([door]) => door)).toEqual(["@fettle/samples"]);
});

test("nobody, tests and benches either, asks a package for what it does not offer", () => {
  const everywhere = ["packages", "tests", "bench", "scripts"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
      .map((path) => join(top, path)),
  );
  const past = everywhere.flatMap((path) =>
    [
      ...readFileSync(join(root, path), "utf8").matchAll(
        /^(?:import|export)\b[^;]*?\bfrom "(@fettle\/[^"]+)";/gm,
      ),
    ]
      .filter(([, specifier]) => !doors.has(specifier!))
      .map(([, specifier]) => `${path} imports ${specifier}`),
  );
  expect(past).toEqual([]);
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

/** Every `src` and every folder directly in it: what stands in a folder of theirs is in that room. */
const houses = new Set(
  sources.flatMap((path) => {
    const [own, src, room, ...inside] = path.split("/");
    return [`${own}/${src}/`, ...(inside.length > 0 ? [`${own}/${src}/${room}/`] : [])];
  }),
);

test.each([...houses])("the rooms of %s import one another one way, types included", (house) => {
  // What stands beside the rooms of a package is a room, too: two rooms must not meet through it. Files of one room may be near.
  const name = house.endsWith("/src/") ? /^[^/]+/ : /^([^/]+)\//;
  const roomOf = (path: string) =>
    path.startsWith(house) ? name.exec(path.slice(house.length))?.[0] : undefined;
  const arrows = new Map<string, Map<string, string>>();
  for (const path of sources) {
    const room = roomOf(path);
    for (const specifier of room ? importsOf(path).filter((name) => name.startsWith(".")) : []) {
      const target = join(path, "..", specifier);
      const other = roomOf(target);
      if (!room || !other || room === other) continue;
      arrows.set(room, (arrows.get(room) ?? new Map()).set(other, `${path} imports ${target}`));
    }
  }
  const reached = (room: string, seen = new Set<string>()): Set<string> => {
    for (const other of arrows.get(room)?.keys() ?? []) if (!seen.has(other)) reached(other, seen.add(other));
    return seen;
  };
  const circles = [...arrows].flatMap(([room, others]) =>
    [...others].filter(([other]) => reached(other).has(room)).map(([, arrow]) => arrow),
  );
  expect(circles).toEqual([]);
});
