/** Widgets of servers beside their results: those that work, and those that try what no widget may. */
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startCafe } from "@fettle/samples";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { type HostileWidget, type HostileWidgets, startHostileWidgets } from "./hostile-widgets.ts";

let browser: Browser;
let deployment: Deployment;
let hostile: HostileWidgets;
let opened: Watched;
let page: Page;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  [browser, deployment, hostile] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true }),
    startHostileWidgets(),
  ]);
  stack.use(hostile);
  opened = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
});
afterAll(async () => {
  // The browser's word on what it refused a widget comes when it likes.
  const { troubles } = opened;
  troubles.splice(0, troubles.length, ...troubles.filter((text) => !isRefusal(text)));
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  await stack.disposeAsync();
});

const isRefusal = (text: string) => /Content Security Policy|sandboxed|^Framing '/.test(text);

const choose = (name: string) =>
  page
    .getByRole("navigation", { name: "List of tools" })
    .getByRole("button", { name: new RegExp(`^${name}( |$)`) })
    .click();
const run = () => page.getByRole("button", { name: "Run", exact: true }).click();
const widget = (state: string) => page.locator(`[data-testid=widget][data-state=${state}]`);
const inside = () => page.frameLocator("[data-testid=widget] iframe[title^=Widget]").frameLocator("iframe");
const said = (text: string | RegExp) => page.getByTestId("widget").getByText(text);

interface OpenAiGlobals extends Record<string, unknown> {
  callTool: (name: string, args: object) => Promise<{ structuredContent: unknown }>;
  setWidgetState: (state: object) => Promise<void>;
  requestDisplayMode: (wanted: { mode: string }) => Promise<{ mode: string }>;
  sendFollowUpMessage: (said: { prompt: string }) => Promise<void>;
}

async function save(name: string, url: string): Promise<string> {
  const made = await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}/servers`, {
    method: "POST",
    headers: { authorization: `Bearer ${deployment.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name, transportType: "http", url }),
  });
  const { id } = (await made.json()) as { id: string };
  return id;
}

async function show(name: HostileWidget): Promise<void> {
  await choose(`show_${name}`);
  await run();
}

