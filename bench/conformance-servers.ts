/** @module Whole protocol runs on six servers beside the official suite's: the same verdicts where both have a say, and the processor time of each. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startFaultyProxy } from "../packages/checks/src/protocol/testing/faulty-proxy.ts";
import { type KnownBad, knownBad } from "../packages/checks/src/protocol/testing/known-bad.ts";
import {
  impliedByAll,
  officialScenarios,
  type ScenarioTable,
} from "../packages/checks/src/protocol/testing/official-scenarios.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { startPublicEverything } from "../packages/mcp/src/testing/everything-server.ts";
import type { Bench, Row } from "./bench.ts";
import { fettle, official, readScenario } from "./conformance.ts";
import { inFolder } from "./opening.ts";

const samples = join(import.meta.dirname, "..", "packages", "samples", "src");

interface Server {
  name: string;
  revision: keyof typeof officialScenarios;
  /** Below `samples`; otherwise the public server-everything of npm. */
  sample?: string[];
  /** It is meant to have the official fixtures. */
  hasFixtures?: true;
  /** Seen through a proxy that takes this of it. */
  fault?: KnownBad;
}

/** Scenarios that ask for nothing by a fixture's name: all that the official suite can say of a server without them. */
const fixtureFree = new Set([
  "dns-rebinding-protection",
  "logging-set-level",
  "ping",
  "prompts-list",
  "resources-list",
  "server-initialize",
  "server-sse-multiple-streams",
  "server-stateless",
  "tools-list",
]);

/** Both eras, one and two at an address, with the fixtures and without, good and faulty, ours and not. */
const servers: readonly Server[] = [
  { name: "everything", revision: "2025-11-25", sample: ["everything/main.ts"], hasFixtures: true },
  { name: "everything", revision: "2026-07-28", sample: ["everything/main.ts"], hasFixtures: true },
  { name: "bookshop", revision: "2025-11-25", sample: ["bookshop/main.ts"] },
  { name: "café", revision: "2026-07-28", sample: ["cafe/main.ts"] },
  { name: "stateless bookshop", revision: "2026-07-28", sample: ["one-era/main.ts", "stateless"] },
  { name: "server-everything of npm", revision: "2025-11-25" },
  {
    name: "everything, open to other sites",
    revision: "2025-11-25",
    sample: ["everything/main.ts"],
    hasFixtures: true,
    fault: must(
      knownBad.find(({ scenario }) => scenario === "dns-rebinding-protection"),
      "the fault",
    ),
  },
];

export const conformanceServersBench: Bench = {
  name: "conformance-servers",
  run: () =>
    inFolder(async (home) => {
      const rows: Row[] = [];
      const ratios: number[] = [];
      for (const server of servers) {
        const { same, shared, ratio } = await compare(server, home);
        ratios.push(ratio);
        const what = `${server.name} (${server.revision})`;
        rows.push(
          {
            what: `${what}: the same verdict, of ${shared} shared scenarios`,
            value: same,
            unit: "",
            goal: { atLeast: shared },
          },
          { what: `${what}: times less processor time`, value: ratio, unit: "x" },
        );
      }
      const least = Math.min(...ratios);
      return [
        ...rows,
        { what: "times less processor time, at least", value: least, unit: "x", goal: { atLeast: 3 } },
      ];
    }),
};

async function compare(server: Server, home: string) {
  const table = officialScenarios[server.revision];
  await using target = await started(server);
  const ours = await runOurs(target.url, server, home);
  const theirs = await runOfficial(target.url, server.revision, home);
  // What a server does not offer is not held against it here; the official suite counts on its fixtures.
  const shared = Object.keys(table).filter(
    (scenario) =>
      (server.hasFixtures || fixtureFree.has(scenario)) &&
      theirs.passed.has(scenario) &&
      ours.verdicts(scenario, table) !== undefined,
  );
  const differing = shared.filter(
    (scenario) => ours.verdicts(scenario, table) !== theirs.passed.get(scenario),
  );
  for (const scenario of differing) console.error(`${server.name} ${server.revision}: ${scenario} differs`);
  return {
    same: shared.length - differing.length,
    shared: shared.length,
    ratio: theirs.cpuMs / ours.cpuMs,
  };
}

async function started({ fault, ...server }: Server): Promise<{ url: string } & AsyncDisposable> {
  if (!fault) return startedPlain(server);
  const upstream = await startedPlain(server);
  const proxy = await startFaultyProxy(upstream.url, fault);
  return {
    url: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function startedPlain({ sample }: Omit<Server, "fault">): Promise<{ url: string } & AsyncDisposable> {
  if (!sample) return startPublicEverything("streamableHttp");
  const [file = "", ...args] = sample;
  const child = spawn(process.execPath, [join(samples, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return {
    url: String(line).trim(),
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function runOurs(url: string, { revision, hasFixtures }: Server, home: string) {
  const args = [fettle, "protocol", "conformance", "--url", url, "--protocol-version", revision];
  const profile = hasFixtures ? ["--fixture-profile", "official"] : [];
  const run = await timed([...args, ...profile, "--format", "json", "--quiet"], home);
  const checks: { id: string; status: string; skipReason?: string }[] = JSON.parse(run.output).checks;
  const said = new Map(checks.map(({ id, status, skipReason }) => [id, skipReason ?? status]));
  return {
    cpuMs: run.cpuMs,
    /** Undefined where our run had nothing to judge. */
    verdicts(scenario: string, table: ScenarioTable): boolean | undefined {
      const ids = [...(table[scenario] ?? []), ...impliedByAll].map((id) => said.get(id));
      if (ids.includes("failed")) return false;
      return ids.every((status) => status === "passed") ? true : undefined;
    },
  };
}

async function runOfficial(url: string, revision: string, home: string) {
  const folder = await mkdtemp(join(home, "official-"));
  const options = ["--url", url, "--requirements", revision, "-o", folder];
  const { cpuMs } = await timed([join(official, "dist/index.js"), "server", ...options], home);
  const passed = new Map<string, boolean>();
  for (const name of await readdir(folder)) {
    const { scenario } = readScenario(name);
    const checks: { status: string }[] = JSON.parse(
      await readFile(join(folder, name, "checks.json"), "utf8"),
    );
    passed.set(
      scenario,
      checks.every(({ status }) => status !== "FAILURE"),
    );
  }
  return { cpuMs, passed };
}

/** Every process of the run adds its time to the file. */
const tellTime =
  'data:text/javascript,import{appendFileSync}from"node:fs";process.on("exit",()=>{const{user,system}=process.cpuUsage();appendFileSync(process.env.CPU_FILE,(user+system)/1000+"\\n")})';

async function timed(args: readonly string[], home: string): Promise<{ output: string; cpuMs: number }> {
  const file = join(await mkdtemp(join(home, "cpu-")), "ms");
  const env = {
    ...process.env,
    FETTLE_HOME: home,
    CPU_FILE: file,
    NODE_OPTIONS: `--import=${tellTime.replaceAll(" ", "%20").replaceAll('"', "%22")}`,
  };
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env });
  const [output] = await Promise.all([
    text(must(child.stdout, "a pipe from the child")),
    once(child, "close"),
  ]);
  const told = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return { output, cpuMs: told.reduce((sum, ms) => sum + Number(ms), 0) };
}
