/** @module The same pages on one's own machine: let in by a code from the terminal, and nothing asked of anybody else. */
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleCommand, startBookshop, startProtectedBookshop } from "@fettle/samples";
import { startInspector } from "@fettle/service/inspector";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { startHostileWidgets } from "./hostile-widgets.ts";

const stack = new AsyncDisposableStack();
let browser: Browser;
let inspector: Awaited<ReturnType<typeof startInspector>>;

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), "fettle-inspector-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  [browser, inspector] = await Promise.all([launchBrowser(), startInspector({ home, port: 0 })]);
  stack.defer(() => browser.close());
  stack.defer(() => inspector.stop());
  const { command, args } = sampleCommand("everything");
  await save({ name: "Everything", transportType: "stdio", command, args });
});
afterAll(() => stack.disposeAsync());

/** As the terminal does. */
const say = (path: string, body: object, method = "POST") =>
  fetch(`${inspector.url}${path}`, {
    method,
    headers: {
      "x-mcp-session-auth": `Bearer ${inspector.state.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });

async function save(server: object): Promise<string> {
  const response = await say("/api/v1/projects/proj_local/servers", server);
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  return id;
}

test("a page from the terminal approves a command, calls a tool and keeps what came of it", async () => {
  const { page, context } = await openPage(browser);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await page.goto(inspector.pageUrl());
  await ready(page);
  expect(page.url()).not.toContain("#");
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Everything" }).click();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.waitForURL(/\/tools$/);
  await page.getByRole("heading", { name: "Start this command?" }).waitFor();
  await ready(page);
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve and start" }).click();
  await page.getByRole("button", { name: /^test_simple_text/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("This is a simple text", { exact: false }).first().waitFor();
  await page.reload();
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("test_simple_text").first().waitFor();

  // Another tab of the same browser is let in by this one, and an address alone lets nobody else in.
  const second = await context.newPage();
  await second.goto(`${inspector.url}/p/proj_local/servers`);
  await second.getByRole("link", { name: "Everything" }).waitFor();
  expect([...new Set(asked)]).toEqual([inspector.url]);
  await context.close();
});

test("a command that changed since it was approved is shown with the difference, and not started", async () => {
  const { command, args } = sampleCommand("bookshop");
  const id = await save({
    name: "Changing",
    transportType: "stdio",
    command,
    args: [...args, "--as-before"],
  });
  await say("/api/mcp/approve", { serverId: id });
  await say(`/api/v1/projects/proj_local/servers/${id}`, { args }, "PATCH");
  const { page, context } = await openPage(browser);
  await page.goto(inspector.pageUrl(`/p/proj_local/servers/${id}/tools`));
  await page.getByRole("heading", { name: "Start the changed command?" }).waitFor();
  const difference = page.getByRole("table", { name: "What changed in the command" });
  await difference.getByText("--as-before").waitFor();
  await expect.poll(() => difference.getByRole("row").count()).toBe(2);
  expect(await pageBarriersOf(page)).toEqual([]);
  const refused = await say(`/api/v1/projects/proj_local/servers/${id}/tools`, {});
  expect(await refused.json()).toMatchObject({ details: { reason: "approval_required" } });
  await page.getByRole("button", { name: "Approve and start" }).click();
  await page.getByRole("button", { name: /^search_books/ }).waitFor();
  await context.close();
});

test("a page that was not opened from the terminal shows how to, and takes an address", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(inspector.url);
  await page.getByRole("heading", { name: "Open the inspector from your terminal" }).waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  const field = page.getByLabel("Or paste that address here");
  await field.fill("wrong");
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByRole("alert").waitFor();
  await field.fill(inspector.pageUrl());
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByRole("link", { name: "Everything" }).waitFor();
  await context.close();
});

test("a widget is shown from an origin of its own, works, and reaches nobody", async () => {
  const hostile = stack.use(await startHostileWidgets());
  const bookshop = await startBookshop();
  stack.defer(() => bookshop.close());
  const { page, context, troubles } = await openPage(browser, { colorScheme: "dark" });
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  const inside = page.frameLocator("[data-testid=widget] iframe").frameLocator("iframe");
  const show = async (server: { name: string; url: string }, tool: string) => {
    const id = await save({ ...server, transportType: "http" });
    await page.goto(inspector.pageUrl(`/p/proj_local/servers/${id}/tools`));
    await page.getByRole("button", { name: new RegExp(`^${tool}( |$)`) }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
  };
  await show({ name: "Bookshop", url: bookshop.url }, "show_bookshelf");
  await inside.getByRole("button", { name: "More books" }).click();
  await inside.getByText("16 of 40 books").waitFor();
  expect(asked).toEqual(new Set([inspector.url, inspector.state.sandboxUrl]));
  // A frame of other colours than the page's would be filled with white until the widget is drawn, and behind one that leaves its ground empty.
  const around = page
    .frames()
    .find((frame) => frame.url().startsWith(`${inspector.state.sandboxUrl}/proxy/`));
  const colours = () => getComputedStyle(document.documentElement).colorScheme;
  await expect.poll(() => around?.evaluate(colours)).toBe("dark");
  await show({ name: "Hostile", url: hostile.url }, "show_reach");
  const told = await page
    .getByTestId("widget")
    .getByText(/app document/)
    .innerText();
  expect(told.split("\n").filter((line) => !line.endsWith("refused"))).toEqual([]);
  expect(hostile.seen).toEqual([]);
  // Each attempt is an error in the console.
  troubles.length = 0;
  await context.close();
});

test("a result from the terminal stands in the page that is open, and in no fresh one", async () => {
  const bookshop = await startBookshop();
  stack.defer(() => bookshop.close());
  await save({ name: "Shelves", transportType: "http", url: bookshop.url });
  const { page, context } = await openPage(browser);
  await page.goto(inspector.pageUrl());
  await ready(page);
  const order = async (type: string, payload: object) =>
    (await say("/api/mcp/command", { type, payload })).json();
  const toolName = "search_books";
  const result = { content: [{ type: "text", text: "As it came" }] };
  const shown = { surface: "playground", serverName: "Shelves", toolName, parameters: {}, result };
  // The page tells that it is there a moment after it is.
  await expect
    .poll(() => order("openPlayground", { serverName: "Shelves" }), { timeout: 60_000 })
    .toMatchObject({ status: "success" });
  expect(await order("renderToolResult", shown)).toMatchObject({ result: { widget: "none" } });
  await page.getByText("not run again").waitFor();
  await page.getByText("As it came").first().waitFor();
  expect(await order("snapshotApp", { surface: "playground" })).toMatchObject({
    result: { text: expect.stringContaining("As it came") },
  });
  expect(await pageBarriersOf(page)).toEqual([]);
  const refused = (more: object) => order("renderToolResult", { ...shown, ...more });
  expect(await refused({ toolName: "no_such" })).toMatchObject({ error: { code: "unknown_tool" } });
  expect(await refused({ serverName: "No such" })).toMatchObject({ error: { code: "unknown_server" } });
  expect(await refused({ result: "text" })).toMatchObject({ error: { code: "unsupported_in_mode" } });
  // A widget stands there when it says so, on the device and in the theme that the terminal wants.
  expect(await order("setAppContext", { deviceType: "mobile", theme: "dark" })).toMatchObject({
    status: "success",
  });
  const inside = page.frameLocator("[data-testid=widget] iframe").frameLocator("iframe");
  const shelf = { heading: "From the terminal", books: [], total: 0 };
  const widget = await order("renderToolResult", {
    ...shown,
    toolName: "show_bookshelf",
    result: { content: [], structuredContent: shelf },
  });
  expect(widget).toMatchObject({ status: "success", result: { widget: "initialized" } });
  await inside.locator("body").waitFor();
  await page.getByText("Dark, Phone").waitFor();
  await page.getByRole("button", { name: "Shown as" }).click();
  for (const chosen of ["Phone", "Dark"])
    await expect.poll(() => page.getByRole("radio", { name: chosen, exact: true }).isChecked()).toBe(true);
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByRole("button", { name: "Run", exact: true }).waitFor();
  await expect.poll(() => second.getByText("not run again").count()).toBe(0);
  await context.close();
});

test("a server that wants a sign-in is connected from the page, step by step, and leads straight back", async () => {
  const shop = await startProtectedBookshop({ consent: "page" });
  stack.defer(() => shop.close());
  const { page, context, troubles } = await openPage(browser);
  await page.goto(inspector.pageUrl("/p/proj_local/servers?do=new"));
  await page.getByRole("textbox", { name: "Address" }).fill(shop.url);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/overview$/);
  await page.getByTestId("sign-in-notice").getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(/\/auth$/);
  const signInPage = page.url();
  const stage = (id: string) =>
    page.locator(`[data-testid=sign-in-stage][data-stage=${id}][data-status=passed]`);
  await page.getByRole("button", { name: "First step" }).click();
  await stage("challenge").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Run to the end" }).click();
  await page.getByRole("button", { name: /^Go to / }).click();
  const visited = new Set<string>();
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) visited.add(new URL(frame.url()).origin);
  });
  await page.getByRole("button", { name: "Allow" }).click();
  await page.locator("[data-testid=sign-in-state][data-state=signed_in]").waitFor();
  // Let in by what the tab keeps: no code, and nothing of the answer in its address.
  expect(page.url()).toBe(signInPage);
  expect(visited.difference(new Set([new URL(shop.issuer).origin]))).toEqual(new Set([inspector.url]));
  for (const id of ["challenge", "resource", "issuer", "registration", "consent", "token", "call"])
    await stage(id).waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("button", { name: /^search_books/ }).waitFor();
  // Its first refusal is an answer with an error's status.
  troubles.length = 0;
  await context.close();
});

test("a server with a header of its own is asked with that, and nobody is sent to a sign-in", async () => {
  const shop = await startProtectedBookshop();
  stack.defer(() => shop.close());
  const { page, context, troubles } = await openPage(browser);
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  const { accessToken } = await shop.signIn();
  const withHeader = (name: string, token: string) =>
    save({ name, transportType: "http", url: shop.url, headers: { authorization: `Bearer ${token}` } });
  const right = await withHeader("Right header", accessToken);
  await page.goto(inspector.pageUrl(`/p/proj_local/servers/${right}/tools`));
  await page.getByRole("button", { name: /^search_books/ }).waitFor();
  await expect.poll(() => page.getByTestId("sign-in-notice").count()).toBe(0);
  const wrong = await withHeader("Wrong header", "wrong");
  await page.goto(inspector.pageUrl(`/p/proj_local/servers/${wrong}/overview`));
  await page.getByText("The server refuses the credential that was sent.").first().waitFor();
  await ready(page);
  await expect.poll(() => page.getByTestId("sign-in-notice").count()).toBe(0);
  expect(await pageBarriersOf(page)).toEqual([]);
  expect([...asked]).toEqual([inspector.url]);
  // The refusal is an answer with an error's status.
  troubles.length = 0;
  await context.close();
});

test("a server's conformance is run by the inspector itself, compared with the run before, and taken away", async () => {
  const { command, args } = sampleCommand("bookshop");
  const id = await save({ name: "Checked shop", transportType: "stdio", command, args });
  await say("/api/mcp/approve", { serverId: id });
  const { page, context } = await openPage(browser);
  await page.goto(inspector.pageUrl(`/p/proj_local/servers/${id}/conformance`));
  await page.getByText("It was never checked").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Run checks" }).click();
  const dialog = page.getByRole("dialog", { name: "Run conformance checks" });
  await dialog.getByText("The inspector talks to the server as you").waitFor();
  await dialog.getByRole("button", { name: "Run checks" }).click();
  await page.waitForURL(/\/p\/proj_local\/conformance\/[^/]+$/);
  const first = page.url();
  // Told to the page that is open: nobody reloads it.
  await page.getByTestId("conformance-score").waitFor();
  await page.getByRole("radio", { name: /^Protocol · \d+/ }).waitFor();
  await ready(page);
  expect(await pageBarriersOf(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: "Export" })
      .click()
      .then(() => page.getByRole("menuitem", { name: "JUnit XML" }).click()),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.xml$/);
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((url) => url.href !== first);
  await page.getByTestId("conformance-score").waitFor();
  await page
    .getByText(/came out as before/)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Conformance", exact: true }).first().click();
  await page.waitForURL(/\/p\/proj_local\/conformance$/);
  await ready(page);
  await expect.poll(() => page.getByRole("link", { name: /Checked shop/ }).count()).toBe(2);
  expect(await pageBarriersOf(page)).toEqual([]);
  await context.close();
});

test("what changed after a page was read and before its stream began is seen, too", async () => {
  const { page, context } = await openPage(browser);
  const changed = Promise.withResolvers<void>();
  await page.route("**/api/events?*", async (route) => {
    await changed.promise;
    await route.continue();
  });
  await page.goto(inspector.pageUrl("/p/proj_local/servers"));
  await page.getByRole("link", { name: /Checked shop/ }).waitFor();
  const { command, args } = sampleCommand("bookshop");
  await save({ name: "Seen late", transportType: "stdio", command, args });
  changed.resolve();
  await page.getByRole("link", { name: /Seen late/ }).waitFor();
  await context.close();
});

test("a pasted command is kept, and started when its words were seen", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(inspector.pageUrl("/p/proj_local/servers?do=new"));
  const { command, args } = sampleCommand("everything");
  const mcpServers = { Pasted: { command, args } };
  await page.getByRole("radio", { name: "Command or mcp.json" }).check({ force: true });
  await page.getByLabel("Command or configuration").fill(JSON.stringify({ mcpServers }));
  await page.getByRole("button", { name: "Save 1 server" }).click();
  await page.waitForURL(/\/overview$/);
  await page.getByRole("list", { name: "The command, word by word" }).getByText(command).waitFor();
  await page.getByRole("button", { name: "Approve and start" }).click();
  await page.getByRole("heading", { name: "Start this command?" }).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Tools" }).click();
  await page.waitForURL(/\/tools$/);
  await page.getByRole("button", { name: /^test_simple_text/ }).waitFor();
  // Other words are another command.
  const changed = await fetch(
    `${inspector.url}/api/v1${new URL(page.url()).pathname.replace("/p/", "/projects/").replace(/\/tools$/, "")}`,
    {
      method: "PATCH",
      headers: {
        "x-mcp-session-auth": `Bearer ${inspector.state.token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ args: [...args, "--another-word"] }),
    },
  );
  expect(changed.status).toBe(200);
  await page.reload();
  await page.getByRole("list", { name: "The command, word by word" }).getByText("--another-word").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^test_simple_text/ }).count()).toBe(0);
  await context.close();
});