test("the bookshop's widget is the first thing a result shows, and works in both display modes", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers/${deployment.serverId}/tools`);
  await choose("show_bookshelf");
  await run();
  await widget("ready").waitFor();
  await inside().getByText("8 of 40 books").waitFor();
  await inside().getByRole("button", { name: "More books" }).click();
  await inside().getByText("16 of 40 books").waitFor();
  await page.getByRole("button", { name: "Full screen" }).click();
  await page.locator("[data-testid=widget][data-mode=fullscreen]").waitFor();
  // It is the same document still: what it had loaded is there.
  await inside().getByText("16 of 40 books").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[data-testid=widget][data-mode=inline]").waitFor();
  await inside().locator(".cover").first().click();
  await inside().getByRole("button", { name: "Ask about this book" }).click();
  await page.getByText(/Said in the conversation/).waitFor();
  await page
    .getByTestId("message-dock")
    .getByRole("button", { name: /^Messages/ })
    .click();
  await page.getByLabel("Show", { exact: true }).selectOption("widgets");
  await page
    .getByRole("list", { name: "Messages" })
    .getByRole("button", { name: /from the widget.*ui\/message/ })
    .click();
  await page.getByRole("region", { name: "Message", exact: true }).getByText("Answer").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Fold messages" }).click();
});

test("the café's menu is there in both dialects, and window.openai speaks for the second", async () => {
  const cafe = await startCafe();
  stack.defer(() => cafe.close());
  await page.goto(
    `${deployment.url}/p/${deployment.projectId}/servers/${await save("cafe", cafe.url)}/tools`,
  );
  await choose("show_menu");
  await run();
  await inside().getByText("Flat white").waitFor();
  await page.getByRole("radio", { name: "ui://cafe/menu-openai.html" }).check({ force: true });
  await widget("ready").waitFor();
  await inside().getByText("Flat white").waitFor();
  const told = await inside()
    .locator("body")
    .evaluate(async () => {
      const { openai } = window as unknown as { openai: OpenAiGlobals };
      const called = await openai.callTool("refresh_menu", {});
      await openai.setWidgetState({ cup: "small" });
      const { mode } = await openai.requestDisplayMode({ mode: "fullscreen" });
      await openai.sendFollowUpMessage({ prompt: "One flat white, please" });
      const { toolInput, theme, displayMode, widgetState } = openai;
      return { called: called.structuredContent, toolInput, theme, displayMode, widgetState, mode };
    });
  expect(told).toEqual({
    called: { drinks: ["Espresso", "Flat white", "Mint tea"] },
    toolInput: {},
    theme: "light",
    displayMode: "fullscreen",
    widgetState: { cup: "small" },
    mode: "fullscreen",
  });
  await page.getByRole("button", { name: "Leave full screen" }).click();
  await said("One flat white, please").waitFor();
  // The pictures of the menu are nowhere.
  opened.troubles.length = 0;
});

test("a widget is shown as another host would, with its modes, in a language and on a device of choice", async () => {
  await page.getByRole("button", { name: "Picture in picture" }).click();
  await page.locator("[data-testid=widget][data-mode=pip]").waitFor();
  await page.getByRole("button", { name: "Put back" }).click();
  await page.getByRole("button", { name: "Shown as" }).click();
  await page.getByRole("radio", { name: "Phone" }).check({ force: true });
  await page.getByLabel("Language", { exact: true }).selectOption("fa-IR");
  const globals = () =>
    inside()
      .locator("body")
      .evaluate(() => {
        const { locale, safeArea } = (window as unknown as { openai: OpenAiGlobals }).openai;
        return { locale, safeArea };
      });
  await expect.poll(globals).toMatchObject({ locale: "fa-IR", safeArea: { insets: { top: 59 } } });
  await page.getByLabel("Host", { exact: true }).selectOption("claude");
  // It has no picture-in-picture, and knows no window.openai: the document never begins.
  await widget("error").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Picture in picture" }).count()).toBe(0);
  await page.getByLabel("Host", { exact: true }).selectOption("chatgpt");
  await widget("ready").waitFor();
  await page.keyboard.press("Escape");
  opened.troubles.length = 0;
});

test("a widget reaches nobody outside, nor the page around it", async () => {
  const id = await save("hostile", hostile.url);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers/${id}/tools`);
  await show("reach");
  const told = await said(/app document/).innerText();
  expect(told.split("\n").filter((line) => !line.endsWith("refused"))).toEqual([]);
  await page.getByText(/^Policy/).click();
  await page
    .getByRole("table", { name: "Policy of the widget" })
    .getByText(/^connect-src/)
    .first()
    .waitFor();
  await page.getByText("The document evaluates code, and may not").waitFor();
  await show("leave");
  await said("before leaving").waitFor();
  await show("refresh");
  await said("before refreshing").waitFor();
  expect(new URL(page.url()).origin).toBe(deployment.url);
  expect(page.context().pages().length).toBe(1);
  expect(hostile.seen).toEqual([]);
  // Each attempt is an error in the console, and the browser's word that it failed.
  const troubles = opened.troubles.splice(0);
  expect(troubles.filter((text) => !isRefusal(text))).toEqual([]);
});

test("a widget connects to no peer, by itself or through a frame or a worker that it makes", async () => {
  await show("peer");
  const told = await said(/^here:/).innerText();
  expect(told.split("\n").filter((line) => !line.endsWith(": refused"))).toEqual([]);
  expect(told.split("\n")).toHaveLength(8);
  expect(hostile.seen).toEqual([]);
  const troubles = opened.troubles.splice(0);
  expect(troubles.filter((text) => !isRefusal(text))).toEqual([]);
});

