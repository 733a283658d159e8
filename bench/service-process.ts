/** @module The built service as a process of its own: how fast it is ready, what it holds, how to stop it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { must } from "../packages/contract/src/formats/index.ts";

const launcher = join(import.meta.dirname, "..", "dist", "fettle", "launcher.mjs");

export interface ServiceProcess {
  pid: number;
  url: string;
  /** From the start of the process until /readyz said yes. */
  readyMs: number;
  stop(): Promise<void>;
}

export async function startService(data: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [launcher, "serve", "--port", String(port), "--widget-port", "0", "--data", data, "--quiet"],
    {
      env: { PATH: process.env.PATH, FETTLE_LOG_LEVEL: "error", ...env },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  await untilOk(child, `${url}/readyz`);
  return {
    pid: must(child.pid, "a process that has started"),
    url,
    readyMs: performance.now() - startedAt,
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Waits until what this process serves answers well. */
export async function untilOk(child: ChildProcess, url: string): Promise<void> {
  while (!(await isOk(url))) {
    if (child.exitCode !== null)
      throw new Error(`the service ended with ${child.exitCode} before it was ready`);
    await delay(5);
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
