/** @module The whole command from shell to shell: listing and calling a tool against a hand-written minimal client on the same server. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { must } from "../packages/contract/src/formats/index.ts";
import { everythingOverStdio } from "../packages/mcp/src/testing/everything-server.ts";
import type { Bench, Row } from "./benches.ts";
import { at, inFolder } from "./opening.ts";

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
  const compare = async (name: string, ours: string[], theirs: string[]) => {
    const pair = await sideBySide(home, ours, theirs);
    rows.push(
      { what: `${name}: fettle`, value: pair.ours, unit: "ms" },
      { what: `${name}: a minimal client`, value: pair.theirs, unit: "ms" },
      {
        what: `${name}: times the minimal client`,
        value: pair.ours / pair.theirs,
        unit: "x",
        goal: { atMost: 1.3 },
      },
    );
  };
  for (const [where, { flags, words }] of Object.entries(targets)) {
    for (const what of ["list", "call"] as const) {
      await compare(
        `tools ${what} over ${where}`,
        [fettle, "tools", what, ...flags, ...(what === "call" ? call : [])],
        [here("client.mjs"), where, what, ...words],
      );
    }
  }
  // A server that somebody else wrote, slow to start and slow to leave.
  const { command, args } = everythingOverStdio;
  await compare(
    "tools list of server-everything",
    [fettle, "tools", "list", "--", command, ...args],
    [here("client.mjs"), "stdio", "list", command, ...args],
  );
  for (const { flag, atMost } of [
    { flag: "--version", atMost: 1.5 },
    { flag: "--help", atMost: 1.7 },
  ]) {
    const pair = await sideBySide(home, [fettle, flag], ["-e", "0"]);
    rows.push({
      what: `fettle ${flag}, times bare Node`,
      value: pair.ours / pair.theirs,
      unit: "x",
      goal: { atMost },
    });
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

/** In turn, so that whatever else the machine does hits both; medians, so that it hardly counts. */
async function sideBySide(
  home: string,
  ours: string[],
  theirs: string[],
): Promise<{ ours: number; theirs: number }> {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  // The first run fills caches, as a person's first run does once.
  await timed(home, ours);
  await timed(home, theirs);
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(home, ours));
    times.theirs.push(await timed(home, theirs));
  }
  return { ours: at(times.ours, 0.5), theirs: at(times.theirs, 0.5) };
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
