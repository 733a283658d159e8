import { testProvider } from "@fettle/service/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { startDeployment } from "./deployment.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("where people sign in at a provider alone, the first account is made through it", async () => {
  await using stack = new AsyncDisposableStack();
  const provider = await testProvider();
  stack.defer(() => provider.close());
  const deployment = await startDeployment({
    env: {
      FETTLE_SIGN_IN: "oidc",
      FETTLE_OIDC_ISSUER: provider.issuer,
      FETTLE_OIDC_CLIENT_ID: "fettle",
      FETTLE_OIDC_CLIENT_SECRET: "a-client-secret",
    },
  });
  stack.defer(() => deployment.stop());
  provider.register({
    clientId: "fettle",
    clientSecret: "a-client-secret",
    redirectUri: `${deployment.url}/app/sign-in/oidc/oidc/callback`,
  });
  provider.as("ada");
  await using opened = await openPage(browser);
  const { page } = opened;

  // Refusals come back as a word, which the page turns into what to do.
  await page.goto(`${deployment.url}/setup?error=setup_needed`);
  await page.getByText("Open the setup link that was printed").waitFor();

  await page.goto(deployment.signInUrl);
  await page.getByLabel("Your name").fill("Ada");
  // The browser accepts it, the service does not: its words stand at the field.
  await page.getByLabel("Email").fill("ada@corp");
  await page.getByLabel("Organization").fill("Acme");
  const go = page.getByRole("button", { name: /^Continue with/ });
  const refused = page.waitForResponse("**/app/sign-in/oidc");
  await go.click();
  expect((await refused).status()).toBe(400);
  const email = page.getByLabel("Email");
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  await email.fill("ada@corp.example");
  await go.click();
  await page.waitForURL(/\/(p|o)\//);
  await ready(page);

  await using later = await openPage(browser);
  for (const [word, text] of [
    ["not_invited", "Ask an admin for an invitation link"],
    ["sign_in_expired", "It took too long"],
    ["<b>unheard of</b>", "Try again, or use another way"],
  ] as const) {
    await later.page.goto(`${deployment.url}/login?error=${encodeURIComponent(word)}`);
    await later.page.getByRole("alert").getByText(text).waitFor();
  }
  await later.page.getByRole("button", { name: /^Continue with/ }).click();
  await later.page.waitForURL(/\/(p|o)\//);

  // A session that ended is renewed the same way, back on the page it ended on.
  await later.page.goto(`${deployment.url}/account/profile`);
  await later.page.getByLabel("Name", { exact: true }).fill("Ada L.");
  await later.context.clearCookies();
  // As an event: a read of the page's own may have noticed first, and the dialog lies over the button then.
  await later.page.locator("button", { hasText: /^Save$/ }).dispatchEvent("click");
  const ended = later.page.getByRole("dialog", { name: "Your session ended" });
  await ended.getByRole("link", { name: "Other ways to sign in" }).waitFor();
  later.page.once("dialog", (asked) => void asked.accept());
  await ended.getByRole("button", { name: /^Continue with/ }).click();
  await later.page.waitForURL("**/account/profile");
  await ready(later.page);
  await ended.waitFor({ state: "detached" });
});

test("the sample's sign-in page says how to get a new link", async () => {
  await using stack = new AsyncDisposableStack();
  const deployment = await startDeployment({ sample: true });
  stack.defer(() => deployment.stop());
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login`);
  await page.getByText("The sample workspace is entered by a link").waitFor();
  await expect
    .poll(() => page.getByText("fettle admin sign-in-link --email").first().textContent())
    .toMatch(/@/);
});