test("the browser itself connects no peer under a widget's headers, where a script has found a constructor", async () => {
  const address = page
    .frames()
    .map((frame) => frame.url())
    .find((url) => url.includes("/d/"));
  const { headers } = await fetch(address!);
  const heard: string[] = [];
  const [held, free] = await Promise.all(
    ["held", "free"].map((name) => listenForPeers(() => heard.push(name))),
  );
  const unguarded = createServer(({ url }, response) => {
    for (const name of ["content-security-policy", "connection-allowlist"])
      if (url === "/held") response.setHeader(name, headers.get(name) ?? "");
    const stun = url === "/held" ? held : free;
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><p>tried</p><script>const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:${stun}" }] });
      peer.createDataChannel("x"); peer.setLocalDescription();</script>`);
  });
  await new Promise<void>((resolve) => unguarded.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void unguarded.close());
  const { port } = unguarded.address() as AddressInfo;
  // The second is heard soon; had the first sent anything, it would have come before.
  for (const path of ["held", "free"]) {
    const tab = await page.context().newPage();
    stack.defer(() => tab.close());
    await tab.goto(`http://127.0.0.1:${port}/${path}`);
    await tab.getByText("tried").waitFor();
  }
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  expect(heard).not.toContain("held");
});

async function listenForPeers(heard: () => void): Promise<string> {
  const socket = createSocket("udp4", heard);
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  stack.defer(() => new Promise<void>((resolve) => socket.close(resolve)));
  return `127.0.0.1:${socket.address().port}`;
}

test("what a widget may not ask for is refused, whoever it says it is", async () => {
  await show("forge");
  const told = await said(/tools\/call: refused/).innerText();
  expect(told.split("\n")).toEqual([
    'tools/call: refused, "secret" is not for widgets: its visibility lacks "app".',
    "tools/call: refused, The server has no such tool.",
    "ui/open-link: refused, Links of javascript: are not opened.",
    "sampling/createMessage: refused, This host does not know sampling/createMessage.",
    "resources/read: refused, No such thing here.",
    "__proto__: refused, This host does not know __proto__.",
  ]);
  await show("nested");
  await said("after the frame").waitFor();
  await expect.poll(() => page.getByTestId("widget-wish").count()).toBe(0);
  expect(hostile.bought).toBe(0);
  expect(hostile.seen).toEqual([]);
  opened.troubles.splice(0);
});

test("a tool that changes something is called when the person says so, and only then", async () => {
  await show("buy");
  const wish = page.getByTestId("widget-wish");
  await wish.getByText('"item": "lamp"').waitFor();
  expect(hostile.bought).toBe(0);
  await wish.getByRole("button", { name: "Refuse" }).click();
  await said("not bought: The person said no.").waitFor();
  await run();
  await wish.getByText('"item": "lamp"').waitFor();
  await page.getByRole("button", { name: "Full screen", exact: true }).click();
  await wish.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("button", { name: "Leave full screen" }).click();
  await said("bought").waitFor();
  expect(hostile.bought).toBe(1);
  // Once let through, the server's widgets ask nothing more in this tab.
  await page.getByRole("button", { name: "Shown as" }).click();
  await page.getByLabel("Calls of tools").selectOption("allow");
  await page.keyboard.press("Escape");
  await run();
  await expect.poll(() => hostile.bought).toBe(2);
  await expect.poll(() => wish.count()).toBe(0);
});

test("a mode that is not offered changes nothing; full screen is left by keyboard, and the widget was loaded once", async () => {
  await choose("show_modes");
  const start = page.getByRole("button", { name: "Run", exact: true });
  await start.click();
  await page.locator("[data-testid=widget][data-mode=fullscreen]").waitFor();
  await said("pip: inline").waitFor();
  await said("fullscreen: fullscreen").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[data-testid=widget][data-mode=inline]").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Picture in picture" }).count()).toBe(0);
  await expect.poll(() => said(/^pip:/).count()).toBe(1);
});

test("of two origins the one that is declared is let through, and the policy says which is missing", async () => {
  await show("policy");
  await said("blocked: https://missing.invalid").waitFor();
  await page.getByText(/^Policy/).click();
  const connect = page
    .getByRole("table", { name: "Policy of the widget" })
    .getByRole("row", { name: /^connect/ });
  await expect
    .poll(() => connect.getByRole("cell").allInnerTexts())
    .toEqual([
      "https://declared.invalid",
      "https://declared.invalid",
      "connect-src https://missing.invalid/a",
    ]);
  const declaration = page.getByRole("region", { name: "What the resource would have to declare" });
  await expect
    .poll(async () => JSON.parse(await declaration.locator("pre").innerText()))
    .toEqual({
      _meta: { ui: { csp: { connectDomains: ["https://declared.invalid", "https://missing.invalid"] } } },
    });
  opened.troubles.length = 0;
});

test("a number is a number to a widget, however its server spells it", async () => {
  await show("numbers");
  await said("a price of 2").waitFor();
});

test("a document that is opened by its address has no origin, and no cookie of the app", async () => {
  const address = page
    .frames()
    .map((frame) => frame.url())
    .find((url) => url.includes("/d/"));
  const tab = await page.context().newPage();
  await tab.goto(address!);
  const reached = () => tab.evaluate(() => document.cookie);
  await expect.poll(() => tab.evaluate(() => self.origin)).toBe("null");
  await expect(reached()).rejects.toThrow("sandboxed");
  await tab.close();
});

test("a widget that never rests, or never stops talking, leaves the page to its person", async () => {
  await show("flood");
  // Said again and again until the page has answered, which a busy one does late.
  await said("after the flood").first().waitFor();
  await show("loop");
  await said("before looping").waitFor();
  await page.getByRole("radio", { name: "Content" }).check({ force: true });
  await page.getByTestId("tool-result").getByText("done", { exact: true }).waitFor();
  expect(hostile.seen).toEqual([]);
});
