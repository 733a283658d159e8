import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready, tabTo } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, signIn } from "./people.ts";

let browser: Browser;
let deployment: Deployment;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment()]);
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

const answers: [string, string][] = [
  ["Your name", ana.name],
  ["Email", ana.email],
  ["Password", ana.password],
  ["Organization", "Northwind"],
];

test("the setup link makes the first account by keyboard alone, for one of two who try at once, and its secret leaves the address bar", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await using other = await openPage(browser);
  // By the address alone, with a secret that was guessed.
  await other.page.goto(`${deployment.url}/setup`);
  await other.page.getByLabel("Setup token").fill("fsu_guessed");
  for (const [label, text] of answers) await other.page.getByLabel(label, { exact: true }).fill(text);
  await other.page.getByRole("button", { name: "Set up" }).click();
  await other.page.getByRole("alert").getByText("not the setup token printed at start").waitFor();
  const secret = new URLSearchParams(new URL(deployment.signInUrl).hash.slice(1)).get("token");
  await other.page.getByLabel("Setup token").fill(secret!);
  await page.goto(deployment.signInUrl);
  await page.getByLabel("Your name").waitFor();
  expect(page.url()).toBe(`${deployment.url}/setup`);
  for (const [label, text] of answers) {
    await tabTo(page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  await Promise.all([
    page.keyboard.press("Enter"),
    other.page.getByRole("button", { name: "Set up" }).click(),
  ]);
  const came = (one: Page) => one.waitForURL(/\/(p|o)\//).then(() => one);
  const winner = await Promise.race([came(page), came(other.page)]);
  const loser = winner === page ? other.page : page;
  await loser.getByRole("alert").getByText("already set up").waitFor();
  await ready(winner);
  await expect.poll(() => winner.title()).toContain("Fettle");
});

test("once set up, the setup page only shows the way to sign in", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(deployment.signInUrl);
  await page.getByRole("heading", { name: "Already set up" }).waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Password").waitFor();
});

test("signing in by keyboard alone returns to the page that asked", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/account/devices?q=x`);
  await page.waitForURL(/\/login\?return=/);
  await tabTo(page.getByLabel("Email"));
  await page.keyboard.type(ana.email);
  await tabTo(page.getByLabel("Password"));
  await page.keyboard.type(ana.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${deployment.url}/account/devices?q=x`);
  await ready(page);
});

test("an unknown account and a wrong password are told the same", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login`);
  const told: (string | null)[] = [];
  for (const email of [ana.email, "nobody@northwind.example"]) {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the password");
    const answered = page.waitForResponse("**/app/sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await answered;
    told.push(await page.getByRole("alert").textContent());
  }
  expect(told[0]).toBe(told[1]);
  expect(told[0]).not.toBe("");
});

test("empty and half-typed fields are named before anything is sent, and the first gets the focus", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login`);
  await page.getByLabel("Email").fill("ana@");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const email = page.getByLabel("Email");
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => email.evaluate((element) => element === document.activeElement)).toBe(true);
  const described = await email.getAttribute("aria-describedby");
  await expect.poll(() => page.locator(`[id="${described}"]`).textContent()).toContain("whole email address");
});

test("a link that was made to lead away after signing in leads to the start instead", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login?return=${encodeURIComponent("//evil.example/x")}`);
  await page.getByLabel("Email").fill(ana.email);
  await page.getByLabel("Password").fill(ana.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${deployment.url}/{o,p}/**`);
});

test("a sign-in link that was used already says so and offers the form", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login#token=sil_used_already`);
  await page.getByText("This link does not work any more").waitFor();
  expect(page.url()).toBe(`${deployment.url}/login`);
  await page.getByLabel("Password").waitFor();
});

test("the theme of a device is in the document the service sends", async () => {
  await using opened = await openPage(browser);
  const { context, page } = opened;
  await signIn(page, deployment.url, ana);
  await page.goto(`${deployment.url}/account/appearance`);
  await page.getByLabel("Dark", { exact: true }).check({ force: true });
  await page.getByLabel("Compact").check({ force: true });
  const html = await (await context.request.get(`${deployment.url}/account/appearance`)).text();
  expect(html).toContain('data-theme="dark"');
  expect(html).toContain('data-density="compact"');
});
