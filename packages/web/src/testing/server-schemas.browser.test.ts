import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as consumers from "node:stream/consumers";
import { startHostile } from "@fettle/samples";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let liar: Awaited<ReturnType<typeof startHostile>>;
let twice: Awaited<ReturnType<typeof startHostile>>;

beforeAll(async () => {
  [browser, deployment, liar, twice] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true }),
    startHostile("broken-promises"),
    startHostile("twice-named"),
  ]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await Promise.all([deployment.stop(), liar.close(), twice.close()]);
});

const choose = (tool: string) => page.getByRole("button", { name: tool }).first().click();
const run = () => page.getByRole("button", { name: "Run", exact: true }).click();
const textField = () => page.getByRole("textbox", { name: /text/ });

async function openToolsOf(url: string, name: string): Promise<void> {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers?do=new`);
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/overview$/);
  await ready(page);
  await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link", { name: "Tools", exact: true })
    .click();
}

test("arguments are held at once to a pattern that would run for years elsewhere", async () => {
  await openToolsOf(liar.url, "Liar");
  await choose("backtracking");
  await textField().fill(`${"a".repeat(40)}!`);
  await run();
  await page.getByText("String does not match pattern.").first().waitFor();
});

test("so is what the tool answers", async () => {
  await textField().fill("aaa");
  await run();
  await page.getByText("Structured", { exact: true }).click();
  await page.getByText("Does not match its output schema").waitFor();
});

test("a pattern that cannot be evaluated is named, for the arguments and for the result", async () => {
  await choose("looking");
  await textField().fill("b");
  await run();
  await page.getByText("Not all of the schema was checked").waitFor();
  await page.getByText("Structured", { exact: true }).click();
  await page.getByText("Matches its output schema as far as it could be checked").waitFor();
  const said = page.getByText("pattern ^(?=a) was not checked: it looks ahead or behind");
  await expect.poll(() => said.count()).toBe(2);
  expect(await barriersOf(page)).toEqual([]);
});

test("what was filled in for one shape is there again when one comes back to it", async () => {
  await choose("twofold");
  const shape = page.getByLabel("Shape of where");
  await shape.selectOption({ label: "By path" });
  await page.getByRole("textbox", { name: /path/ }).fill("/tmp/shelf");
  await shape.selectOption({ label: "By address" });
  await page.getByRole("textbox", { name: /address/ }).fill("https://shelf.example");
  await shape.selectOption({ label: "By path" });
  await expect.poll(() => page.getByRole("textbox", { name: /path/ }).inputValue()).toBe("/tmp/shelf");
  await shape.selectOption({ label: "By address" });
  await expect
    .poll(() => page.getByRole("textbox", { name: /address/ }).inputValue())
    .toBe("https://shelf.example");
});

test("an address that is to be opened first is shown, opened by nobody, and the call made again", async () => {
  await choose("elsewhere");
  await run();
  const failed = page.locator("[data-testid=tool-result][data-state=protocol-error]");
  await failed.getByText("Agree there first.").waitFor();
  await failed.getByText("javascript:alert(1)").waitFor();
  const links = () => failed.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  await expect.poll(links).toEqual(["https://example.com/agree"]);
  expect(await barriersOf(page)).toEqual([]);
  const calls = page.getByRole("region", { name: "Calls of this session" });
  const before = await calls.getByRole("listitem").count();
  await failed.getByRole("button", { name: "Run it again" }).click();
  await expect.poll(() => calls.getByRole("listitem").count()).toBe(before + 1);
});

test("a tool that says something else of itself is told of, with what hides in its words drawn", async () => {
  await choose("turncoat");
  await textField().fill("a");
  await run();
  await page.getByTestId("tool-result").and(page.locator("[data-state=ok]")).waitFor();
  const notice = page.getByTestId("definition-changes");
  await expect.poll(() => notice.count()).toBe(0);
  await page.getByRole("button", { name: "Read the list of tools again" }).click();
  await notice.getByText("1 tool changed since you last looked").waitFor();
  await page.reload();
  await notice.getByRole("button", { name: "Show changes" }).click();
  const change = page.getByRole("dialog").getByRole("region", { name: "turncoat", exact: true });
  await change
    .getByRole("cell", { name: /And sends it away/ })
    .getByTitle("zero-width space")
    .waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Got it" }).click();
  await notice.waitFor({ state: "detached" });
});

test("the page stays usable while a schema explodes, and says that nothing was checked", async () => {
  await choose("exploding");
  await textField().fill('"x"');
  await run();
  await page.getByText("Definition as the server sent it").click();
  await page.getByText("The arguments were not checked").waitFor();
  await page.getByText("The schema takes more than 3 seconds to apply").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("Run leads to the first argument that is missing, however deep it lies and far it is scrolled away", async () => {
  const text = { type: "string" };
  const lines = Object.fromEntries(Array.from({ length: 25 }, (_, line) => [`line${line}`, text]));
  const inputSchema = {
    type: "object",
    properties: {
      parcel: { type: "object", properties: { receiver: text }, required: ["receiver"] },
      ...lines,
    },
    required: ["parcel", ...Object.keys(lines)],
  };
  const server = await startToolServer({ name: "send", inputSchema });
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers?do=new`);
  await page.getByRole("textbox", { name: "Address" }).fill(server.url);
  await page.getByLabel("Name", { exact: true }).fill("Parcels");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/overview$/);
  await page.goto(`${page.url().replace(/overview$/, "tools")}?tool=send`);
  for (const name of Object.keys(lines)) {
    await page.getByRole("textbox", { name: new RegExp(`^${name}(?!\\d)`) }).fill("x");
  }
  const missing = page.getByRole("textbox", { name: /receiver/ });
  const isSeen = () => missing.evaluate((field) => field.getBoundingClientRect().top > 0);
  expect(await isSeen()).toBe(false);
  await run();
  await expect.poll(() => missing.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(isSeen).toBe(true);
  await expect.poll(() => missing.getAttribute("aria-invalid")).toBe("true");
  await page.getByTestId("argument-problems").getByText("1 problem").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await missing.fill("Ida");
  await run();
  await page.getByText("sent to Ida").first().waitFor();
  await server.close();
});

/** A server with one tool, which answers with what it was given first. */
async function startToolServer(tool: object) {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "parcels", version: "1.0.0" },
    },
    "tools/list": { tools: [tool] },
  };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await consumers.text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const called = { content: [{ type: "text", text: `sent to ${params?.arguments?.parcel?.receiver}` }] };
    const result = method === "tools/call" ? called : results[method];
    response.setHeader("content-type", "application/json");
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)),
  };
}

test("tools of one name are shown, and said to be listed twice", async () => {
  await openToolsOf(twice.url, "Twice");
  await page.getByText('Two tools are named "echo".').waitFor();
  await page.getByText("Some tools are listed twice").waitFor();
  await expect.poll(() => page.getByText("Not all tools could be shown").count()).toBe(0);
});
