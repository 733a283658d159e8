/** @module Kills what may be killed under a stream of acknowledged writes, and counts what is left. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import pg from "pg";
import { startEmbedded } from "../core/db/embedded.ts";
import { openDatabase } from "../core/db/open.ts";
import { processesNaming, startProcess, type TestProcess } from "./process.ts";
import { silentLog } from "./silent-log.ts";

const writerScript = join(import.meta.dirname, "writer.ts");

export type Victim = "writer" | "database";

export interface Survey {
  acknowledged: number;
  /** Acknowledged and not found afterwards: must be none. */
  lost: number[];
  /** Processes still alive after the last one was killed or stopped: must be none. */
  left: string[];
}

/** Everything a run of writers was told is safe. */
function createLedger() {
  const acknowledged = new Set<number>();
  let highest = -1;
  return {
    acknowledged,
    next: () => highest + 1_000,
    follow: (writer: TestProcess) =>
      writer.child.stdout.on("data", (chunk: Buffer) => {
        for (const [, text] of String(chunk).matchAll(/^ack (\d+)$/gm)) {
          acknowledged.add(Number(text));
          highest = Math.max(highest, Number(text));
        }
      }),
    /** Resolves when so many more have been acknowledged. */
    grows: async (writer: TestProcess, by: number) => {
      const goal = acknowledged.size + by;
      while (acknowledged.size < goal) {
        await Promise.race([
          new Promise((resolve) => writer.child.stdout.once("data", resolve)),
          writer.exited.then((code) => {
            throw new Error(`the writer ended with ${code}:\n${writer.output()}`);
          }),
        ]);
      }
    },
  };
}

async function missing(url: Secret, acknowledged: Set<number>): Promise<number[]> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  const { rows } = await client.query<{ n: number }>("select n from written");
  await client.end();
  const written = new Set(rows.map(({ n }) => n));
  return [...acknowledged].filter((n) => !written.has(n));
}

async function whenGone(folder: string): Promise<string[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const left = processesNaming(folder).map(({ command }) => command);
    if (left.length === 0 || Date.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const postmasterOf = (dataFolder: string) =>
  Number(readFileSync(join(dataFolder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

/** Writes to `place` through processes of their own, killing the victim under them once per round. */
async function killUnderLoad(options: { place: string; dataFolder: string; rounds: number; victim: Victim }) {
  const { place, dataFolder, rounds, victim } = options;
  const ledger = createLedger();
  const begin = async () => {
    const writer = startProcess(writerScript, [place, String(ledger.next())]);
    ledger.follow(writer);
    await writer.line(/^ready$/);
    return writer;
  };
  let writer = await begin();
  try {
    for (let round = 0; round < rounds; round++) {
      await ledger.grows(writer, 50);
      if (victim === "database") process.kill(postmasterOf(dataFolder), "SIGKILL");
      else {
        await writer.kill("SIGKILL");
        writer = await begin();
      }
    }
    await ledger.grows(writer, 50);
  } finally {
    await writer.kill("SIGKILL");
  }
  return ledger.acknowledged;
}

/** On the database that the writer itself owns. */
export async function killOnEmbedded(rounds: number, victim: Victim): Promise<Survey> {
  const dataFolder = mkdtempSync(join(tmpdir(), "fettle-faults-"));
  const acknowledged = await killUnderLoad({ place: dataFolder, dataFolder, rounds, victim });
  const left = await whenGone(dataFolder);
  const database = await openDatabase({
    config: { database: { kind: "embedded" }, dataFolder, databaseConnections: 2 },
    log: silentLog,
  });
  const lost = await missing(database.url, acknowledged);
  await database.close();
  left.push(...(await whenGone(dataFolder)));
  rmSync(dataFolder, { recursive: true, force: true });
  return { acknowledged: acknowledged.size, lost, left };
}

/** On a server over TCP that somebody else keeps running, as a service manager does. */
export async function killOnExternal(rounds: number, victim: Victim): Promise<Survey> {
  const dataFolder = mkdtempSync(join(tmpdir(), "fettle-faults-"));
  const server = await startTcpPostgres(dataFolder);
  const { acknowledged, lost } = await (async () => {
    const acknowledged = await killUnderLoad({ place: server.url.reveal(), dataFolder, rounds, victim });
    return { acknowledged, lost: await missing(server.url, acknowledged) };
  })().finally(server.stop);
  const left = await whenGone(dataFolder);
  rmSync(dataFolder, { recursive: true, force: true });
  return { acknowledged: acknowledged.size, lost, left };
}

/** A real PostgreSQL on a free port of loopback. */
export async function startTcpPostgres(
  dataFolder: string,
  wantedPort?: number,
): Promise<{ url: Secret; port: number; stop(): Promise<void> }> {
  const port = wantedPort ?? (await freePort());
  const server = await startEmbedded({
    dataFolder,
    log: silentLog,
    extraSettings: { listen_addresses: "127.0.0.1", port: String(port) },
  });
  return { url: new Secret(`postgres://fettle@127.0.0.1:${port}/fettle`), port, stop: server.stop };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
