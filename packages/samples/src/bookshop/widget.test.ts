import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBookshop } from "../index.ts";
import { connectHttp } from "../sdk-client.ts";
import { SHELF_WIDGET_URI } from "./widget.ts";

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
if (!existsSync(CHROMIUM))
  console.warn(`SKIPPED: the bookshelf widget, because there is no Chromium at ${CHROMIUM}`);

/** A host page: shows the widget in a sandbox, answers its handshake, and passes its tool calls on. */
const HOST = `<!doctype html><iframe sandbox="allow-scripts" style="width:720px;height:900px;border:0"></iframe><script>
  const frame = document.querySelector("iframe");
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  window.seen = [];
  window.send = send;
  addEventListener("message", async ({ data, source }) => {
    if (source !== frame.contentWindow) return;
    window.seen.push(data);
    if (data.method === "ui/initialize")
      send({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "test", version: "1" }, hostCapabilities: {}, hostContext: { theme: "light" } } });
    if (data.method === "ui/message") send({ id: data.id, result: {} });
    if (data.method === "tools/call") send({ id: data.id, result: await window.passOnToolCall(data.params) });
  });
</script>`;

describe.skipIf(!existsSync(CHROMIUM))("the bookshelf widget in a browser", () => {
  let browser: Browser;
  let page: Page;
  const cleanups: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const shop = await startBookshop();
    const client = await connectHttp(shop.url, "modern");
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
      ],
    });
    cleanups.push(
      () => browser.close(),
      () => client.close(),
      () => shop.close(),
    );
    page = await browser.newPage();
    // The browser puts this into the widget's frame too, so its name must not be one of the widget's own.
    await page.exposeFunction(
      "passOnToolCall",
      (params: { name: string; arguments: Record<string, unknown> }) => client.callTool(params),
    );
    await page.setContent(HOST);
    const { contents } = await client.readResource({ uri: SHELF_WIDGET_URI });
    const html = contents[0] && "text" in contents[0] ? contents[0].text : "";
    await page.locator("iframe").evaluate((frame, srcdoc) => frame.setAttribute("srcdoc", srcdoc), html);
    await page.waitForFunction("seen.some((message) => message.method === 'ui/notifications/initialized')");
    const shelf = await client.callTool({ name: "show_bookshelf", arguments: {} });
    await page.evaluate((result) => {
      const { send } = globalThis as unknown as { send(message: object): void };
      send({ method: "ui/notifications/tool-input", params: { arguments: {} } });
      send({ method: "ui/notifications/tool-result", params: result });
    }, shelf);
  });
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  const widget = () => page.frameLocator("iframe");
  const seen = (method: string) => page.evaluate(`seen.filter((message) => message.method === "${method}")`);

  test("shows the shelf it is given and tells its size", async () => {
    await widget().getByText("8 of 40 books").waitFor();
    expect(await widget().locator(".cover").count()).toBe(8);
    expect(await seen("ui/notifications/size-changed")).not.toEqual([]);
  });

  test("reads the next page by itself", async () => {
    await widget().getByRole("button", { name: "More books" }).click();
    await widget().getByText("16 of 40 books").waitFor();
    expect(await widget().locator(".cover").count()).toBe(16);
  });

  test("opens a book, and asks the conversation about it", async () => {
    await widget().getByRole("button", { name: "Tin Swallows" }).click();
    await widget().getByText("Migrating machines").waitFor();
    await widget().getByRole("button", { name: "Ask about this book" }).click();
    await expect.poll(() => seen("ui/message")).toMatchObject([{ params: { role: "user" } }]);
  });

  test("follows the host's theme", async () => {
    const background = () =>
      widget().locator("body").evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.evaluate(() => {
      const { send } = globalThis as unknown as { send(message: object): void };
      send({ method: "ui/notifications/host-context-changed", params: { theme: "dark" } });
    });
    await expect.poll(background).not.toBe(light);
  });
});
