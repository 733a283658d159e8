import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let servers: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  servers = `${deployment.url}/p/${deployment.projectId}/servers`;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });

test("the list of servers shows the last known state after a reload, and the overview how it fares", async () => {
  await page.goto(servers);
  await page.getByRole("button", { name: "Check all" }).click();
  const answers = page.locator("[data-testid=server-status][data-state=connected]");
  await answers.waitFor();
  await page.getByRole("button", { name: "Check all" }).click();
  await answers.waitFor();
  await page.reload();
  await answers.waitFor();
  await page.getByRole("link", { name: "Bookshop" }).click();
  await page.getByRole("list", { name: "Latest verdicts" }).getByText("Health").waitFor();
  await page.getByRole("img", { name: /^Health over time: \d+ checks, 0 failed/ }).waitFor();
  // Looking again shows what is kept: examining is left to who asks for it.
  await page.getByTestId("doctor").waitFor();
  await page.reload();
  await page.getByTestId("doctor").waitFor();
  await page.getByText("What it says of itself").waitFor();
  await tab("History").click();
  await page.getByLabel("Kind").selectOption("doctor");
  await page
    .getByRole("link", { name: /Doctor/ })
    .first()
    .waitFor();
  expect(
    await page
      .getByRole("row")
      .filter({ has: page.getByRole("link") })
      .count(),
  ).toBe(1);
  await tab("Overview").click();
  await page.getByTestId("doctor").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a call is found in the history with its messages, made again with another word, and compared", async () => {
  await tab("Tools").click();
  await page
    .getByRole("navigation", { name: "List of tools" })
    .getByRole("button", { name: /search_books/ })
    .click();
  await page.getByRole("textbox", { name: "query" }).fill("sea");
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await page.locator("[data-testid=tool-result]").waitFor();
  await tab("History").click();
  await page.getByLabel("Kind").selectOption("tool");
  await page.getByRole("link", { name: /Tool call\s*search_books/ }).click();
  await page.getByRole("heading", { name: "Messages" }).waitFor();
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
  expect((await crumbs.allTextContents()).slice(-3)).toEqual(["Bookshop", "History", "Entry of the history"]);
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByText("The same as before.").waitFor();
  await page.getByLabel("Parameters").fill('{"query":"land"}');
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("table", { name: "What is different" }).waitFor();
});

test("it is saved under a name, run from the list, and made a case of a suite", async () => {
  await page.getByRole("button", { name: "Save call" }).click();
  await page.getByLabel("Name").fill("Sea books");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Sea books is saved").waitFor();
  await page.getByRole("button", { name: "Make eval case" }).click();
  await page.getByRole("button", { name: "Make case" }).click();
  await page.getByText("The case is in the suite").waitFor();
  await tab("History").click();
  await page.getByRole("button", { name: "Run Sea books" }).click();
  await page.getByTestId("comparison").getByText("The same as before.").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a saved call is renamed and edited", async () => {
  await page.getByRole("button", { name: "Edit Sea books" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Land books");
  await dialog.getByLabel("Parameters").fill('{"query":"land"}');
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Land books is saved").waitFor();
  await page.getByRole("list", { name: "Saved calls" }).getByText('{"query":"land"}').waitFor();
});

test("how long the history stays is said on the project's settings", async () => {
  const history = page.url();
  await page.goto(servers.replace(/servers$/, "settings/history"));
  await page.getByLabel("Days").fill("7");
  await page.getByText("What is beyond it is removed for good.").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Retention saved").waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel("Days").inputValue()).toBe("7");
  await page.goto(history);
});

test("it looks as it should", async () => {
  const history = page.url();
  const folder = process.env.SCREENSHOTS;
  for (const width of [1440, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const [name, address] of [
        ["list", history],
        ["overview", history.replace(/history.*/, "overview")],
      ] as const) {
        await page.goto(address);
        await page.getByRole("list", { name: /Saved calls|Latest verdicts/ }).waitFor();
        if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
      }
      await page.goto(history);
      await page
        .getByRole("link", { name: /Tool call/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Messages" }).waitFor();
      if (folder) await page.screenshot({ path: `${folder}/entry-${width}-${colorScheme}.png` });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(overflow, `${width}`).toBeLessThanOrEqual(0);
    }
  }
});
