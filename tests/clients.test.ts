/** @module Clients that others generate from our document: they are generated, type checked, and run against a live service. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { apiDocument } from "@fettle/contract/document";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { sampleProject } from "../packages/service/src/testing/examples/sample-project.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "clients");
const made = join(folder, "dist");
const node = (script: string, ...words: string[]) =>
  run(process.execPath, [join(folder, "node_modules", script), ...words], { cwd: folder }).catch((error) => {
    throw new Error(`${script}: ${error.stderr} ${error.stdout}`);
  });

test("two generators make clients of the document that compile, call a tool, make a suite, launch a run and follow it", async () => {
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  const document = join(made, "openapi.json");
  writeFileSync(document, JSON.stringify(apiDocument()));
  const sampling = sampleProject();
  await node("openapi-typescript/bin/cli.js", document, "-o", join(made, "openapi-typescript.ts"));
  await node("@hey-api/openapi-ts/bin/run.js", "-i", document, "-o", join(made, "hey-api"));
  await node("typescript/bin/tsc", "--noEmit");

  await using sample = await sampling;
  const home = mkdtempSync(join(tmpdir(), "fettle-clients-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { FETTLE_API_URL: `${sample.service.url}/api/v1`, FETTLE_API_KEY: sample.key };
  for (const program of ["with-openapi-fetch", "with-hey-api"]) {
    const bundle = join(home, `${program}.mjs`);
    await build({
      entryPoints: [join(folder, `${program}.ts`)],
      outfile: bundle,
      bundle: true,
      format: "esm",
      platform: "node",
    });
    const { stdout } = await run(process.execPath, [bundle], { env });
    expect(JSON.parse(stdout), program).toEqual({
      isError: false,
      cases: 1,
      events: expect.arrayContaining(["session_start", "turn", "session_end", "run_complete"]),
      ended: "completed",
      run: "completed",
    });
  }
});
