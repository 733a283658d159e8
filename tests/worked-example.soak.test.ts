/** @module The worked example of an operation, with its command and its page. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { testDatabase } from "@fettle/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltExample, buildExample, run } from "./worked-examples.ts";

let example: BuiltExample;
let copy: string;
let touched: string[];

beforeAll(async () => {
  example = await buildExample("an operation with its command and its page");
  ({ copy, touched } = example);
  for (const each of ["contract", "cli", "service"])
    await run(process.execPath, [`packages/${each}/scripts/generate.ts`], { cwd: copy });
});
afterAll(() => example[Symbol.asyncDispose]());

test("it compiles, on the service's side and on the pages'", async () => {
  // The table of bindings is checked along: it asks for one of each operation. So is the start: it knows every part of an `App`.
  const ofService = await example.compile("./tsconfig.json", [
    ...touched.filter((path) => !path.startsWith("packages/web/")),
    "packages/service/src/start/bindings.ts",
    "packages/service/src/start/create-app.ts",
  ]);
  expect(ofService).toBe("");
  const ofPages = await example.compile("./packages/web/tsconfig.json", [
    ...touched.filter((path) => path.startsWith("packages/web/")),
  ]);
  expect(ofPages).toBe("");
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
