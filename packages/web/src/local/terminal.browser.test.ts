/** @module The inspector between the terminal and the tabs of a browser: which tab shows a result, what is said where none can, and whom it lets in. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { sampleCommand, startBookshop } from "@fettle/samples";
import { startInspector } from "@fettle/service/inspector";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "../testing/barriers.ts";
import { launchBrowser, openPage, ready } from "../testing/browser.ts";

const fettle = join(import.meta.dirname, "../../../cli/bin/fettle.mjs");
const stack = new AsyncDisposableStack();
let browser: Browser;
let home: string;
let inspector: Awaited<ReturnType<typeof startInspector>>;
let shop: Awaited<ReturnType<typeof startFront>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "fettle-terminal-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const bookshop = await startBookshop();
  stack.defer(() => bookshop.close());
  shop = await startFront(bookshop.url);
  stack.defer(shop.close);
  [browser, inspector] = await Promise.all([launchBrowser(), startInspector({ home, port: 0 })]);
  stack.defer(() => browser.close());
  stack.defer(() => inspector.stop());
});
afterAll(() => stack.disposeAsync());

/** The shop behind somebody who counts its calls, and hangs up on everybody after the next one when told so. */
async function startFront(url: string) {
  const front = { url: "", calls: 0, endsAfterCall: false, isOver: false, close: async () => {} };
  const server = createServer(async (asked, answer) => {
    if (front.isOver) return void answer.destroy();
    const body = await buffer(asked);
    const isCall = body.includes('"tools/call"');
    if (isCall) front.calls += 1;
    const { method, headers } = asked;
    request(url, { method: method!, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.headers);
      given.pipe(answer);
    }).end(body);
    if (isCall && front.endsAfterCall) answer.once("close", () => Object.assign(front, { isOver: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  front.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return front;
}

async function callTool(word: string, ...flags: string[]) {
  const argv = [
    ...["tools", "call", "--url", shop.url, "--tool-name", "search_books"],
    ...["--tool-args", JSON.stringify({ query: word }), "--ui", "--no-open", "--format", "json", ...flags],
  ];
  const env = { ...process.env, FETTLE_HOME: home, FETTLE_CLI_DISABLE_BROWSER_OPEN: "1" };
  const { stdout, code } = await new Promise<{ stdout: string; code: number }>((resolve) => {
    execFile(process.execPath, [fettle, ...argv], { env }, (error, stdout) =>
      resolve({ stdout, code: typeof error?.code === "number" ? error.code : 0 }),
    );
  });
  const { inspectorRender, error } = JSON.parse(stdout);
  return { code, status: inspectorRender.status, why: inspectorRender.warning ?? error };
}

const skipped = (code: string, remediation: string) => ({ status: "skipped", why: { code, remediation } });
const fromTerminal = (page: Page) => page.locator("[data-testid=tool-result][data-source=terminal]");
const lookAt = (page: Page) => page.evaluate(() => dispatchEvent(new Event("focus")));
/** The pages that the inspector knows are open, the one that was looked at last first. */
async function known(): Promise<{ clients: unknown[]; hasActiveClient: boolean }> {
  const headers = { "x-mcp-session-auth": `Bearer ${inspector.state.token}` };
  return (await fetch(`${inspector.url}/api/status`, { headers })).json() as ReturnType<typeof known>;
}
const tabsKnown = (count: number) => expect.poll(async () => (await known()).clients.length).toBe(count);

test("without a page the result is not lost: it says to open one, and only who insists fails", async () => {
  expect(await callTool("tin")).toMatchObject({ code: 0, ...skipped("no_active_client", "open_browser") });
  expect(await callTool("tin", "--require-render")).toMatchObject({
    code: 1,
    ...skipped("no_active_client", "open_browser"),
  });
  expect(await callTool("tin", "--attach-only")).toMatchObject({
    code: 1,
    status: "error",
    why: { code: "no_active_client" },
  });
});

test("of two tabs the one that was looked at last shows it; when that is closed, the other does, without a reload", async () => {
  await using opened = await openPage(browser);
  const { page: first, context } = opened;
  await first.goto(inspector.pageUrl());
  await ready(first);
  await first.evaluate(() => Object.assign(window, { stays: true }));
  const second = await context.newPage();
  await second.goto(`${inspector.url}/p/proj_local/servers`);
  await ready(second);
  await tabsKnown(2);
  await lookAt(second);
  const before = shop.calls;
  expect(await callTool("planets")).toMatchObject({ code: 0, status: "rendered" });
  await fromTerminal(second).waitFor();
  await expect.poll(() => fromTerminal(first).count()).toBe(0);
  // Called once, by the terminal: a page that shows it calls nothing.
  expect(shop.calls).toBe(before + 1);
  await second.close();
  await tabsKnown(1);
  expect(await callTool("tin")).toMatchObject({ code: 0, status: "rendered" });
  await fromTerminal(first).waitFor();
  expect(await first.evaluate(() => "stays" in window)).toBe(true);
});

test("a page that hangs and a server that is gone are told apart, with what to do", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.route("**/api/mcp/command/*/ack", () => {});
  await page.goto(inspector.pageUrl());
  await ready(page);
  await tabsKnown(1);
  expect(await callTool("tin")).toMatchObject({ code: 0, ...skipped("timeout", "retry") });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  shop.endsAfterCall = true;
  expect(await callTool("tin")).toMatchObject({
    code: 0,
    ...skipped("disconnected_server", "reconnect_server"),
  });
  Object.assign(shop, { endsAfterCall: false, isOver: false });
  opened.troubles.length = 0;
});

async function save(server: object): Promise<string> {
  const response = await fetch(`${inspector.url}/api/v1/projects/proj_local/servers`, {
    method: "POST",
    headers: {
      "x-mcp-session-auth": `Bearer ${inspector.state.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(server),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

test("both tabs show what goes over the wire; a reload keeps it with its filter; saved, it opens without any server", async () => {
  await using opened = await openPage(browser);
  const { page: first, context } = opened;
  const id = await save({
    name: "Wired",
    transportType: "http",
    url: shop.url,
    headers: { "x-key": "canary-key" },
  });
  const server = `/p/proj_local/servers/${id}`;
  await first.goto(inspector.pageUrl(`${server}/tools`));
  await first.getByRole("button", { name: /^search_books/ }).click();
  const second = await context.newPage();
  await second.goto(`${inspector.url}${server}/traffic`);
  await first.getByRole("textbox", { name: /^query/ }).fill("tin");
  await first.getByRole("button", { name: "Run", exact: true }).click();
  const row = (page: Page, name: RegExp) =>
    page.getByRole("list", { name: "Messages" }).locator("button[data-row-focus]").filter({ hasText: name });
  await row(second, /tools\/call.*search_books/).waitFor();
  await second.getByRole("searchbox", { name: "Filter messages" }).fill("method:tools/call state:ok took:>0");
  await row(second, /tools\/list/)
    .first()
    .waitFor({ state: "detached" });
  // Answered: what a page still waits for when it is loaded anew is told to nobody.
  await row(second, /tools\/call.*search_books/).waitFor();
  await second.waitForURL(/q=method/);
  await second.reload();
  await row(second, /tools\/call.*search_books/).waitFor();
  await expect.poll(() => row(second, /./).count()).toBe(1);
  const download = second.waitForEvent("download");
  await second.getByRole("button", { name: "Export messages" }).click();
  await second.getByRole("menuitem", { name: /^Recording/ }).click();
  const path = join(home, "wired.recording.json");
  await (await download).saveAs(path);

  // On another machine, which has no server.
  const elsewhere = mkdtempSync(join(tmpdir(), "fettle-elsewhere-"));
  stack.defer(() => rmSync(elsewhere, { recursive: true, force: true }));
  const other = await startInspector({ home: elsewhere, port: 0 });
  stack.defer(() => other.stop());
  await first.goto(other.pageUrl("/p/proj_local/servers"));
  await first.getByRole("link", { name: "Open a recording" }).click();
  const asked: string[] = [];
  first.on("request", (one) => asked.push(one.url()));
  await first.getByLabel("Recording", { exact: true }).setInputFiles(path);
  await first.getByText("Of Wired, saved").waitFor();
  await row(first, /tools\/call.*search_books/).click();
  await first.getByRole("tree", { name: "answer" }).waitFor();
  await first.getByRole("radio", { name: "Timeline" }).check({ force: true });
  await first
    .getByRole("list", { name: "Timeline" })
    .getByText(/^tools\/call/)
    .waitFor();
  await ready(first);
  expect(await pageBarriersOf(first)).toEqual([]);
  await first.getByRole("radio", { name: "Messages" }).check({ force: true });
  expect(await first.content()).not.toContain("canary-key");
  await expect.poll(() => first.getByRole("button", { name: "Clear messages" }).count()).toBe(0);
  expect(asked.filter((url) => url.includes("/api/") && !url.includes("/api/clients"))).toEqual([]);
});

test("a page of another port, another name or without the token gets nothing done", async () => {
  const { command, args } = sampleCommand("everything");
  const id = await save({ name: "Never", transportType: "stdio", command, args });
  const stranger = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<p>hello"));
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void stranger.close());
  const { port } = stranger.address() as AddressInfo;
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`http://127.0.0.1:${port}/`);
  const tried = await page.evaluate(
    async ({ url, id }) => {
      const body = JSON.stringify({ serverId: id });
      const plain = { "content-type": "text/plain" };
      const attempts: RequestInit[] = [
        { method: "GET" },
        { method: "POST", body, headers: plain },
        { method: "POST", body, headers: plain, mode: "no-cors", credentials: "include" },
        { method: "POST", body, headers: { "content-type": "application/json" } },
      ];
      const read = async (init: RequestInit) => {
        try {
          return await (await fetch(`${url}/api/mcp/approve`, init)).text();
        } catch {
          return "";
        }
      };
      return Promise.all(attempts.map(read));
    },
    { url: inspector.url, id },
  );
  expect(tried).toEqual(["", "", "", ""]);
  const { port: own } = new URL(inspector.url);
  const bearer = {
    "x-mcp-session-auth": `Bearer ${inspector.state.token}`,
    "content-type": "application/json",
  };
  const answered = (headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const asked = request(
        { host: "127.0.0.1", port: own, path: "/api/mcp/approve", method: "POST", headers },
        (answer) => resolve(answer.resume().statusCode!),
      );
      asked.end(JSON.stringify({ serverId: id }));
    });
  for (const headers of [
    { ...bearer, host: "evil.test" },
    { ...bearer, origin: `http://127.0.0.1:${port}` },
    { "content-type": "application/json" },
    { ...bearer, "content-type": "text/plain" },
  ]) {
    expect(await answered(headers)).toBeGreaterThanOrEqual(400);
  }
  // Nobody approved it, so nothing was started.
  const status = (await known()) as unknown as { servers: { id: string; approved: boolean }[] };
  expect(status.servers.find((each) => each.id === id)?.approved).toBe(false);
  opened.troubles.length = 0;
});
