/** @module The worked example of CONTRIBUTING.md, built as it is written: in a copy of the tree, touching the files it lists and no others. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { testDatabase } from "@fettle/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
let copy: string;
let touched: string[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "fettle-example-"));
  await copyTree();
  const text = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const patches = [...text.matchAll(/^```diff\n(.*?)^```/gms)].map(([, patch]) => patch!);
  touched = patches.map((patch) => /^\+\+\+ b\/(.*)$/m.exec(patch)![1]!);
  await writeFile(join(copy, "example.patch"), patches.join(""));
  await run("git", ["apply", "example.patch"], { cwd: copy });
  for (const each of ["contract", "cli"])
    await run(process.execPath, [`packages/${each}/scripts/generate.ts`], { cwd: copy });
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Sources are copied; what is installed is linked, except our own packages, which are those of the copy. */
async function copyTree(): Promise<void> {
  const isSource = (path: string) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(root.length));
  for (const name of ["packages", "docs", "package.json", "tsconfig.json"])
    await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
  await mkdir(join(copy, "node_modules/@fettle"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules")))
    if (name !== "@fettle") await symlink(join(root, "node_modules", name), join(copy, "node_modules", name));
  for (const name of await readdir(join(copy, "packages")))
    await symlink(join(copy, "packages", name), join(copy, "node_modules/@fettle", name));
  await symlink(join(root, "packages/web/node_modules"), join(copy, "packages/web/node_modules"));
}

test("it touches six files, each of them where such a thing belongs", () => {
  expect(touched).toHaveLength(6);
  expect(touched.map((path) => path.split("/")[1])).toEqual([
    "contract",
    "service",
    "service",
    "cli",
    "web",
    "web",
  ]);
});

test("it compiles, on the service's side and on the pages'", async () => {
  const check = async (name: string, base: string, files: string[]) => {
    const config = { extends: base, files, include: [] };
    await writeFile(join(copy, name), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    // The compiler prints its findings on standard output, which a failed run would not show.
    const found = await run(process.execPath, [compiler, "--checkers", "1", "-p", name], {
      cwd: copy,
    }).then(
      () => "",
      (error: { stdout?: string; message: string }) => error.stdout || error.message,
    );
    expect(found).toBe("");
  };
  // The table of bindings is checked along: it asks for one of each operation.
  await check("tsconfig.back.json", "./tsconfig.json", [
    ...touched.filter((path) => !path.startsWith("packages/web/")),
    "packages/service/src/bindings.ts",
  ]);
  await check("tsconfig.pages.json", "./packages/web/tsconfig.json", [
    ...touched.filter((path) => path.startsWith("packages/web/")),
  ]);
});

test("its command calls it, and its page names the command", async () => {
  const database = await testDatabase();
  const home = await mkdtemp(join(tmpdir(), "fettle-example-home-"));
  const env = { ...process.env, FETTLE_FROM: "source", FETTLE_HOME: home, NO_COLOR: "1" };
  const bin = join(copy, "packages/cli/bin/fettle.mjs");
  const service = spawn(process.execPath, [bin, "serve", "--port", "0", "--format", "json", "--sample"], {
    env: { ...env, DATABASE_URL: database.url.reveal() },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(createInterface(service.stdout), "line")) as [string];
    const { url, apiKey, projectId } = JSON.parse(line);
    const fettle = async (...words: string[]) => {
      const { stdout } = await run(
        process.execPath,
        [bin, "cloud", ...words, "--project", projectId, "--format", "json"],
        {
          env: { ...env, FETTLE_API_KEY: apiKey, FETTLE_API_URL: url },
        },
      );
      return JSON.parse(stdout);
    };
    const { items } = await fettle("projects", "servers", "list");
    const made = await fettle("server-groups", "create", "--name", "Shops", "--server", items[0].name);
    expect(await fettle("server-groups", "get", "--group", made.id)).toMatchObject({
      id: made.id,
      name: "Shops",
      serverNames: [items[0].name],
    });

    const listed = join(copy, "packages/web/src/pages");
    const { pageById } = await import(join(listed, "pages.ts"));
    const { commandLine } = await import(join(listed, "command-line.ts"));
    expect(commandLine(pageById("server-group-card"), { pid: projectId, gid: made.id })).toBe(
      `fettle cloud server-groups get --project ${projectId} --group ${made.id}`,
    );
  } finally {
    const gone = once(service, "exit");
    service.kill("SIGTERM");
    await gone;
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
});
