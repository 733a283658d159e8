/** @module A person, a terminal and a browser: sign in to a guarded server, consent on its page, and use what was kept. Everything real. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProtectedBookshop } from "@fettle/samples";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const fettlePath = join(import.meta.dirname, "..", "packages", "cli", "bin", "fettle.mjs");
const started = new AsyncDisposableStack();
let folder: string;
let browser: Browser;
let shop: Awaited<ReturnType<typeof startProtectedBookshop>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-oauth-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  shop = await startProtectedBookshop({ consent: "page", accessTokenSeconds: 30 });
  started.defer(() => shop.close());
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  started.defer(() => browser.close());
});
afterAll(() => started.disposeAsync());

function spawnFettle(...argv: string[]): ChildProcess {
  const child = spawn(process.execPath, [fettlePath, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, FETTLE_HOME: join(folder, "home") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.defer(() => void child.kill("SIGKILL"));
  return child;
}

async function finish(child: ChildProcess) {
  let stdout = "";
  let stderr = "";
  child.stdout!.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr!.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  const [exitCode] = await once(child, "close");
  return { stdout, stderr, exitCode };
}

/** Starts a login and opens the address it prints, as a person would. */
async function beginLogin(...flags: string[]) {
  const child = spawnFettle("oauth", "login", "--url", shop.url, ...flags);
  const done = finish(child);
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said += chunk;
    const address = /^(http\S+)\n/m.exec(said)?.[1];
    if (address) resolve(address);
  });
  const address = await Promise.race([
    promise,
    done.then(({ stdout, stderr }) => {
      throw new Error(`The login ended before it asked: ${stderr}${stdout}`);
    }),
  ]);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  return { page, done, close: () => context.close() };
}

test("a person allows it on the server's page; the file works, also when its token is spent", async () => {
  const { page, done, close } = await beginLogin("--credentials-out", "credentials.json", "--verify-tools");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("Signed in. You may close this page.").waitFor();
  await close();
  const { stdout, stderr, exitCode } = await done;
  expect({ exitCode, result: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    result: { completed: true, authMode: "interactive", verification: { listTools: { passed: true } } },
  });
  const path = join(folder, "credentials.json");
  const kept = JSON.parse(await readFile(path, "utf8"));
  for (const secret of [kept.accessToken, kept.refreshToken]) expect(stdout + stderr).not.toContain(secret);
  // Tokens live half a minute here, which counts as spent: each use renews.
  const call = await finish(
    spawnFettle(
      ...["tools", "call", "--url", shop.url, "--credentials-file", path],
      ...["--tool-name", "search_books", "--tool-args", '{"query":"tin"}'],
    ),
  );
  expect(call).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Tin Swallows") });
  expect(JSON.parse(await readFile(path, "utf8")).accessToken).not.toBe(kept.accessToken);
});

test("a person denies it; the browser and the terminal say so, and nothing is kept", async () => {
  const { page, done, close } = await beginLogin("--credentials-out", "denied.json");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Not signed in. The terminal says why.").waitFor();
  await close();
  const { stdout, exitCode } = await done;
  expect({ exitCode, result: JSON.parse(stdout) }).toMatchObject({
    exitCode: 1,
    result: {
      completed: false,
      currentStep: "received_authorization_code",
      error: { details: { oauthError: "access_denied" } },
    },
  });
  await expect(readFile(join(folder, "denied.json"))).rejects.toThrow("ENOENT");
});
