/** @module A whole protocol run beside the official suite's, each as a program of its own, on the same server. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { must } from "../packages/contract/src/formats/index.ts";
import { type Bench, inRounds, median, type Row } from "./bench.ts";
import { inFolder } from "./opening.ts";

const root = join(import.meta.dirname, "..");
export const fettle = join(root, "dist", "fettle", "launcher.mjs");
const sample = join(root, "packages", "samples", "src", "everything", "main.ts");
const fromChecks = createRequire(join(root, "packages", "checks", "package.json"));
export const official = dirname(fromChecks.resolve("@modelcontextprotocol/conformance/package.json"));
const rounds = 5;

export const conformanceBench: Bench = {
  name: "conformance",
  run: () =>
    inFolder(async (home) => {
      const server = spawn(process.execPath, [sample], { stdio: ["ignore", "pipe", "inherit"] });
      try {
        const [line] = await once(server.stdout.setEncoding("utf8"), "data");
        const url = String(line).trim();
        const rows: Row[] = [];
        for (const revision of ["2025-11-25", "2026-07-28"])
          rows.push(...(await compare(url, revision, home)));
        return rows;
      } finally {
        server.kill("SIGKILL");
      }
    }),
};

interface Measured {
  ms: number;
  checks: number;
}

async function compare(url: string, revision: string, home: string): Promise<Row[]> {
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await runOurs(url, revision, home));
    theirs.push(await runOfficial(url, revision, home));
  }
  const each = (of: (own: Measured, other: Measured) => number) =>
    ours.map((own, round) => of(own, must(theirs[round], "the other side of the round")));
  return [
    inRounds({
      what: `${revision}: fettle protocol conformance`,
      rounds: each((own) => own.ms),
      unit: "ms",
    }),
    inRounds({
      what: `${revision}: the official suite, without tasks`,
      rounds: each((_, other) => other.ms),
      unit: "ms",
    }),
    inRounds({
      what: `${revision}: times faster`,
      rounds: each((own, other) => other.ms / own.ms),
      unit: "x",
      goal: { atLeast: 4 },
    }),
    { what: `${revision}: checks by fettle`, value: median(each((own) => own.checks)), unit: "" },
    {
      what: `${revision}: checks by the official suite`,
      value: median(each((_, other) => other.checks)),
      unit: "",
    },
  ];
}

async function runOurs(url: string, revision: string, home: string): Promise<Measured> {
  const args = [fettle, "protocol", "conformance", "--url", url, "--protocol-version", revision];
  const started = performance.now();
  const child = start([...args, "--format", "json", "--quiet"], home);
  const [output] = await Promise.all([
    text(must(child.stdout, "a pipe from the child")),
    once(child, "close"),
  ]);
  const { checks, passed } = JSON.parse(output);
  if (!passed) throw new Error(`The sample did not pass our own suite in ${revision}.`);
  const judged = checks.filter(({ skipReason }: { skipReason?: string }) => skipReason === undefined);
  return { ms: performance.now() - started, checks: judged.length };
}

/** Without its scenarios of the tasks extension, which `protocol conformance` leaves to `tasks conformance`. */
async function runOfficial(url: string, revision: string, home: string): Promise<Measured> {
  const folder = await mkdtemp(join(home, "official-"));
  const startedAt = Date.now();
  const options = ["--url", url, "--requirements", revision, "-o", folder];
  const child = start([join(official, "dist/index.js"), "server", ...options], home);
  await Promise.all([text(must(child.stdout, "a pipe from the child")), once(child, "close")]);
  const endedAt = Date.now();
  const scenarios = (await readdir(folder)).map(readScenario).toSorted((one, other) => one.at - other.at);
  const ids = new Set<string>();
  let ms = (scenarios[0]?.at ?? endedAt) - startedAt;
  for (const [index, { name, scenario, at }] of scenarios.entries()) {
    if (scenario.startsWith("tasks-")) continue;
    ms += (scenarios[index + 1]?.at ?? endedAt) - at;
    const file = await readFile(join(folder, name, "checks.json"), "utf8");
    const checks: { id: string; status: string }[] = JSON.parse(file);
    // One that is made anew in every scenario, as that of the schema, is one check.
    for (const { id, status } of checks) if (status === "SUCCESS") ids.add(id);
  }
  return { ms, checks: ids.size };
}

function start(args: readonly string[], home: string): ChildProcess {
  const env = { ...process.env, FETTLE_HOME: home };
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env });
}

/** `server-tools-list-2026-11-15T17-18-06-858Z`: which scenario, and when it began. */
export function readScenario(name: string): { name: string; scenario: string; at: number } {
  const [, scenario = "", day, hours, minutes, seconds, ms] =
    /^server-(.+)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d+)Z$/.exec(name) ?? [];
  return { name, scenario, at: Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`) };
}