/** Whom this process, and so the inspector in it, wants to reach; the servers it starts are asked over their streams. */
function watchSockets(): { wanted: Set<string> } & Disposable {
  const wanted = new Set<string>();
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const [first] = given.flat() as [{ host?: string; path?: string } | number | undefined];
    if (typeof first === "object" && !first.path) wanted.add(first.host ?? "localhost");
    return Reflect.apply(connect, this, given);
  } as typeof connect;
  return {
    wanted,
    [Symbol.dispose]: () => {
      Socket.prototype.connect = connect;
    },
  };
}

test("a whole session, from its start to its end, asks nothing of anybody outside", async () => {
  using sockets = watchSockets();
  const home = mkdtempSync(join(tmpdir(), "fettle-inspector-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const own = await startInspector({ home, port: 0 });
  const { command, args } = sampleCommand("bookshop");
  const saved = await fetch(`${own.url}/api/v1/projects/proj_local/servers`, {
    method: "POST",
    headers: { "x-mcp-session-auth": `Bearer ${own.state.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Shop", transportType: "stdio", command, args }),
  });
  expect(saved.status).toBe(201);
  const { page, context } = await openPage(browser);
  const asked = new Set<string>();
  context.on("request", (request) => asked.add(new URL(request.url()).origin));
  page.on("websocket", (socket) => asked.add(new URL(socket.url()).origin));
  await page.goto(own.pageUrl());
  await page.getByRole("link", { name: "Shop" }).click();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("button", { name: "Approve and start" }).click();
  await page.getByRole("button", { name: /^show_bookshelf/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const inside = page.frameLocator("[data-testid=widget] iframe").frameLocator("iframe");
  await inside.getByRole("button", { name: "More books" }).click();
  await inside.getByText("16 of 40 books").waitFor();
  await context.close();
  await own.stop();
  expect(asked).toEqual(new Set([own.url, own.state.sandboxUrl]));
  // That this test itself asked the inspector shows that asking is noticed.
  expect([...sockets.wanted]).toEqual(["127.0.0.1"]);
});
