import { startProtectedBookshop } from "@fettle/samples";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
/** One asks on a page of its own; the other agrees at once, so that tokens can be had without a browser. */
let asking: Awaited<ReturnType<typeof startProtectedBookshop>>;
let giving: Awaited<ReturnType<typeof startProtectedBookshop>>;

beforeAll(async () => {
  [browser, deployment, asking, giving] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true }),
    startProtectedBookshop({ consent: "page" }),
    startProtectedBookshop(),
  ]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await Promise.all([deployment.stop(), asking.close(), giving.close()]);
});

const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const doctor = (status: string) => page.locator(`[data-testid=doctor][data-status=${status}]`);
const status = (state: string) => page.locator(`[data-testid=server-status][data-state=${state}]`);
const connection = (state: string) =>
  page.locator(`[data-testid=connection][data-status=${state}]`).waitFor();

async function addServer(name: string, url: string) {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers?do=new`);
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/overview$/);
  await ready(page);
}

test("a server that wants a sign-in says so on each of its pages, and never as if ours had ended", async () => {
  await addServer("Guarded", `${asking.url}?edition=second`);
  await doctor("oauth_required").waitFor();
  await status("auth-required").waitFor();
  await page.getByTestId("sign-in-notice").getByRole("button", { name: "Sign in" }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await tab("Tools").click();
  // Not what the page that is left has said.
  await page.locator("[aria-current=page]", { hasText: "Tools" }).first().waitFor();
  await page.locator("[data-testid=state][data-state=oauth-required]").waitFor();
  await ready(page);
  await page.getByTestId("sign-in-notice").waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await barriersOf(page)).toEqual([]);
});

test("signing in leads to its authorization server and straight back to the server, and its tools work", async () => {
  await page.getByTestId("sign-in-notice").getByRole("button", { name: "Sign in" }).click();
  await connection("awaiting_authorization");
  await page.getByText("They may be secret and are not shown here").waitFor();
  await page.getByRole("button", { name: "Continue to sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/servers\/[^/]+\/overview$/);
  await doctor("ready").waitFor();
  await expect.poll(() => page.getByTestId("sign-in-notice").count()).toBe(0);
  await tab("Tools").click();
  await page.getByRole("button", { name: /search_books/ }).click();
  await page.getByRole("textbox", { name: /query/ }).fill("moss");
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-testid=tool-result][data-state=ok]").waitFor();
});

test("someone who is signed in may sign in anew, and give it up without losing what there was", async () => {
  await tab("Settings").click();
  await page.getByRole("button", { name: "Sign in again" }).click();
  await connection("awaiting_authorization");
  await page.getByRole("button", { name: "Cancel" }).click();
  await connection("cancelled");
  await page.goBack();
  await page.getByRole("button", { name: "Sign in again" }).waitFor();
  await tab("Overview").click();
  await doctor("ready").waitFor();
});

test("a sign-in goes step by step, each with its request, answer and rule, and ends where it began", async () => {
  await tab("Sign-in").click();
  const stage = (id: string, state: string) =>
    page.locator(`[data-testid=sign-in-stage][data-stage=${id}][data-status=${state}]`);
  await page.getByRole("button", { name: "First step" }).click();
  const challenge = stage("challenge", "passed");
  await challenge.locator("summary").first().click();
  const verdict = challenge.locator("[data-check=oauth_unauthenticated_challenge][data-status=passed]");
  await verdict.getByText("MUST", { exact: true }).waitFor();
  await expect.poll(() => verdict.getByRole("link").getAttribute("href")).toMatch(/rfc6750#section-3$/);
  const exchange = challenge.getByTestId("sign-in-exchange").first();
  await exchange.getByText(/^401/).waitFor();
  await exchange.locator("summary").click();
  await exchange.getByText("www-authenticate").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Next step" }).click();
  await stage("resource", "passed").waitFor();
  await stage("issuer", "waiting").waitFor();
  // What was learned outlives the page.
  await page.reload();
  await stage("resource", "passed").waitFor();
  await page.getByRole("button", { name: "Run to the end" }).click();
  await page.locator("[data-testid=sign-in-state][data-state=awaiting_person]").waitFor();
  await stage("consent", "begun").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Go to / }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/auth$/);
  await page.locator("[data-testid=sign-in-state][data-state=signed_in]").waitFor();
  await stage("call", "passed").waitFor();
  await stage("token", "passed").locator("summary").first().click();
  await stage("token", "passed").getByTestId("sign-in-exchange").first().locator("summary").click();
  await page.getByText(/grant_type=authorization_code/).waitFor();
  expect(await page.content()).not.toMatch(/code_verifier=(?!\[REDACTED|%5BREDACTED)[\w-]/);
  expect(await barriersOf(page)).toEqual([]);
  await tab("Overview").click();
  await doctor("ready").waitFor();
});

test("tokens got elsewhere are stored; wrong ones are refused by the server and told as that", async () => {
  await addServer("Imported", giving.url);
  await doctor("oauth_required").waitFor();
  const form = page.getByRole("form", { name: "Store tokens" });
  await form.getByRole("button", { name: "Store and try again" }).click();
  await form.getByText("Fill this in.").waitFor();
  await form.getByLabel("Access token").fill("canary-not-a-token");
  await form.getByRole("button", { name: "Store and try again" }).click();
  await page.getByText("Tokens stored").waitFor();
  await doctor("error").waitFor();
  await page.getByText("The server refuses the credential that was sent.").first().waitFor();
  await status("auth-required").waitFor();
  expect(await page.content()).not.toContain("canary-not-a-token");

  const { accessToken } = await giving.signIn();
  await form.getByLabel("Access token").fill(accessToken);
  await form.getByRole("button", { name: "Store and try again" }).click();
  await doctor("ready").waitFor();
  await status("connected").waitFor();
  expect(await page.content()).not.toContain(accessToken);
});
