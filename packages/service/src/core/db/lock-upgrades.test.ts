import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..", "..");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
);

/**
 * Two who share a row's lock and then change the row wait for each other for ever. Whoever must keep a row as it is takes
 * `FOR KEY SHARE`, and whoever changes it `FOR UPDATE` first: a change of other columns after `FOR KEY SHARE` waits for nobody.
 */
test("no statement locks rows FOR SHARE", () => {
  const shared = files.filter((path) => {
    const text = readFileSync(join(source, path), "utf8").replaceAll(/`FOR SHARE`/g, "");
    return /\.for\(\s*"share"|\bfor\s+share\b/i.test(text);
  });
  expect(shared).toEqual([]);
});
