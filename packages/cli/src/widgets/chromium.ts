/** @module A browser without a window, of its own profile, for as long as a command needs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type Devtools, openDevtools } from "./devtools.ts";
import { noBrowser } from "./find-chromium.ts";

export interface Chromium {
  devtools: Devtools;
  /** As it calls itself, such as `HeadlessChrome/150.0.0.0`. */
  product: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ChromiumOptions {
  path: string;
  /** The browser's own: each page in a process that can do nothing but draw. */
  isSandboxed: boolean;
  locale?: string | undefined;
  timeZone?: string | undefined;
  env: NodeJS.ProcessEnv;
}

const flags = [
  "--headless=new",
  "--remote-debugging-pipe",
  "--disable-gpu",
  "--hide-scrollbars",
  "--mute-audio",
  "--no-first-run",
  "--no-default-browser-check",
  // It asks nothing of anybody by itself.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-sync",
  "--metrics-recording-only",
  "--password-store=basic",
  "--use-mock-keychain",
  "--disable-features=AutofillServerCommunication,MediaRouter,OptimizationHints,Translate",
  // A widget is of another process than the page around it, as in a browser with a window.
  "--site-per-process",
  "--enable-features=IsolateSandboxedIframes",
];

/** How long it has to end when it is told to. */
const endMs = 3_000;
const startMs = 30_000;
const saidLength = 2_000;

export async function launchChromium(options: ChromiumOptions): Promise<Chromium> {
  const { path, isSandboxed, locale, timeZone, env } = options;
  await using started = new AsyncDisposableStack();
  const profile = await mkdtemp(join(tmpdir(), "fettle-browser-"));
  started.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const child = spawn(
    path,
    [
      ...flags,
      `--user-data-dir=${profile}`,
      ...(isSandboxed ? [] : ["--no-sandbox"]),
      ...(locale ? [`--lang=${locale}`, `--accept-lang=${locale}`] : []),
    ],
    {
      // A group of its own, so that all of its processes can be ended. It ends itself when the pipes close.
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      env: { ...env, ...(timeZone && { TZ: timeZone }) },
    },
  );
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    said = (said + chunk).slice(-saidLength);
  });
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => resolve()).once("error", () => resolve()),
  );
  const failed = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, signal) => resolve(`It ended with ${signal ?? code}. ${lastLine(said)}`));
  });
  const [, , , write, read] = child.stdio as [null, null, Readable, Writable, Readable];
  started.defer(async () => {
    read.destroy();
    write.destroy();
    const late = setTimeout(() => endGroup(child.pid), endMs);
    await ended;
    clearTimeout(late);
    endGroup(child.pid);
  });
  const devtools = openDevtools(write, read);
  const opened = await Promise.race([
    devtools.send("Browser.getVersion").catch(() => failed),
    failed,
    once(AbortSignal.timeout(startMs), "abort").then(() => `It did not answer within ${startMs / 1000} s.`),
  ]);
  if (typeof opened === "string") {
    const why = /No usable sandbox|sandbox_host|namespace/i.test(said)
      ? "its sandbox cannot be set up here. Run it as a user who may, or with --no-sandbox where nothing else is on the machine."
      : opened;
    throw noBrowser(`The browser ${path} did not start: ${why}`);
  }
  const running = started.move();
  return {
    devtools,
    product: String(opened.product),
    [Symbol.asyncDispose]: async () => {
      await Promise.race([devtools.send("Browser.close").catch(() => {}), ended]);
      await running.disposeAsync();
    },
  };
}

/** What is left of it. Chromium's helpers share its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

const lastLine = (said: string) => said.trim().split("\n").at(-1) ?? "";
