import { limits } from "@fettle/contract/core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { setUp } from "./people.ts";

let browser: Browser;
let deployment: Deployment;
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
let home: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment()]);
  const { page, context } = await openPage(browser);
  await setUp(page, deployment.signInUrl);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL("**/o/*");
  home = page.url();
  cookies = await context.cookies();
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

/** A change made somewhere else: not through the page under test. */
async function createProject(context: BrowserContext, name: string): Promise<void> {
  const answer = await context.request.post(`${deployment.url}/api/v1/projects`, {
    headers: { "x-fettle-app": "1" },
    data: { name, organizationId: new URL(home).pathname.split("/")[2] },
  });
  expect(answer.status()).toBe(201);
}

const app = (page: Page, state: string) => page.locator(`[data-testid=app][data-live=${state}]`);
const streamOpened = (context: BrowserContext) =>
  context.waitForEvent("response", (response) => response.url().includes("/app/events") && response.ok());

test("two tabs share one stream, both see a change at once, and the second takes over from the first", async () => {
  await using opened = await openPage(browser);
  const { page: first, context } = opened;
  await context.addCookies(cookies);
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("/app/events")) streams.push(request.url());
  });
  const firstStream = streamOpened(context);
  await first.goto(home);
  await firstStream;
  const second = await context.newPage();
  await second.goto(home);
  await ready(second);

  await createProject(context, "Seen live");
  await first.getByRole("link", { name: "Seen live" }).waitFor();
  await second.getByRole("link", { name: "Seen live" }).waitFor();
  expect(streams).toHaveLength(1);

  const nextStream = streamOpened(context);
  await first.close();
  await nextStream;
  await createProject(context, "Seen by the second");
  await second.getByRole("link", { name: "Seen by the second" }).waitFor();
});

test("what changed after a page was read and before its stream began is seen, too", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const changed = Promise.withResolvers<void>();
  await page.route("**/app/events?*", async (route) => {
    await changed.promise;
    await route.continue();
  });
  await page.goto(home);
  await page.getByRole("link", { name: "Seen live" }).waitFor();
  await createProject(context, "Seen late");
  changed.resolve();
  await page.getByRole("link", { name: "Seen late" }).waitFor();
});

test("while the service is away the page stays, says so and keeps drafts; it recovers by itself", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const stream = streamOpened(context);
  await page.goto(home);
  await stream;
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Half typed");

  await deployment.kill();
  await app(page, "offline").waitFor();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await expect.poll(() => dialog.getByRole("button", { name: "Create project" }).isDisabled()).toBe(true);
  // Not by role: what an open dialog covers is hidden from assistive technology.
  await expect.poll(() => page.getByText("Seen live", { exact: true }).count()).toBe(1);
  await expect
    .poll(() => page.getByText("The service cannot be reached").first().textContent())
    .toContain("Last updated");

  await deployment.start();
  await app(page, "on").waitFor();
  await expect.poll(() => dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Half typed");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("heading", { level: 1, name: "Half typed" }).waitFor();
});

test.each([["account/profile"], ["settings/general"]])(
  "without a network %s keeps what is typed, saves nothing, and is live again with the network",
  async (path) => {
    await using opened = await openPage(browser);
    const { page, context } = opened;
    await context.addCookies(cookies);
    await page.goto(path.startsWith("account") ? `${deployment.url}/${path}` : `${home}/${path}`);
    await app(page, "on").waitFor();
    const field = page.getByLabel("Name", { exact: true });
    await field.fill("Half typed");
    await context.setOffline(true);
    await app(page, "offline").waitFor();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await expect
      .poll(async () => (await save.isDisabled()) || (await save.getAttribute("aria-disabled")))
      .toBeTruthy();
    await expect.poll(() => field.inputValue()).toBe("Half typed");
    await context.setOffline(false);
    await app(page, "on").waitFor();
    await expect.poll(() => field.inputValue()).toBe("Half typed");
    await expect.poll(() => save.isEnabled()).toBe(true);
  },
);

test("with no place left for its stream the page says so, reads again by itself, and goes live when there is one", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const others = new AbortController();
  for (let open = 0; open < limits.streams.perSession; open++) {
    const other = await fetch(`${deployment.url}/app/events?topics=account`, {
      headers: { cookie },
      signal: others.signal,
    });
    expect(other.status).toBe(200);
  }
  await page.goto(home);
  await app(page, "crowded").waitFor();
  await expect
    .poll(() => page.getByRole("status").first().textContent())
    .toContain("Too many live connections are open");
  await createProject(context, "Seen without a stream");
  await page.getByRole("link", { name: "Seen without a stream" }).waitFor();

  others.abort();
  // Looking at the page again is reason enough to try at once; the other end may take a moment to notice who left.
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      return app(page, "on").count();
    })
    .toBe(1);
  await expect.poll(() => page.getByText("Too many live connections are open").count()).toBe(0);
});

test("signing a browser out from elsewhere ends its page within seconds", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const stream = streamOpened(context);
  await page.goto(home);
  await stream;
  const signedOut = await context.request.post(`${deployment.url}/app/sign-out`, {
    headers: { "x-fettle-app": "1" },
  });
  expect(signedOut.ok()).toBe(true);
  await page.getByRole("dialog", { name: "Your session ended" }).waitFor();
});
