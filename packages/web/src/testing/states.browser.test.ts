import type { Browser, BrowserContext, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { setUp } from "./people.ts";

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

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { "x-request-id": "req_of_the_test", ...headers },
      contentType: "application/json",
      body: JSON.stringify({ code, message: "Said by the service." }),
    });

/** The devices page while the service answers its read in a certain way. */
async function openDevices(answer: (route: Route) => Promise<void>) {
  const opened = await openPage(browser);
  await opened.context.addCookies(cookies);
  await opened.page.route("**/app/account/devices", answer);
  await opened.page.goto(`${deployment.url}/account/devices`);
  return opened;
}

test.each([
  ["forbidden", refuse(403, "FORBIDDEN")],
  ["gone", refuse(404, "NOT_FOUND")],
  ["error", refuse(500, "INTERNAL_ERROR")],
  ["final", refuse(400, "VALIDATION_ERROR")],
  ["oauth-required", refuse(401, "OAUTH_REQUIRED")],
  // Longer than anyone would wait in silence, so it is shown at once.
  ["rate-limited", refuse(429, "RATE_LIMITED", { "retry-after": "60" })],
  ["offline", (route: Route) => route.abort("connectionrefused")],
] as const)("a read that ends in %s is shown as that", async (state, answer) => {
  await using opened = await openDevices(answer);
  const { page } = opened;
  await page.locator(`[data-testid=state][data-state=${state}]`).waitFor();
  // Whatever happens to its content, the page keeps its frame, and an MCP server's own sign-in never looks like ours ending.
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("a failed read names its request, copies its details and works again after a retry", async () => {
  let isBroken = true;
  await using opened = await openDevices((route) =>
    isBroken ? refuse(500, "INTERNAL_ERROR")(route) : route.continue(),
  );
  const { page } = opened;
  await page.getByText("req_of_the_test").waitFor();
  await page.getByRole("button", { name: "Copy details" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("request: req_of_the_test");
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This browser").waitFor();
});

test("a slow read shows the shape of what comes, then words", async () => {
  const { promise: hold, resolve: letGo } = Promise.withResolvers<void>();
  await using opened = await openDevices(async (route) => {
    await hold;
    await route.continue();
  });
  const { page } = opened;
  await page.locator("[data-testid=state][data-state=loading]").waitFor();
  await page.getByText("Loading the devices").waitFor();
  letGo();
  await page.getByText("This browser").waitFor();
});
