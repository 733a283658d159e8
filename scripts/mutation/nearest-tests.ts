/** @module Which tests stand nearest to a file: those that reach it by few imports and lie close to it. */
import { dirname } from "node:path";

/** Of equally few imports the closer folder counts more: a room's tests are about that room. */
const folderWeight = 2;

/**
 * `usedBy`: files with those that use them.
 *
 * @example
 * nearestTests(filesByUse(root), "packages/mcp/src/target.ts", 6);
 */
export function nearestTests(
  usedBy: ReadonlyMap<string, readonly string[]>,
  file: string,
  count: number,
): string[] {
  const tests = [...distancesTo(usedBy, file)].filter(
    ([path]) => path.endsWith(".test.ts") && !/\.(?:browser|soak)\.test\.ts$/.test(path),
  );
  // A package answers for itself: tests of others count only where none of its own reaches the file.
  const own = tests.filter(([path]) => packageOf(path) === packageOf(file));
  return (own.length > 0 ? own : tests)
    .map(([path, imports]) => ({
      path,
      away: imports + folderWeight * stepsBetween(dirname(file), dirname(path)),
    }))
    .sort((a, b) => a.away - b.away || a.path.localeCompare(b.path))
    .slice(0, count)
    .map(({ path }) => path);
}

/** Every file that reaches the one asked for, with the number of imports in between. */
function distancesTo(usedBy: ReadonlyMap<string, readonly string[]>, file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  // A map goes on to what is added while it is read.
  for (const [next, imports] of distances) {
    for (const user of usedBy.get(next) ?? []) if (!distances.has(user)) distances.set(user, imports + 1);
  }
  return distances;
}

function stepsBetween(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return a.length - shared + b.length - shared;
}

const packageOf = (path: string) => path.split("/").slice(0, 2).join("/");
