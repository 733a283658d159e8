/** @module A person with a terminal and a browser: start the service, sign in, work, sign out. Everything real. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { testDatabase } from "@fettle/service/testing";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const execute = promisify(execFile);
const root = join(import.meta.dirname, "..");
const fettlePath = join(root, "packages", "cli", "bin", "fettle.mjs");

const started = new AsyncDisposableStack();
let folder: string;
let service: { url: string; signInUrl: string; apiKey: string; organizationId: string; projectId: string };
let person: BrowserContext;

beforeAll(async () => {
  await execute(process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"], { cwd: root });
  folder = await mkdtemp(join(tmpdir(), "fettle-person-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "work", ".git"), { recursive: true });
  const database = started.use(await testDatabase());
  const child = spawnFettle(["serve", "--sample", "--port", "0", "--format", "json"], {
    DATABASE_URL: database.url.reveal(),
  });
  started.defer(() => stop(child));
  service = JSON.parse((await once(child.stdout!.setEncoding("utf8"), "data"))[0]);
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  started.defer(() => browser.close());
  person = await browser.newContext();
});

afterAll(() => started.disposeAsync());

function spawnFettle(argv: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [fettlePath, ...argv], {
    cwd: join(folder, "work"),
    env: { PATH, HOME: folder, FETTLE_HOME: join(folder, "home"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
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

const fettle = (...argv: string[]) => finish(spawnFettle(argv));
const json = async (...argv: string[]) => JSON.parse((await fettle(...argv)).stdout);

/** Starts a login and opens the address it prints; answers the page and the command under way. */
async function beginLogin() {
  const child = spawnFettle(["cloud", "login", "--no-browser", "--api-url", service.url]);
  const done = finish(child);
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said += chunk;
    const address = /^(http\S+)\n/m.exec(said)?.[1];
    if (address) resolve(address);
  });
  const page = await person.newPage();
  await page.goto(await promise);
  return { page, done };
}

test("signing in: the link once, the command by a click", async () => {
  const first = await person.newPage();
  await first.goto(service.signInUrl);
  await first.waitForURL((url) => !url.pathname.startsWith("/login"));
  await first.close();

  const { page, done } = await beginLogin();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "You can return to the terminal" }).waitFor();
  const { stdout, exitCode } = await done;
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "logged_in", apiUrl: `${service.url}/api/v1` });
  await page.close();
});

test("working: whoami, lists, link and status agree with the service", async () => {
  const { email } = await json("cloud", "whoami");
  expect(await json("cloud", "whoami")).toMatchObject({ email, credential: "oauth" });
  expect((await json("cloud", "organizations", "list")).items).toMatchObject([
    { id: service.organizationId },
  ]);
  expect((await json("cloud", "projects", "list")).items).toMatchObject([{ id: service.projectId }]);
  const linked = await json("cloud", "link");
  expect(linked).toMatchObject({ status: "linked", project: { id: service.projectId } });
  expect(JSON.parse(await readFile(linked.path, "utf8"))).toMatchObject({
    organizationId: service.organizationId,
  });
  expect(await json("cloud", "status")).toMatchObject({
    ok: true,
    credential: { source: "oauth", valid: true, email },
    project: { source: "link", selector: service.projectId },
  });
});

test("working with the printed key instead", async () => {
  const key = ["--api-key", service.apiKey, "--api-url", service.url];
  expect(await json("cloud", ...key, "whoami")).toMatchObject({ credential: "api-key" });
  expect((await json("cloud", "projects", "list", ...key)).items).toMatchObject([{ id: service.projectId }]);
});

test("signing out: forgotten here, and refused there", async () => {
  const file = join(folder, "home", "auth.json");
  const { accessToken } = JSON.parse(await readFile(file, "utf8"));
  expect(await json("cloud", "logout")).toEqual({ status: "logged_out", authFile: file });
  await expect(access(file)).rejects.toThrow("ENOENT");
  const answer = await fetch(`${service.url}/api/v1/me`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(401);
  expect((await fettle("cloud", "whoami")).exitCode).toBe(1);
});

test("declining in the browser ends the command", async () => {
  const { page, done } = await beginLogin();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Turned away" }).waitFor();
  const { exitCode, stderr } = await done;
  expect(exitCode).toBe(1);
  expect(stderr).toContain("the request was declined");
});
