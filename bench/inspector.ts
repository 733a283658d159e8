/** @module How soon the inspector's first page can be used, from the start of the process, held against a bare server of the same files. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { must } from "../packages/contract/src/formats/index.ts";
import type { Bench, Row } from "./bench.ts";
import { inFolder, openChromium } from "./opening.ts";

const built = join(import.meta.dirname, "..", "dist", "fettle");
const rounds = 7;
/** The page of the inspector is there when the app says so; the bare one when all its files have run. */
const ready = "[data-testid=app][data-ready=true]";

export const inspectorBench: Bench = { name: "inspector", run: () => inFolder(measure) };

async function measure(home: string): Promise<Row[]> {
  const browser = await openChromium();
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    // In turn, so that whatever else the machine does falls on both.
    for (let round = 0; round < rounds; round++) {
      ours.push(await untilUsable(browser, home));
      bare.push(await untilLoaded(browser));
    }
    const [own, least] = [middle(ours), middle(bare)];
    return [
      { what: "from the start of the inspector to a page that can be used", value: own, unit: "ms" },
      { what: "from the start of a bare server to the same files loaded", value: least, unit: "ms" },
      {
        what: "the inspector against the bare server",
        value: own / least,
        unit: "times",
        goal: { atMost: 2 },
      },
    ];
  } finally {
    await browser.close();
  }
}

async function untilUsable(browser: Browser, home: string): Promise<number> {
  const began = performance.now();
  const args = [join(built, "launcher.mjs"), "inspector", "serve", "--port", "0", "--format", "json"];
  const { url, child } = await started(args, { FETTLE_HOME: home });
  const { token } = JSON.parse(await readFile(join(home, "inspector.json"), "utf8"));
  const headers = { "x-mcp-session-auth": `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/session-codes`, { method: "POST", headers, body: "{}" });
  const { code } = (await answer.json()) as { code: string };
  return timed(browser, `${url}/#k=${code}`, ready, child, began);
}

async function untilLoaded(browser: Browser): Promise<number> {
  const began = performance.now();
  const { url, child } = await started([join(import.meta.dirname, "bare-files.ts"), join(built, "web")], {});
  return timed(browser, url, "body", child, began);
}

async function started(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const { url } = JSON.parse(String(line)) as { url: string };
  return { url, child };
}

async function timed(browser: Browser, url: string, there: string, child: ChildProcess, began: number) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "load" });
    await page.locator(there).waitFor();
    return performance.now() - began;
  } finally {
    await context.close();
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
}

const middle = (times: number[]) =>
  must(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)], "a time in the middle");
