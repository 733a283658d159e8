import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready, tabTo } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, setUp, signIn } from "./people.ts";

let browser: Browser;
let deployment: Deployment;
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment()]);
  const { page, context } = await openPage(browser);
  await setUp(page, deployment.signInUrl);
  cookies = await context.cookies();
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

async function openSignedIn(path: string) {
  const opened = await openPage(browser);
  await opened.context.addCookies(cookies);
  await opened.page.goto(deployment.url + path);
  await ready(opened.page);
  return opened;
}

test("the palette finds a page by typing and opens it", async () => {
  await using opened = await openSignedIn("/account/profile");
  const { page } = opened;
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("devi");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/account/devices");
  await page.getByText("This browser").waitFor();
  // The heading has the focus, so that a screen reader starts there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("an action of another page is one line in the palette", async () => {
  await using opened = await openSignedIn("/account/profile");
  const { page } = opened;
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new project");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New project" }).waitFor();
  await page.keyboard.type("Checkout assistant");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { level: 1, name: "Checkout assistant" }).waitFor();
  expect(page.url()).toMatch(/\/p\/\w+$/);
});

test("a filter is part of the address and survives a reload", async () => {
  await using opened = await openSignedIn("/account/keys");
  const { page } = opened;
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL("**/o/*");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("zzz");
  await page.locator("[data-testid=state][data-state=filtered]").waitFor();
  await page.reload();
  await page.locator("[data-testid=state][data-state=filtered]").waitFor();
  await page.getByRole("button", { name: "Clear filter" }).last().click();
  await page.getByRole("table").waitFor();
});

test("single keys do nothing while typing, and can be turned off", async () => {
  await using opened = await openSignedIn("/account/profile");
  const { page } = opened;
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type("g k ?");
  expect(page.url()).toContain("/account/profile");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.goto(`${deployment.url}/account/appearance`);
  await page.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("?");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
});

test("the terminal twin names the page's own ids", async () => {
  await using opened = await openSignedIn("/account/keys");
  const { page } = opened;
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL("**/o/*");
  // The address changes first; the button of the page being left would name that page.
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  await page.getByRole("button", { name: "Same in the terminal" }).click();
  const id = new URL(page.url()).pathname.split("/")[2];
  await page.getByText(`fettle cloud projects list --org ${id}`).waitFor();
});

test("an address without its tab leads to the first one", async () => {
  await using opened = await openSignedIn("/account");
  await opened.page.waitForURL("**/account/profile");
  await opened.page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
});

test("an address that is no page says so, with status 404 and a way on", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const answer = await page.goto(`${deployment.url}/nothing/here`);
  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
});

test("another organization's project reads as not found", async () => {
  await using opened = await openSignedIn("/p/prj_of_someone_else");
  await opened.page.locator("[data-testid=state][data-state=gone]").waitFor();
});

test("when the session ends, signing in over the page keeps what was typed", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await signIn(page, deployment.url, ana);
  await page.goto(`${deployment.url}/account/profile`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Ana Duarte Silva");
  await context.clearCookies();
  // As an event: a read of the page's own may have noticed first, and the dialog lies over the button then.
  await page.locator("button", { hasText: /^Save$/ }).dispatchEvent("click");
  const sheet = page.getByRole("dialog", { name: "Your session ended" });
  await sheet.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.isVisible()).toBe(true);
  await sheet.getByLabel("Password").fill(ana.password);
  await page.keyboard.press("Enter");
  await sheet.waitFor({ state: "detached" });
  await expect.poll(() => name.inputValue()).toBe("Ana Duarte Silva");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Profile saved").waitFor();
});

test("keyboard reaches every control of a page in order, the skip link first", async () => {
  await using opened = await openSignedIn("/account/keys");
  const { page } = opened;
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  const controls = await page.locator("a:visible, button:visible, input:visible").count();
  const reached = new Set<string>();
  for (let presses = 0; presses < controls + 5; presses += 1) {
    reached.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300) ?? ""));
    await page.keyboard.press("Tab");
  }
  expect(reached.size).toBeGreaterThanOrEqual(controls);
  await tabTo(page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});
