/** @module The whole command from shell to shell: listing and calling a tool against a hand-written minimal client on the same server. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { must } from "../packages/contract/src/formats/index.ts";
import { everythingOverStdio } from "../packages/mcp/src/testing/everything-server.ts";
import { type Bench, inRounds, median, type Row } from "./bench.ts";
import { inFolder } from "./opening.ts";

const here = (name: string) => join(import.meta.dirname, "cli", name);
const fettle = join(import.meta.dirname, "..", "dist", "fettle", "launcher.mjs");
const rounds = 15;

export const cliBench: Bench = {
  name: "cli",
  run: () =>
    inFolder(async (home) => {
      const server = spawn(process.execPath, [here("server.mjs"), "http"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const [line] = await once(server.stdout.setEncoding("utf8"), "data");
        return await measure(home, String(line).trim());
      } finally {
        server.kill("SIGKILL");
      }
    }),
};

async function measure(home: string, url: string): Promise<Row[]> {
  const rows: Row[] = [];
  const call = ["--tool-name", "add", "--tool-args", '{"a":1,"b":2}'];
  const targets = {
    stdio: {
      flags: ["--command", process.execPath, "--args", here("server.mjs"), "stdio"],
      words: [process.execPath, here("server.mjs"), "stdio"],
    },
    http: { flags: ["--url", url], words: [url] },
  };
  const compare = async (name: string, ours: string[], theirs: string[], atMost: number) => {
    const pairs = await sideBySide(home, ours, theirs);
    rows.push(
      { what: `${name}: fettle`, value: median(pairs.map((pair) => pair.ours)), unit: "ms" },
      { what: `${name}: a minimal client`, value: median(pairs.map((pair) => pair.theirs)), unit: "ms" },
      inRounds({
        what: `${name}: times the minimal client`,
        rounds: pairs.map((pair) => pair.ours / pair.theirs),
        unit: "x",
        goal: { atMost },
      }),
    );
  };
  for (const [where, { flags, words }] of Object.entries(targets)) {
    for (const what of ["list", "call"] as const) {
      await compare(
        `tools ${what} over ${where}`,
        [fettle, "tools", what, ...flags, ...(what === "call" ? call : [])],
        [here("client.mjs"), where, what, ...words],
        where === "stdio" ? 1.2 : 1.3,
      );
    }
  }
  // A server that somebody else wrote, slow to start and slow to leave.
  const { command, args } = everythingOverStdio;
  await compare(
    "tools list of server-everything",
    [fettle, "tools", "list", "--", command, ...args],
    [here("client.mjs"), "stdio", "list", command, ...args],
    1.2,
  );
  for (const { flag, atMost } of [
    { flag: "--version", atMost: 1.3 },
    { flag: "--help", atMost: 1.3 },
  ]) {
    const pairs = await sideBySide(home, [fettle, flag], ["-e", "0"]);
    rows.push(
      inRounds({
        what: `fettle ${flag}, times bare Node`,
        rounds: pairs.map(({ ours, theirs }) => ours / theirs),
        unit: "x",
        goal: { atMost },
      }),
    );
  }
  for (const [where, { flags }] of Object.entries(targets)) {
    const kibibytes = await peakMemory(home, [fettle, "tools", "list", ...flags]);
    rows.push({
      what: `tools list over ${where}: peak memory`,
      value: kibibytes / 1024,
      unit: "MiB",
      goal: { atMost: 90 },
    });
  }
  return rows;
}

interface Pair {
  ours: number;
  theirs: number;
}

/** In turn, so that whatever else the machine does hits both. */
async function sideBySide(home: string, ours: string[], theirs: string[]): Promise<Pair[]> {
  // The first run fills caches, as a person's first run does once.
  await timed(home, ours);
  await timed(home, theirs);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: await timed(home, ours), theirs: await timed(home, theirs) });
  }
  return pairs;
}

async function timed(home: string, argv: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = start(home, argv, ["ignore", "pipe", "inherit"]);
  const [output] = await Promise.all([
    text(must(child.stdout, "a pipe from the child")),
    once(child, "close"),
  ]);
  if (child.exitCode !== 0) throw new Error(`${argv.join(" ")} exited ${child.exitCode}: ${output}`);
  return performance.now() - startedAt;
}

async function peakMemory(home: string, argv: string[]): Promise<number> {
  const child = start(
    home,
    ["--import", here("peak-memory.mjs"), ...argv],
    ["ignore", "ignore", "inherit", "pipe"],
  );
  const [said] = await Promise.all([text(child.stdio[3] as Readable), once(child, "close")]);
  return Number(said);
}

function start(home: string, argv: string[], stdio: ("ignore" | "pipe" | "inherit")[]): ChildProcess {
  return spawn(process.execPath, argv, {
    stdio,
    env: { PATH: process.env.PATH, HOME: home, FETTLE_HOME: join(home, ".fettle") },
  });
}
