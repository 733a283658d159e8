/** @module The first minute on one's own machine: an empty folder, no network, and a result after one press. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInspector } from "@fettle/service/inspector";
import { expect, onTestFinished, test } from "vitest";
import { pageBarriersOf } from "../testing/barriers.ts";
import { launchBrowser, openPage, ready } from "../testing/browser.ts";

test("where no server was ever saved, the sample shop is open, and one press shows its widget", async () => {
  const home = mkdtempSync(join(tmpdir(), "fettle-first-minute-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const start = async () => {
    const inspector = await startInspector({ home, port: 0 });
    onTestFinished(() => inspector.stop());
    const { page } = await openPage(browser);
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).hostname));
    return { inspector, page, asked };
  };
  const first = await start();
  await first.page.goto(first.inspector.pageUrl());
  await first.page.getByRole("button", { name: "Run", exact: true }).click();
  await first.page.locator("[data-testid=widget][data-state=ready]").waitFor();
  await first.page.locator("[data-testid=tool-result][data-state=ok]").waitFor();
  expect([...first.asked].toSorted()).toEqual(["127.0.0.1", "localhost"]);
  await ready(first.page);
  expect(await pageBarriersOf(first.page, "all")).toEqual([]);
  await first.inspector.stop();

  // It is a saved server like others from then on: there again at the next start, and gone when it is removed.
  const { inspector, page } = await start();
  await page.goto(inspector.pageUrl());
  await page.getByRole("link", { name: "Sample bookshop" }).click();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("button", { name: /^show_bookshelf/ }).waitFor();
  await page.goto(inspector.pageUrl("/p/proj_local/servers"));
  await page.getByRole("button", { name: "Actions for Sample bookshop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Sample bookshop");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  const again = page.getByRole("button", { name: "Try the sample bookshop" });
  await again.waitFor();
  await page.goto(inspector.pageUrl());
  await ready(page);
  expect(await pageBarriersOf(page)).toEqual([]);
  await again.click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("[data-testid=tool-result][data-state=ok]").waitFor();
});
