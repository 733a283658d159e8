import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready, tabTo } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, bruno, setUp, signIn } from "./people.ts";

let browser: Browser;
let deployment: Deployment;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment()]);
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

/** The focus moves a moment after the key. */
const menuFocused = (page: Page, item: RegExp) =>
  page
    .locator("[role=menuitem]:focus")
    .and(page.getByRole("menuitem", { name: item }))
    .waitFor();

let invitation = "";

test("an owner invites someone by keyboard, and gets the link once", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await setUp(page, deployment.signInUrl);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.waitForURL("**/settings/members");
  await ready(page);
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "Invite someone" }).waitFor();
  await page.keyboard.type(bruno.email);
  await page.keyboard.press("Control+Enter");
  const shown = page.getByRole("dialog", { name: "Invitation link" });
  await shown.waitFor();
  invitation = (await shown.locator("[data-secret]").textContent()) ?? "";
  expect(invitation).toContain(`${deployment.url}/join#token=`);
  await tabTo(shown.getByLabel("I have stored it"));
  await page.keyboard.press("Space");
  await tabTo(shown.getByRole("button", { name: "Close" }));
  await page.keyboard.press("Enter");
  await page
    .getByRole("row", { name: new RegExp(bruno.email) })
    .getByText("Pending")
    .waitFor();
});

test("the invited person sees who invites to what, makes an account and is in", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(invitation);
  await page.getByRole("heading", { name: "Join Northwind" }).waitFor();
  expect(page.url()).toBe(`${deployment.url}/join`);
  await page.getByText(`${ana.name} invites you as member`).waitFor();
  await page.getByLabel("Your name").fill(bruno.name);
  await page.getByLabel("Password", { exact: true }).fill(bruno.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/o\//);
  await ready(page);
});

test("a link that was used already says so", async () => {
  await using opened = await openPage(browser);
  await opened.page.goto(invitation);
  await opened.page.locator("[data-testid=state]:not([data-state=loading])").waitFor();
});

test("a member sees what they may not do, with the reason", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await signIn(page, deployment.url, bruno);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.getByRole("row", { name: /Ana Duarte/ }).waitFor();
  const invite = page.getByRole("button", { name: "Invite" });
  await expect.poll(() => invite.getAttribute("aria-disabled")).toBe("true");
  await tabTo(invite);
  const [reasonId] = (await invite.getAttribute("aria-describedby"))!.split(" ");
  await expect
    .poll(() => page.locator(`[id="${reasonId}"]`).textContent())
    .toContain("Admins and owners can invite people.");
  const shown = page.locator("[popover]:popover-open");
  await expect.poll(() => shown.textContent()).toBe("Admins and owners can invite people.");
  const { x, width } = (await shown.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "hidden" });
  await invite.hover();
  await shown.waitFor();
  await tabTo(page.getByRole("button", { name: "Actions for Ana Duarte" }));
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.getByRole("menuitem", { name: /Change role/ }).getAttribute("aria-disabled"))
    .toBe("true");
});

test("two who rename the organization at once choose between the names", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await signIn(page, deployment.url, ana);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.waitForURL("**/settings/members");
  const organization = /\/o\/[^/]+/.exec(page.url())?.[0];
  await page.goto(`${deployment.url}${organization}/settings/general`);
  await page.getByLabel("Name").fill("Northwind Mine");
  await page.request.patch(`${deployment.url}/app${organization?.replace("/o/", "/organizations/")}`, {
    headers: { "x-fettle-app": "1" },
    data: { name: "Northwind Theirs" },
  });
  await page.getByRole("button", { name: "Compare and choose" }).click();
  await page.getByTestId("conflict").getByText("Northwind Theirs").waitFor();
  await page.getByRole("button", { name: "Save merged" }).click();
  await page.getByText("All saved.").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Northwind Mine");
});

test("an owner changes a role and removes a member by keyboard, whose open page then shows nothing any more", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await signIn(page, deployment.url, ana);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await using theirs = await openPage(browser);
  await signIn(theirs.page, deployment.url, bruno);
  await theirs.page.goto(page.url());
  await theirs.page.getByRole("row", { name: /Ana Duarte/ }).waitFor();
  const row = page.getByRole("row", { name: /Bruno Keller/ });
  const actions = page.getByRole("button", { name: "Actions for Bruno Keller" });
  await tabTo(actions);
  await page.keyboard.press("Enter");
  await menuFocused(page, /Change role/);
  await page.keyboard.press("Enter");
  const role = page.getByRole("dialog", { name: "Role of Bruno Keller" });
  await role.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Control+Enter");
  await role.waitFor({ state: "detached" });
  await row.getByText("Admin").waitFor();
  // The focus is back where it came from.
  await expect.poll(() => actions.evaluate((element) => element === document.activeElement)).toBe(true);

  await page.keyboard.press("Enter");
  await menuFocused(page, /Change role/);
  await page.keyboard.press("End");
  await menuFocused(page, /Remove/);
  await page.keyboard.press("Enter");
  const remove = page.getByRole("dialog", { name: "Remove Bruno Keller?" });
  await remove.waitFor();
  await tabTo(remove.getByRole("button", { name: "Remove", exact: true }));
  await page.keyboard.press("Enter");
  await row.waitFor({ state: "detached" });
  // Their open page loses what is no longer theirs, and says so.
  await theirs.page.getByRole("row", { name: /Ana Duarte/ }).waitFor({ state: "detached" });
  await theirs.page.getByTestId("state").waitFor();
});
