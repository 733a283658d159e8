import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  // One page for all tests: the traffic and the calls of a session live in it.
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers`);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const result = (state: string) => page.locator(`[data-testid=tool-result][data-state=${state}]`);

test("home leads to the work, and tells what came since one last looked", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}`);
  await page.getByRole("heading", { level: 2, name: "Servers" }).waitFor();
  await page.evaluate(() => {
    const looked = Object.keys(localStorage).find((key) => key.includes("looked:"))!;
    localStorage.setItem(looked, "1");
  });
  await page.reload();
  await page.getByText("2 since you last looked").waitFor();
  await page.getByRole("link", { name: /Call a tool/ }).click();
  await page.getByRole("heading", { level: 1, name: "Bookshop" }).waitFor();
  expect(page.url()).toMatch(/\/tools$/);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers`);
});

test("checking all servers shows which ones answer", async () => {
  await page.getByRole("link", { name: "Bookshop" }).waitFor();
  await page.getByRole("button", { name: "Check all" }).click();
  await page.locator("[data-testid=server-status][data-state=connected]").waitFor();
});

test("a pasted configuration says what can be saved, and how to bring the rest", async () => {
  await page.getByRole("button", { name: "Add server" }).click();
  // Whatever is entered as an address and is none goes where it belongs.
  await page.getByRole("textbox", { name: "Address" }).fill("API_KEY=canary-env npx -y @acme/files /tmp");
  const pasted = page.getByLabel("Command or configuration");
  await page.getByText(`fettle cloud tunnel --server files -e API_KEY="$API_KEY" -- npx -y`).waitFor();
  await pasted.fill("npx files | tee log");
  await page.getByText(/A shell does more with/).waitFor();
  await pasted.fill(
    JSON.stringify({
      mcpServers: {
        dead: { url: "http://127.0.0.1:1/mcp", headers: { Authorization: `Bearer \${TOKEN}` } },
        files: { command: "npx", args: ["files", "/my dir"] },
      },
    }),
  );
  await page.getByText("fettle cloud tunnel --server files -- npx files '/my dir'").waitFor();
  // A slip beside the dialog loses nothing of what was typed.
  await page.mouse.click(5, 5);
  const save = page.getByRole("button", { name: "Save 1 server" });
  await expect.poll(() => save.isDisabled()).toBe(true);
  await page.getByLabel(`\${TOKEN}`).fill("canary-token");
  expect(await barriersOf(page)).toEqual([]);
  await save.click();
  await page.getByRole("link", { name: "dead" }).waitFor();
  expect(await page.content()).not.toContain("canary-");
});

test("the doctor says why a dead server does not answer, and what to try", async () => {
  await page.getByRole("link", { name: "dead" }).click();
  await page.locator("[data-testid=doctor][data-status=error]").waitFor();
  const finding = page.getByTestId("finding").first();
  await finding.getByText(/fettle server doctor/).waitFor();
  await page.locator("[data-testid=server-status][data-state=error]").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("what a failed examination and a failed call sent is in the traffic too, without the secrets", async () => {
  await tab("Tools").click();
  await page.locator("[data-testid=state][data-state=error]").waitFor();
  await tab("Traffic").click();
  const sent = page
    .getByRole("list", { name: "Messages" })
    .getByRole("button", { name: /^(?!Pin).*server\/discover/ });
  await sent.first().waitFor();
  await expect.poll(() => sent.count()).toBeGreaterThan(1);
  await page.getByRole("searchbox", { name: "Filter messages" }).fill("no such thing");
  await page.locator("[data-testid=state][data-state=filtered]").waitFor();
  await page.getByRole("button", { name: "Clear filter" }).last().click();
  await sent.first().waitFor();
  expect(await page.content()).not.toContain("canary-token");
});

test("moving a server to another origin says what stays behind, and asks for it again", async () => {
  await tab("Settings").click();
  const address = page.getByLabel("Address");
  await address.fill("http://127.0.0.1:1/mcp?key=canary-query");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All saved.").waitFor();
  await expect.poll(() => address.inputValue()).toBe("http://127.0.0.1:1/mcp?key=***");
  await page.getByText("Values shown as *** stay as they are saved").waitFor();
  await page.getByText("Saved: Authorization.").waitFor();

  await address.fill("http://127.0.0.1:2/mcp?key=***");
  await page.getByText("This is another origin").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByText(/belong to another origin/)
    .first()
    .waitFor();

  await address.fill("http://127.0.0.1:2/mcp");
  await page.getByText(/will be forgotten: Authorization\./).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Credentials were forgotten").waitFor();
  await page.getByText(/its headers did not go along/).waitFor();
  await expect.poll(() => page.getByLabel("Name of header 1").inputValue()).toBe("Authorization");
  expect(await barriersOf(page)).toEqual([]);
  await page.getByLabel("Value of header 1").fill("Bearer canary-token");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved: Authorization.").waitFor();
  await expect.poll(() => page.getByText("Credentials were forgotten").count()).toBe(0);
  expect(await page.content()).not.toContain("canary-");
});

test("a server is deleted only after its name was typed", async () => {
  await tab("Settings").click();
  await page.getByRole("button", { name: "Delete server" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete server" });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await page.getByLabel("Name of the server").fill("dead");
  await confirm.click();
  await page.getByRole("link", { name: "Bookshop" }).waitFor();
  await page.getByRole("link", { name: "dead" }).waitFor({ state: "detached" });
});

test("the doctor examines the sample by itself", async () => {
  await page.getByRole("link", { name: "Bookshop" }).click();
  await page.locator("[data-testid=doctor][data-status=ready]").waitFor();
  await page.getByText("The Lantern Bookshop").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a server added by its address alone is called as it calls itself", async () => {
  const overview = page.url();
  const address = await page.getByTitle(/^http:\/\/127/).getAttribute("title");
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers?do=new`);
  await page.getByRole("textbox", { name: "Address" }).fill(address!);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { level: 1, name: "The Lantern Bookshop" }).waitFor();
  const id = /servers\/([^/]+)/.exec(page.url())![1];
  await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}/servers/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${deployment.apiKey}` },
  });
  await page.goto(overview);
  await page.locator("[data-testid=doctor][data-status=ready]").waitFor();
});

test("every host has its verdict, and beside it what stands in the way", async () => {
  await tab("Hosts").click();
  const hosts = page.getByTestId("compat").locator("[data-host]");
  await hosts.first().waitFor();
  await expect.poll(() => hosts.count()).toBe(16);
  await expect.poll(() => page.locator("[data-host=fettle]").getAttribute("data-verdict")).toBe("works");
  const blocked = page.locator("[data-host=claude-code][data-verdict=blocked]");
  await blocked.getByText("Claude Code", { exact: true }).click();
  await blocked.locator("[data-code=app_only_unrenderable]").getByText("turn_shelf_page").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a tool is filled in, run by keyboard, and its result checked against its schema", async () => {
  await tab("Tools").click();
  await page.getByRole("button", { name: /search_books/ }).click();
  await page.getByRole("textbox", { name: /query/ }).fill("moss");
  await page.keyboard.press("Control+Enter");
  await result("ok").waitFor();
  await page.getByText("Structured", { exact: true }).click();
  await page.getByText("matches its output schema").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("the same in the terminal carries the server's address, the tool and the arguments as typed", async () => {
  await page.getByRole("button", { name: "Same in the terminal" }).click();
  const command = page.getByText(/^fettle tools call --url http/);
  await command.waitFor();
  await expect
    .poll(() => command.textContent())
    .toMatch(/ --tool-name search_books --tool-args '\{"query":"moss".*\}'$/);
  await page.keyboard.press("Escape");
  await command.waitFor({ state: "detached" });
});

test("form and JSON are one value: a key the schema does not know survives both ways", async () => {
  const as = (name: string) => page.getByText(name, { exact: true }).first().click();
  await as("JSON");
  const text = page.getByLabel("Arguments as JSON");
  await text.fill('{"query":"moss","extra":12345678901234567890}');
  await as("Form");
  await page.getByRole("textbox", { name: /query/ }).fill("moss love");
  await as("JSON");
  await expect.poll(async () => JSON.parse(await text.inputValue()).query).toBe("moss love");
  await expect.poll(() => text.inputValue()).toContain("12345678901234567890");
  await text.fill('{"query":');
  await expect.poll(() => text.getAttribute("aria-invalid")).toBe("true");
  await text.fill("{}");
  await as("Form");
});

test("what the schema calls wrong is sent only when asked, and an error of the tool is told as one", async () => {
  await page.getByRole("button", { name: /get_book/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("The schema disagrees").waitFor();
  await expect.poll(() => result("idle").count()).toBe(1);
  await page.getByRole("textbox", { name: /bookId/ }).fill("no-such-book");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await result("tool-error").waitFor();
});

test("a resource is read", async () => {
  await tab("Resources").click();
  await page.getByRole("searchbox", { name: "Filter resources" }).fill("small-weather");
  await page
    .getByRole("navigation", { name: "List of resources" })
    .getByRole("button", { name: /small-weather/ })
    .click();
  await page
    .getByTestId("resource-content")
    .getByText(/Forty poems/)
    .waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a template shows the exact address it makes, reads it, and tells what is not there", async () => {
  await page.getByRole("searchbox", { name: "Filter resources" }).fill("genre");
  await page.getByRole("button", { name: /Genre list/ }).click();
  const readIt = page.getByRole("button", { name: "Read", exact: true });
  await expect.poll(() => readIt.isDisabled()).toBe(true);
  const genre = page.getByRole("combobox", { name: "genre", exact: true });
  await genre.fill("science fiction/50%");
  await page.getByText("bookshop://genres/science%20fiction%2F50%25", { exact: true }).waitFor();
  await readIt.click();
  await page
    .locator("[data-testid=state][data-state=final], [data-testid=state][data-state=error]")
    .waitFor();
  await genre.fill("poetry");
  await readIt.click();
  await page
    .getByTestId("resource-content")
    .getByText(/Small Weather/)
    .waitFor();
  await page.getByText("Raw", { exact: true }).click();
  await page.getByRole("tree", { name: "contents" }).getByText("bookshop://genres/poetry").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a prompt is rendered", async () => {
  await tab("Prompts").click();
  await page.getByRole("combobox", { name: /^reader(?!:)/ }).fill("a sailor");
  await page.getByRole("combobox", { name: /^mood(?!:)/ }).fill("cosy");
  await page.getByRole("button", { name: /^Render/ }).click();
  await page
    .getByTestId("prompt-messages")
    .getByText(/a sailor/)
    .waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("settings are saved without showing a secret again, and the server is asked anew", async () => {
  await tab("Settings").click();
  await page.getByRole("button", { name: "Add header" }).click();
  await page.getByLabel("Name of header 1").fill("X-Shelf");
  await page.getByLabel("Value of header 1").fill("canary-header");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("All saved.").waitFor();
  await page.getByText("X-Shelf", { exact: false }).first().waitFor();
  expect(await page.content()).not.toContain("canary-header");
  await page.locator("[data-testid=server-status][data-state=disconnected]").waitFor();
  await page.getByLabel("Host", { exact: true }).selectOption("VS Code");
  await expect
    .poll(() => page.getByTestId("host-snippet").textContent())
    .toContain(`"X-Shelf": "\${input:X_SHELF}"`);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Fill this in.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Bookshop");
  expect(await barriersOf(page)).toEqual([]);
});

test("all of it is in the traffic, each message to be looked at", async () => {
  await tab("Traffic").click();
  const messages = page.getByRole("list", { name: "Messages" });
  await page.getByLabel("Show", { exact: true }).selectOption("calls");
  await messages
    .getByRole("button", { name: /^(?!Pin).*tools\/call.*search_books.*\d+ ms/ })
    .first()
    .click();
  await page.getByRole("tree", { name: "message" }).getByText("moss").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a reload shows each message once: how the connection began is not told again", async () => {
  await page.getByLabel("Show", { exact: true }).selectOption("all");
  const rows = (name: RegExp) => page.getByRole("list", { name: "Messages" }).getByRole("button", { name });
  const began = rows(/^(?!Pin).*(server\/discover|initialize)/);
  const called = rows(/^(?!Pin).*tools\/call.*search_books/);
  const callAfterReload = async () => {
    await page.reload();
    await tab("Tools").click();
    await page.getByRole("button", { name: /search_books/ }).click();
    await page.getByRole("textbox", { name: /query/ }).fill("moss");
    await page.keyboard.press("Control+Enter");
    await result("ok").waitFor();
    await tab("Traffic").click();
    await called.last().waitFor();
  };
  await callAfterReload();
  const [beganOnce, calledOnce] = [await began.count(), await called.count()];
  await callAfterReload();
  await expect.poll(() => called.count()).toBeGreaterThan(calledOnce);
  expect([beganOnce > 0, await began.count()]).toEqual([true, beganOnce]);
});

test("switching the server keeps the section, and says how each of them was", async () => {
  const path = `${deployment.url}/api/v1/projects/${deployment.projectId}/servers`;
  const [{ url }] = (await (await opened.context.request.get(path)).json()).items;
  await opened.context.request.post(path, {
    headers: { "x-fettle-app": "1", origin: deployment.url },
    data: { name: "Annex", transportType: "http", url },
  });
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers`);
  await page.getByRole("link", { name: "Bookshop" }).click();
  await tab("Prompts").click();
  await page.getByRole("button", { name: "Switch server" }).click();
  await page.getByRole("menuitem", { name: /Bookshop.*Answers/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("menuitem", { name: /Annex/ }).click();
  await page.getByRole("heading", { level: 1, name: "Annex" }).waitFor();
  expect(page.url()).toMatch(/\/prompts$/);
});

