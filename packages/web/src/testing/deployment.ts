/** @module A whole deployment for a test: the real command, a database of its own, a free port, a throw-away folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestDatabase, testDatabase } from "@fettle/service/testing";

const command = join(import.meta.dirname, "../../../cli/bin/fettle.mjs");

export interface Deployment {
  url: string;
  /** The one-time link printed at start: to set up, or into the sample workspace. */
  signInUrl: string;
  organizationId: string | null;
  projectId: string | null;
  /** The bookshop, saved in it. */
  serverId: string | null;
  /** Of the sample workspace. */
  apiKey: string | null;
  /** Its own, for what a test cannot wait for, such as an hour. */
  database: TestDatabase;
  /** Ends the process as a crash would. */
  kill: () => Promise<void>;
  /** Starts it again, on the same port. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * @example
 * const deployment = await startDeployment({ sample: true });
 * await page.goto(deployment.signInUrl);
 */
export async function startDeployment({
  sample = false,
  port = "0",
  env: more = {},
}: {
  sample?: boolean;
  /** Where its address must be known before. */
  port?: string;
  /** Settings beside the usual ones. */
  env?: Record<string, string>;
} = {}): Promise<Deployment> {
  const database = await testDatabase();
  const home = await mkdtemp(join(tmpdir(), "fettle-web-"));
  const env = {
    ...process.env,
    FETTLE_HOME: home,
    DATABASE_URL: database.url.reveal(),
    NODE_ENV: "production",
    // Most tests begin with nothing but a server.
    FETTLE_SAMPLE_VISITORS: "off",
    ...more,
  };
  const start = async (port: string) => {
    // Started again on its port, it would want the one after it for widgets, which may be anybody's by now.
    const ports = ["--port", port, "--widget-port", "0"];
    const flags = ["serve", ...ports, "--format", "json", ...(sample ? ["--sample"] : [])];
    const child = spawn(process.execPath, [command, ...flags], { env, stdio: ["ignore", "pipe", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    const ended = once(child, "exit").then(() => {
      throw new Error(`fettle serve ended: ${complaint}`);
    });
    ended.catch(() => {});
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    return { child, said: JSON.parse(line) as Omit<Deployment, "database" | "kill" | "start" | "stop"> };
  };
  let running = await start(port);
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(running.child, "exit");
    running.child.kill(signal);
    await gone;
  };
  return {
    ...running.said,
    database,
    kill: () => end("SIGKILL"),
    start: async () => {
      running = await start(new URL(running.said.url).port);
    },
    stop: async () => {
      if (running.child.exitCode === null && running.child.signalCode === null) await end("SIGTERM");
      await database.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
