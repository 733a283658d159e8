/** A server that nobody here wrote, worked with as a person would: its tools called, its questions answered, its messages looked at. */
import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPublicEverything } from "../../../mcp/src/testing/everything-server.ts";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  let everything: Awaited<ReturnType<typeof startPublicEverything>>;
  [browser, deployment, everything] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true }),
    startPublicEverything("streamableHttp"),
  ]);
  stack.use(everything);
  const made = await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}/servers`, {
    method: "POST",
    headers: { authorization: `Bearer ${deployment.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "everything",
      transportType: "http",
      url: everything.url,
      headers: { Authorization: "Bearer canary-bearer", "X-Api-Key": "canary-key" },
    }),
  });
  const { id } = (await made.json()) as { id: string };
  opened = await openPage(browser, { colorScheme: "light", viewport: { width: 1440, height: 900 } });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers/${id}/tools`);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  await stack.disposeAsync();
});

const tools = () => page.getByRole("navigation", { name: "List of tools" });
const tool = (name: string) => tools().getByRole("button", { name: new RegExp(`^${name}( |$)`) });
const choose = (name: string) => tool(name).click();
const run = () => page.getByRole("button", { name: "Run", exact: true });
const result = (state: string) => page.locator(`[data-testid=tool-result][data-state=${state}]`);
const question = () => page.getByTestId("server-question");
const rows = () => page.getByRole("list", { name: "Messages" });
const row = (name: RegExp) => rows().locator("button[data-row-focus]").filter({ hasText: name });
const fill = (name: string, text: string) => page.getByRole("textbox", { name: new RegExp(name) }).fill(text);

async function isInView(target: Locator): Promise<boolean> {
  const box = await target.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 900;
}

test("fifteen tools, Run and the place of the result are in view at once, those too that ask for something", async () => {
  await tool("trigger-sampling-request").waitFor();
  await expect.poll(() => tools().getByRole("listitem").count()).toBe(19);
  const seen = async () => {
    const all = await tools().getByRole("listitem").all();
    return (await Promise.all(all.map(isInView))).filter(Boolean).length;
  };
  await expect.poll(seen).toBeGreaterThanOrEqual(15);
  await expect.poll(() => isInView(run())).toBe(true);
  await expect.poll(() => isInView(page.getByRole("heading", { name: "Result" }))).toBe(true);
  expect(await barriersOf(page)).toEqual([]);
});

test("the first report names every fault, and nothing was sent", async () => {
  await choose("get-sum");
  await run().click();
  const report = page.getByRole("alert");
  await report.getByText("The schema disagrees").waitFor();
  await expect
    .poll(() => report.getByRole("listitem").allTextContents())
    .toEqual([expect.stringContaining("a"), expect.stringContaining("b")]);
  await result("idle").waitFor();
});

test("a double click runs once, and the result stands beside the form", async () => {
  await fill("^a", "2");
  await fill("^b", "40");
  await run().dblclick();
  await result("ok").getByText("42").waitFor();
  await expect.poll(() => isInView(result("ok"))).toBe(true);
  const calls = page.getByRole("region", { name: "Calls of this session" });
  await expect.poll(() => calls.getByRole("listitem").count()).toBe(1);
});

test("the second click of a slow call does not cancel it", async () => {
  await choose("trigger-long-running-operation");
  await fill("duration", "2");
  await fill("steps", "2");
  await run().dblclick();
  await result("ok").waitFor();
});

test("progress is followed, and cancelling is told to the server on the wire", async () => {
  await fill("duration", "60");
  await fill("steps", "60");
  await run().click();
  const bar = page.getByRole("progressbar", { name: "Progress" });
  await bar.waitFor();
  await page.getByText(/of 60/).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await result("cancelled")
    .getByText(/told by notifications\/cancelled/)
    .waitFor();
  await page
    .getByTestId("message-dock")
    .getByRole("button", { name: /^Messages/ })
    .click();
  await row(/notifications\/cancelled/).waitFor();
  await row(/tools\/call.*cancelled/).waitFor();
});

test("a limit set beside Run ends a silent call, and progress keeps one alive", async () => {
  await page.getByLabel("Limit in seconds").fill("1");
  await fill("duration", "3");
  await fill("steps", "6");
  await run().click();
  await result("ok").waitFor();
  await fill("duration", "30");
  await fill("steps", "1");
  await run().click();
  await result("protocol-error").getByText("TIMEOUT").waitFor();
});

test("a form of the server is answered beside the call, and its raw request can be read", async () => {
  await choose("trigger-elicitation-request");
  await run().click();
  await question().getByRole("textbox", { name: /^name/ }).fill("Ana");
  await question().getByText("The request as it came").click();
  await question().getByRole("tree", { name: "request" }).getByText("elicitation/create").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await question()
    .getByRole("button", { name: /^Accept/ })
    .click();
  await result("ok").getByText(/Ana/).first().waitFor();
  await expect.poll(() => question().count()).toBe(0);
});

test.each([
  ["Decline", /declined/i],
  ["Dismiss", /cancelled/i],
])("a form can be turned away: %s", async (button, said) => {
  await run().click();
  await question().getByRole("button", { name: button }).click();
  await result("ok").getByText(said).first().waitFor();
});

test("a question goes when its call is cancelled", async () => {
  await run().click();
  await question().waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await result("cancelled").waitFor();
  await expect.poll(() => question().count()).toBe(0);
});

test("an address that the server wants opened is shown as text and opened by nobody else", async () => {
  await choose("trigger-url-elicitation");
  await fill("^url", "https://example.com/login?next=1").catch(() => undefined);
  await run().click();
  await question()
    .getByText(/^https:\/\//)
    .waitFor();
  expect(opened.context.pages()).toHaveLength(1);
  await question().getByRole("button", { name: "Accept" }).click();
  await result("ok").waitFor();
});

test("a tool that runs only as a task is followed, asks, and ends with its result; another is cancelled as a task", async () => {
  await choose("simulate-research-query");
  await fill("^topic", "python");
  await expect.poll(() => page.getByRole("checkbox", { name: "As a task" }).isChecked()).toBe(true);
  await page.getByText(/optional: ambiguous/).click();
  await page.getByRole("group", { name: "ambiguous" }).getByText("true", { exact: true }).click();
  await run().click();
  const status = page.getByTestId("task-status");
  await status.getByText("working").waitFor();
  await status.getByText("input required").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await question().getByRole("combobox").selectOption("Python snake species");
  await question()
    .getByRole("button", { name: /^Accept/ })
    .click();
  await result("ok")
    .getByText(/python \(snake\)/)
    .first()
    .waitFor();
  await run().click();
  await status.getByText("working").waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await result("cancelled")
    .getByText(/told by tasks\/cancel/)
    .waitFor();
});

test("a question that the server asks as a task is answered like any other", async () => {
  await choose("trigger-elicitation-request-async");
  await run().click();
  await question().getByRole("textbox", { name: /Name/ }).fill("Ana");
  await question()
    .getByRole("button", { name: /^Accept/ })
    .click();
  await result("ok")
    .getByText(/COMPLETED/)
    .first()
    .waitFor();
});

test("a model's answer is written by hand, or refused", async () => {
  await choose("trigger-sampling-request");
  await fill("^prompt", "Say hello");
  await run().click();
  await question()
    .getByText(/Say hello/)
    .first()
    .waitFor();
  await question().getByRole("textbox", { name: /^text/ }).fill("Hello, by hand");
  await question().getByRole("button", { name: "Send the answer" }).click();
  await result("ok")
    .getByText(/Hello, by hand/)
    .first()
    .waitFor();
  await run().click();
  await question().getByRole("button", { name: "Refuse" }).click();
  await page
    .locator("[data-testid=tool-result]:is([data-state=tool-error],[data-state=protocol-error])")
    .waitFor();
});

test("a model that is configured writes the answer, which the person sends", async () => {
  await run().click();
  await question().getByLabel("Model that answers").selectOption("fettle/rules-1");
  await question().getByRole("button", { name: "Let it answer" }).click();
  const text = question().getByRole("textbox", { name: /^text/ });
  await expect.poll(() => text.inputValue()).not.toBe("");
  expect(await barriersOf(page)).toEqual([]);
  await question().getByRole("button", { name: "Send the answer" }).click();
  await result("ok")
    .getByText(/fettle\/rules-1/)
    .first()
    .waitFor();
});

test("every message is one row with its answer and its time; opened, it shows JSON and the HTTP below", async () => {
  await row(/tools\/call.*get-sum.*\d+ ms/).click();
  const detail = page.getByRole("region", { name: "Message", exact: true });
  await detail.getByRole("tree", { name: "answer" }).getByText(/42/).first().waitFor();
  const http = detail.getByTestId("http-exchange").first();
  await http.getByText(/POST 200/).waitFor();
  await http.getByText("mcp-session-id").first().waitFor();
  expect(await barriersOf(page)).toEqual([]);
  expect(await page.content()).not.toContain("canary-");
});

test("what the server logs of its own accord appears by itself, with its level", async () => {
  await choose("toggle-simulated-logging");
  await run().click();
  await result("ok").waitFor();
  await page.getByLabel("Show", { exact: true }).selectOption("logs");
  await row(/notifications\/message/)
    .first()
    .waitFor();
});

test("a pinned row stays when the rest is cleared, the filter finds words, and HTTP is exported without secrets", async () => {
  await page.getByLabel("Show", { exact: true }).selectOption("all");
  await page.getByRole("searchbox", { name: "Filter messages" }).fill("by hand");
  await row(/sampling\/createMessage/)
    .first()
    .waitFor();
  await row(/sampling\/createMessage/)
    .first()
    .hover();
  await rows().getByRole("button", { name: "Pin sampling/createMessage" }).first().click();
  await page.getByRole("searchbox", { name: "Filter messages" }).fill("");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export messages" }).click();
  await page.getByRole("menuitem", { name: "HAR (HTTP)" }).click();
  const har = await readFile(await (await download).path(), "utf8");
  expect(JSON.parse(har).log.entries.length).toBeGreaterThan(5);
  expect(har).not.toContain("canary-");
  await page.getByRole("button", { name: "Clear messages" }).click();
  await row(/sampling\/createMessage/)
    .first()
    .waitFor();
  await row(/tools\/list/)
    .first()
    .waitFor({ state: "detached" });
});

const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const resource = (name: RegExp) =>
  page.getByRole("navigation", { name: "List of resources" }).getByRole("button", { name });

test("one click reads a resource, which is shown as it reads and as its source", async () => {
  await tab("Resources").click();
  await resource(/features\.md/).click();
  const contents = page.getByTestId("resource-content");
  await contents.getByRole("article").waitFor();
  await expect.poll(() => isInView(page.getByRole("button", { name: "Read again" }))).toBe(true);
  await page.getByText("Source", { exact: true }).click();
  await contents.getByText(/^# Everything/).waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a subscribed resource is marked when it changes, and a list follows what the server adds to it", async () => {
  await page.getByRole("button", { name: "Subscribe" }).click();
  await row(/resources\/subscribe.*\d+ ms/).waitFor();
  await tab("Tools").click();
  await choose("toggle-subscriber-updates");
  await run().click();
  await result("ok").waitFor();
  await row(/notifications\/resources\/updated/)
    .first()
    .waitFor();
  await choose("gzip-file-as-resource");
  await fill("^data", "data:text/plain,a");
  await run().click();
  await result("ok").waitFor();
  await tab("Resources").click();
  await resource(/features\.md.*changed/).click();
  await page.getByTestId("resource-content").waitFor();
  await resource(/\.gz/).waitFor();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await row(/resources\/unsubscribe.*\d+ ms/).waitFor();
});

test("arguments of a prompt are completed with the earlier ones as context, and cover no button", async () => {
  await tab("Prompts").click();
  await page
    .getByRole("navigation", { name: "List of prompts" })
    .getByRole("button", { name: /completable-prompt/ })
    .click();
  const proposed = (name: string) => page.getByRole("option", { name, exact: true });
  await page.getByRole("combobox", { name: /department/ }).fill("S");
  await proposed("Support").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await proposed("Sales").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: /name/ }).click();
  await proposed("David").waitFor();
  const overlap = async () => {
    const list = await page.getByRole("listbox").last().boundingBox();
    const button = await page.getByRole("button", { name: /^Render/ }).boundingBox();
    return list!.y + list!.height - button!.y;
  };
  await expect.poll(overlap).toBeLessThanOrEqual(0);
  await proposed("David").click();
  await page.getByRole("button", { name: "Render", exact: true }).click();
  await page
    .getByTestId("prompt-messages")
    .getByText(/promote David to the head of the Sales/)
    .waitFor();
  await page
    .getByRole("navigation", { name: "List of prompts" })
    .getByRole("button", { name: /simple-prompt/ })
    .click();
  await page.getByTestId("prompt-messages").waitFor();
});

test("what the server may ask is switched off for it, and the tools that need it are gone", async () => {
  await tab("Settings").click();
  await page.getByRole("switch", { name: /^Sampling/ }).click();
  expect(await barriersOf(page)).toEqual([]);
  await tab("Tools").click();
  await tool("trigger-elicitation-request").waitFor();
  await expect.poll(() => tool("trigger-sampling-request").count()).toBe(0);
});
