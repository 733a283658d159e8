// Which test files a change can reach: `npm test -- --changed`. By what files import, by the names of files that they start or
// read, and by folder for what nothing imports (snapshots, migrations, documents). Plain JavaScript, run by Node 24.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { entryOf, readDoor, specifiers } from "./direct-imports.mjs";

const isCode = (path) => /\.(?:tsx?|mjs|mts)$/.test(path);
const isTest = (path) => /\.test\.tsx?$/.test(path) && !path.endsWith(".soak.test.ts");

/** They read the whole tree, and take seconds. */
const wholeTree = [
  "house-rules",
  "package-arrows",
  "families",
  "import-circles",
  "dependencies",
  "terminal-twins",
  "check-kinds",
].map((name) => `tests/${name}.test.ts`);
/** After a change of these, anything may differ. */
const everywhere =
  /^(?:package(?:-lock)?\.json|packages\/\w+\/package\.json|tsconfig\.json|vitest\.config\.ts|scripts\/.*|packages\/service\/migrations\/.*)$/;
/** What starts a program whose file it does not name. */
const starts = {
  "packages/web/src/testing/browser.ts": ["packages/web/src/main.tsx"],
  "packages/service/src/testing/process.ts": ["app-server", "app-worker", "job-worker"].map(
    (name) => `packages/service/src/testing/${name}.ts`,
  ),
};

/** Paths of what differs from where this branch left `ref`, with what is not committed or not yet known to git. */
export function changedSince(root, ref) {
  const git = (...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  const base = execFileSync("git", ["merge-base", ref, "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  return [
    ...git("diff", "--name-only", "-z", base),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}

/** The test files to run, or "all". */
export function reachedTests(root, changed) {
  if (changed.some((path) => everywhere.test(path))) return "all";
  const files = sourceFiles(root);
  const usedBy = filesByUse(root, files);
  const reached = new Set(changed);
  for (const path of reached) for (const user of usedBy.get(path) ?? []) reached.add(user);
  const tests = files.filter(isTest);
  const beside = changed
    .filter((path) => !isCode(path) && !usedBy.has(path))
    .flatMap((path) => nearestTests(path, tests));
  return [...new Set([...tests.filter((path) => reached.has(path)), ...beside, ...wholeTree])]
    .filter((path) => existsSync(join(root, path)))
    .sort();
}

/** Every file of ours that others use, with those that use it. */
export function filesByUse(root, files = sourceFiles(root)) {
  const usedBy = new Map();
  for (const file of files.filter(isCode)) {
    for (const used of usedIn(root, file)) usedBy.set(used, [...(usedBy.get(used) ?? []), file]);
  }
  return usedBy;
}

function sourceFiles(root) {
  return ["packages", "tests", "bench", "scripts"]
    .filter((top) => existsSync(join(root, top)))
    .flatMap((top) =>
      readdirSync(join(root, top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
        .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path)),
    );
}

/** The files of this checkout that one imports, or names as a path from where it lies. */
function usedIn(root, file) {
  const source = readFileSync(join(root, file), "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
  const folder = dirname(file);
  const imports = /(?:import|export)\s+(type\s)?(?:\{([^}]*)\}|[\w*\s,{}]+?)\s+from\s+"([^"]+)"/g;
  const used = new Set(starts[file] ?? []);
  const typesOnly = new Set();
  for (const [, isType, names, from] of source.matchAll(imports)) {
    const taken = names === undefined ? undefined : specifiers(names);
    // Types are gone at run time.
    if (isType || taken?.length === 0) typesOnly.add(from);
    else if (from.startsWith("@fettle/")) for (const path of throughDoor(root, from, taken)) used.add(path);
    else if (from.startsWith(".")) used.add(posix.join(folder, from));
  }
  for (const [, from] of source.matchAll(/(?:import\(|import |vi\.mock\()\s*"([^"]+)"/g)) {
    if (from.startsWith("@fettle/")) for (const path of throughDoor(root, from)) used.add(path);
  }
  // In pieces, as in `join(import.meta.dirname, "..", "main.ts")`, or whole.
  const pieces = [...source.matchAll(/import\.meta\.dirname,((?:\s*"[^"\n]*"\s*,?)+)/g)].map(([, parts]) =>
    [...parts.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("/"),
  );
  const named = [...source.matchAll(/"(\.{1,2}\/[^"\n]+|[\w-]+\.(?:ts|mjs))"/g)].map(([, path]) => path);
  for (const path of [...pieces, ...named]) {
    const found = posix.join(folder, path);
    if (!typesOnly.has(path) && isFile(join(root, found))) used.add(found);
  }
  used.delete(file);
  return used;
}

function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

const doors = new Map();

/** The files that hold the names taken through a package's entry; the entry itself where that cannot be told. */
function throughDoor(root, from, taken) {
  const entry = entryOf(root, from);
  if (entry === undefined) return [];
  const folder = join(root, dirname(entry));
  if (!doors.has(folder)) doors.set(folder, readDoor(folder));
  const door = doors.get(folder);
  if (!taken?.every(({ imported }) => door.has(imported))) return [entry];
  return taken.map(({ imported }) => posix.relative(root, door.get(imported).file));
}

/** Those in the closest folder above a file that has any; where none has, all of its package. */
function nearestTests(path, tests) {
  for (let folder = dirname(path); folder.includes("/"); folder = dirname(folder)) {
    const there = tests.filter((test) => dirname(test) === folder);
    if (there.length > 0) return there;
  }
  const [, ofPackage] = /^(packages\/[\w-]+\/)/.exec(path) ?? [];
  return ofPackage === undefined ? [] : tests.filter((test) => test.startsWith(ofPackage));
}
