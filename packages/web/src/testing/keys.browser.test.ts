import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready, tabTo } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { setUp } from "./people.ts";

let browser: Browser;
let deployment: Deployment;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment()]);
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

const callWith = (key: string) =>
  fetch(`${deployment.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });

/** Everything a page could have kept a secret in. */
async function keptText(page: Page): Promise<string> {
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
  );
  return [stored, page.url(), await page.content()].join("\n");
}

test("a key is made, shown once, used and revoked, all by keyboard", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await setUp(page, deployment.signInUrl);

  // Reached by keys: g k, then n for the page's main action.
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.waitForURL("**/account/keys");
  await ready(page);
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.keyboard.press("n");
  const form = page.getByRole("dialog", { name: "Create an API key" });
  await form.waitFor();
  await page.keyboard.type("CI of checkout");
  await page.keyboard.press("Control+Enter");

  const shown = page.getByRole("dialog", { name: "Store your key now" });
  await shown.waitFor();
  const key = (await shown.locator("[data-secret]").textContent()) ?? "";
  expect(key).toMatch(/^sk_/);
  expect((await callWith(key)).status).toBe(200);

  // Neither Escape nor a click outside closes it, and Close waits for the box.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect.poll(() => shown.isVisible()).toBe(true);
  await expect.poll(() => shown.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
  await tabTo(shown.getByRole("button", { name: "Copy key" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await tabTo(shown.getByLabel("I have stored it"));
  await page.keyboard.press("Space");
  await tabTo(shown.getByRole("button", { name: "Close" }));
  await page.keyboard.press("Enter");
  await shown.waitFor({ state: "detached" });

  expect(await keptText(page)).not.toContain(key);
  await page.reload();
  await page.getByRole("row", { name: /CI of checkout/ }).waitFor();
  expect(await keptText(page)).not.toContain(key);

  await tabTo(page.getByRole("button", { name: "Revoke CI of checkout" }));
  await page.keyboard.press("Enter");
  const confirm = page.getByRole("dialog", { name: "Revoke this key?" });
  await confirm.waitFor();
  await expect.poll(() => confirm.getByRole("button", { name: "Revoke key" }).isDisabled()).toBe(true);
  await page.keyboard.type("CI of checkout");
  await page.keyboard.press("Enter");
  await confirm.waitFor({ state: "detached" });
  await page
    .getByRole("row", { name: /CI of checkout/ })
    .getByText("Revoked")
    .waitFor();
  expect((await callWith(key)).status).toBe(401);
});
