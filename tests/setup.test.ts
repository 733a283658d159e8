/** @module What `npm start` and `npm test` install, told by an npm that only writes down what it is asked for. */
import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const packages = { "node_modules/served": {}, "node_modules/tester": { dev: true } };

/** The words that npm is given in a checkout where these packages are installed, for an older lockfile or for this one. */
async function wordsOf(purpose: string, installed: readonly string[], isOld: boolean): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "fettle-setup-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await Promise.all(["scripts", "node_modules", "bin"].map((folder) => mkdir(join(root, folder))));
  await copyFile(join(import.meta.dirname, "../scripts/setup.mjs"), join(root, "scripts/setup.mjs"));
  await writeFile(join(root, "scripts/build.mjs"), "");
  await writeFile(join(root, "package-lock.json"), JSON.stringify({ packages }));
  const marker = join(root, "node_modules/.package-lock.json");
  await writeFile(
    marker,
    JSON.stringify({ packages: Object.fromEntries(installed.map((path) => [path, {}])) }),
  );
  if (isOld) await utimes(marker, 0, 0);
  const words = join(root, "words");
  await writeFile(words, "");
  await writeFile(join(root, "bin/npm"), `#!/bin/sh\necho "$@" >> "${words}"\n`);
  await chmod(join(root, "bin/npm"), 0o755);
  const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` };
  const done = spawnSync(process.execPath, [join(root, "scripts/setup.mjs"), purpose], { env });
  expect(done.status, String(done.stderr)).toBe(0);
  return readFile(words, "utf8");
}

const [served, tester] = Object.keys(packages) as [string, string];

test("npm start leaves out the test tools, but takes them from nobody who has them", async () => {
  expect(await wordsOf("--run", [], true)).toMatch(/^ci --omit=dev /);
  expect(await wordsOf("--run", [served], true)).toMatch(/^ci --omit=dev /);
  expect(await wordsOf("--run", [served, tester], true)).toMatch(/^ci --no-audit /);
  expect(await wordsOf("--run", [served], false)).toBe("");
});

test("npm test adds the test tools to what npm start installed", async () => {
  expect(await wordsOf("--build", [served], false)).toMatch(/^install --no-save --no-audit /);
  expect(await wordsOf("--build", [served, tester], false)).toBe("");
});
