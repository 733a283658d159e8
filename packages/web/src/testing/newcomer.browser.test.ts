/** The first five minutes of somebody who was told nothing: each step is found on the page, and the clicks of a day's work are counted. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let clicks = 0;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  page = opened.page;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const click = async (target: Locator) => {
  clicks += 1;
  await target.click();
};
/** Clicks since the last time it was asked. */
const counted = () => {
  const made = clicks;
  clicks = 0;
  return made;
};
const link = (name: string | RegExp) => page.getByRole("link", { name });
const button = (name: string | RegExp) => page.getByRole("button", { name });
const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const result = (state: string) => page.locator(`[data-testid=tool-result][data-state=${state}]`);
const run = () => page.getByRole("button", { name: "Run", exact: true });
const field = (name: RegExp) => page.getByRole("textbox", { name });
const endedRun = () => page.locator("[data-testid=conformance-run][data-status=completed]");

test("a newcomer calls, mends, answers, saves, checks and compares within five minutes", async () => {
  const startedAt = Date.now();
  await page.goto(deployment.signInUrl);
  await click(link("Sample shop"));
  await click(link(/Call a tool/));
  const tools = page.getByRole("navigation", { name: "List of tools" });
  await tools.getByRole("button", { name: /^place_order/ }).waitFor();
  expect(counted(), "to connect").toBeLessThanOrEqual(2);

  await click(tools.getByRole("button", { name: /^list_orders/ }));
  await click(run());
  await result("ok").getByText("BK-1001").first().waitFor();
  expect(counted(), "to call").toBeLessThanOrEqual(2);

  await tools.getByRole("button", { name: /^place_order/ }).click();
  await field(/^orderReference/).fill("first-walk");
  await field(/^customer/).fill("Ida");
  await page.getByText("collect", { exact: true }).click();
  if ((await field(/^bookId/).count()) === 0) await button(/^Add item/).click();
  await field(/^bookId/).fill("tin-swalows");
  await field(/^quantity/).fill("12");
  await run().click();
  await result("tool-error").getByText("BOOK_NOT_FOUND").waitFor();

  await field(/^bookId/).fill("a-cold-cup-for-inspector-vale");
  await run().click();
  const question = page.getByTestId("server-question");
  await question.getByText("That is 12 books. Shall the shop really order them?", { exact: true }).waitFor();
  await question.getByText("true", { exact: true }).first().click();
  await question.getByRole("button", { name: /^Accept/ }).click();
  await result("ok")
    .getByText(/Ordered\. BK-/)
    .first()
    .waitFor();

  await tab("History").click();
  await link(/Tool call\s*place_order/)
    .first()
    .click();
  await button("Save call").click();
  await page.getByLabel("Name").fill("A dozen of Vale");
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("A dozen of Vale is saved").waitFor();
  counted();
  await click(button("Run again"));
  await page.getByTestId("comparison").waitFor();
  expect(counted(), "to run again").toBeLessThanOrEqual(1);

  await tab("Resources").click();
  const resources = page.getByRole("navigation", { name: "List of resources" });
  counted();
  await click(
    resources
      .getByRole("button")
      .filter({ hasText: /small-weather/ })
      .first(),
  );
  await page
    .getByTestId("resource-content")
    .getByText(/Forty poems/)
    .waitFor();
  expect(counted(), "to read").toBeLessThanOrEqual(1);

  await tab("Conformance").click();
  await button("Run checks").click();
  await page.getByRole("dialog").getByRole("button", { name: "Run checks" }).click();
  await endedRun().waitFor({ timeout: 120_000 });
  const first = page.url();
  await button("Run again").click();
  await page.waitForURL((url) => /\/conformance\/cfr_/.test(url.href) && url.href !== first);
  await endedRun().waitFor({ timeout: 120_000 });
  await page.getByText(/Nothing turned: all \d+ checks came out as before\./).waitFor();
  expect(Date.now() - startedAt).toBeLessThan(300_000);
}, 300_000);

test("another server is one click away, in the same section, and so is the way back", async () => {
  const path = `${deployment.url}/api/v1/projects/${deployment.projectId}/servers`;
  const [{ id, name, url }] = (await (await page.request.get(path)).json()).items;
  await page.request.post(path, {
    headers: { "x-fettle-app": "1", origin: deployment.url },
    data: { name: "Annex", transportType: "http", url },
  });
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers/${id}/prompts`);
  const others = page.getByRole("navigation", { name: "Other servers" });
  for (const [from, to] of [
    [name, "Annex"],
    ["Annex", name],
  ]) {
    await page.getByRole("heading", { level: 1, name: from, exact: true }).waitFor();
    counted();
    await click(others.getByRole("link", { name: new RegExp(`${to}$`) }));
    await page.getByRole("heading", { level: 1, name: to, exact: true }).waitFor();
    expect(counted(), "to switch").toBe(1);
    expect(page.url()).toMatch(/\/prompts$/);
  }
});
