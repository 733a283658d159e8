/** @module What counts as a change of watched files, on real folders. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../testing/world.ts";
import { watchFiles } from "./watch-files.ts";

async function stage(root = ".", isOurs: (path: string) => boolean = () => false) {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("src"));
  writeFileSync(at("server.mjs"), "1");
  writeFileSync(at("other.mjs"), "1");
  const watch = watchFiles([join(folder, root)], isOurs);
  onTestFinished(() => watch.close());
  const stop = new AbortController();
  return { at, stop, next: () => watch.next(stop.signal) };
}

/** As `sed -i` and many editors do. */
function replace(at: (name: string) => string, name: string) {
  writeFileSync(at("sedXyZ123"), "2");
  renameSync(at("sedXyZ123"), at(name));
}

test("a file that was put in another's place is told by the name that stays", async () => {
  const { at, next } = await stage();
  replace(at, "server.mjs");
  expect(await next()).toEqual([at("server.mjs")]);
});

test("a file that is removed is a change; one that came and went is none", async () => {
  const { at, next } = await stage();
  const change = next();
  writeFileSync(at("scratch"), "1");
  rmSync(at("scratch"));
  rmSync(at("other.mjs"));
  expect(await change).toEqual([at("other.mjs")]);
});

test("a single file is followed through each replacement, and its neighbours are not", async () => {
  const { at, next } = await stage("server.mjs");
  for (let time = 0; time < 3; time++) {
    const change = next();
    writeFileSync(at("other.mjs"), String(time));
    replace(at, "server.mjs");
    expect(await change).toEqual([at("server.mjs")]);
  }
});

test("a folder that is made anew is followed again", async () => {
  const { at, next } = await stage();
  const gone = next();
  writeFileSync(at("src/a.mjs"), "1");
  await gone;
  const removed = next();
  rmSync(at("src"), { recursive: true });
  await removed;
  const made = next();
  mkdirSync(at("src"));
  writeFileSync(at("src/a.mjs"), "1");
  await made;
  const changed = next();
  writeFileSync(at("src/a.mjs"), "2");
  expect(await changed).toEqual([at("src/a.mjs")]);
});

test("what is watched may go away and come back; where it stays away, that is an error", async () => {
  const { at, next } = await stage("src");
  const change = next();
  rmSync(at("src"), { recursive: true });
  mkdirSync(at("src"));
  writeFileSync(at("src/b.mjs"), "1");
  expect(await change).toContain(at("src"));
  const changed = next();
  writeFileSync(at("src/b.mjs"), "2");
  expect(await changed).toEqual([at("src/b.mjs")]);
  const away = next();
  rmSync(at("src"), { recursive: true });
  await expect(away).rejects.toThrow(`What was watched is gone: ${at("src")}`);
});

test("stops waiting when told so", async () => {
  const { stop, next } = await stage();
  const change = next();
  stop.abort();
  expect(await change).toEqual([]);
});