test("the palette finds what the open server and the project hold", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers`);
  await page.getByRole("link", { name: "Bookshop" }).click();
  await page.getByRole("heading", { level: 1, name: "Bookshop" }).waitFor();
  const found: [typed: string, kind: string, opens: RegExp][] = [
    ["search_books", "Tools", /\/tools\?tool=search_books$/],
    ["opening", "Resources", /\/resources\?uri=/],
    ["bookshop", "Servers", /\/servers\/[^/]+\/overview$/],
    ["bookshop", "Suites", /\/evals\/[^/]+\/results$/],
  ];
  for (const [typed, kind, opens] of found) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(typed);
    const group = page.getByRole("listbox").getByText(kind, { exact: true });
    await group.locator("xpath=following-sibling::*[@role='option'][1]").click();
    await page.waitForURL(opens);
  }
});

test("a list of a thousand servers draws those in sight, keeps its columns and leads to its last", async () => {
  await page.route(/\/projects\/[^/]+\/servers(\?.*)?$/, async (route) => {
    const answer = await (await route.fetch()).json();
    const [one] = answer.items;
    const items = Array.from({ length: 1_000 }, (_, at) => ({
      ...one,
      id: `${one.id}${at}`,
      name: `shop ${at}`,
    }));
    await route.fulfill({ json: { ...answer, items } });
  });
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers`);
  const count = page.getByText("1000 servers", { exact: true });
  await count.waitFor();
  const rows = page.getByRole("row", { name: /shop \d+/ });
  const widths = () =>
    page.getByRole("columnheader").evaluateAll((heads) => heads.map((head) => head.clientWidth));
  const before = await widths();
  await expect.poll(() => rows.count()).toBeLessThan(100);
  await count.scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: /^shop 999\b/ }).waitFor();
  await page.getByRole("link", { name: /^shop 0\b/ }).waitFor({ state: "detached" });
  await expect.poll(() => rows.count()).toBeLessThan(100);
  await expect.poll(widths).toEqual(before);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
