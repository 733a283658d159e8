import { startHostile } from "@fettle/samples";
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
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  [browser, deployment] = await Promise.all([
    launchBrowser(),
    // The host name of the app itself.
    startDeployment({ sample: true, env: { FETTLE_WIDGET_URL: "http://127.0.0.1:1" } }),
  ]);
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
  await stack.disposeAsync();
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
  await expect
    .poll(() =>
      page
        .getByRole("row")
        .filter({ has: page.getByRole("link") })
        .count(),
    )
    .toBe(1);
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
  await expect
    .poll(async () => (await crumbs.allTextContents()).slice(-3))
    .toEqual(["Bookshop", "History", "Entry of the history"]);
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
  await page.getByLabel("Days", { exact: true }).fill("7");
  await page.getByLabel("Days to keep runs").fill("90");
  await page.getByText("Anything beyond these limits is deleted for good.").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Retention saved").waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel("Days", { exact: true }).inputValue()).toBe("7");
  await expect.poll(() => page.getByLabel("Days to keep runs").inputValue()).toBe("90");
  await page.goto(history);
});

test("a certificate that nobody vouches for is the step that fails, with the reason and what to try", async () => {
  const wrong = await startHostile("self-signed-certificate");
  stack.defer(() => wrong.close());
  const made = await opened.context.request.post(servers.replace("/p/", "/api/v1/projects/"), {
    headers: { "x-fettle-app": "1", origin: deployment.url },
    data: { name: "Unsigned", transportType: "http", url: wrong.url },
    failOnStatusCode: true,
  });
  await page.goto(`${servers}/${(await made.json()).id}/overview`);
  const step = (name: string, status: string) =>
    page.locator(`[data-testid=doctor] [data-check=${name}][data-status=${status}]`);
  await step("probe", "error")
    .getByText(/certificate/)
    .waitFor();
  const finding = page.getByTestId("finding").first();
  await finding
    .getByText(/self-signed/)
    .first()
    .waitFor();
  await finding.getByText(/openssl s_client/).waitFor();
  await page.getByRole("button", { name: "Examine again" }).click();
  await step("probe", "error").waitFor();
});

test("where widgets have no host name of their own none is shown: the result is, and what would help", async () => {
  await page.goto(`${servers}/${deployment.serverId}/tools?tool=show_bookshelf`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Widgets need an address of their own, on another host name than the app.").waitFor();
  await page.getByText(/FETTLE_WIDGET_URL/).waitFor();
  await expect.poll(() => page.locator("iframe").count()).toBe(0);
  await page.getByRole("radio", { name: "Content" }).check({ force: true });
  await page.locator("[data-testid=tool-result][data-state=ok]").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});
