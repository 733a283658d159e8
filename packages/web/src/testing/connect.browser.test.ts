/** @module Connecting a server behind OAuth, as a person does it: the private link, consent at a real authorization server, and what becomes of it. */
import { startBookshop, startHostile, startProtectedBookshop } from "@fettle/samples";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, bruno, setUp } from "./people.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

const stack = new AsyncDisposableStack();
let browser: Browser;
let deployment: Deployment;
let shop: Awaited<ReturnType<typeof startProtectedBookshop>>;
let cookies: Cookies;
let otherCookies: Cookies;
let key: string;
let projectId: string;

/** As a page of ours sends it. */
const app = { "x-fettle-app": "1" };

beforeAll(async () => {
  [browser, deployment, shop] = await Promise.all([
    launchBrowser(),
    startDeployment(),
    startProtectedBookshop({ consent: "page" }),
  ]);
  stack.defer(() => browser.close());
  stack.defer(() => deployment.stop());
  stack.defer(() => shop.close());
  const { page, context } = await openPage(browser);
  await setUp(page, deployment.signInUrl);
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(deployment.url + path, { headers: app, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const started = await (
    await context.request.get(`${deployment.url}/app/bootstrap`, { headers: app })
  ).json();
  const organization = `/app/organizations/${started.organizations[0].id}`;
  key = (await post(`${organization}/keys`, { name: "Terminal" })).key;
  projectId = (await post("/api/v1/projects", { name: "Shops", organizationId: started.organizations[0].id }))
    .id;
  cookies = await context.cookies();
  const { url: inviteUrl } = await post(`${organization}/invitations`, { email: bruno.email });
  await context.close();

  const second = await openPage(browser);
  await second.page.goto(inviteUrl);
  await second.page.getByLabel("Your name").fill(bruno.name);
  await second.page.getByLabel("Password", { exact: true }).fill(bruno.password);
  await second.page.keyboard.press("Enter");
  await second.page.waitForURL(/\/o\//);
  otherCookies = await second.context.cookies();
  await second.context.close();
});
afterAll(() => stack.disposeAsync());

async function callApi(path: string, body?: object) {
  const response = await fetch(`${deployment.url}/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at the members it is about.
  return { status: response.status, body: (await response.json()) as any };
}

/** Asks over the API, as a script or the command line does; answers the request with its private link. */
async function ask(body: object = {}) {
  const answer = await callApi("/server-connections", {
    url: shop.url,
    projectId,
    reauthorize: true,
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { connectionRequestId: string; handoffUrl: string };
}
const read = async (id: string) => (await callApi(`/server-connections/${id}`)).body;

async function open(url: string, as: Cookies = cookies) {
  const opened = await openPage(browser, { colorScheme: "light" });
  await opened.context.addCookies(as);
  await opened.page.goto(url);
  return opened;
}

const at = (page: Page, status: string) =>
  page.locator(`[data-testid=connection][data-status=${status}]`).waitFor();

test("whoever opens the link sees what is asked, agrees over there, and the server answers calls", async () => {
  const { connectionRequestId, handoffUrl } = await ask({ name: "My shop" });
  await using opened = await open(handoffUrl);
  const { page } = opened;
  await at(page, "awaiting_authorization");
  // The secret of the link is nowhere to be seen any more.
  expect(page.url()).toBe(`${deployment.url}/connect/request/${connectionRequestId}`);
  await page.getByRole("heading", { name: "Connect My shop" }).waitFor();
  const facts = page.locator("dl");
  for (const fact of [
    shop.url,
    new URL(shop.issuer).host,
    "Shops",
    ana.email,
    "with an API key of Northwind",
  ])
    await facts.getByText(fact).first().waitFor();
  await page.getByText("books:read", { exact: true }).waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  // A press of Enter by habit must not agree: giving up comes first.
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");

  await page.getByRole("button", { name: "Continue to sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await at(page, "ready");
  await page.locator("[data-testid=tool-count]").getByText("9 tools").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  const { status, serverId } = await read(connectionRequestId);
  expect(status).toBe("ready");
  const called = await callApi(`/projects/${projectId}/servers/${serverId}/tools/call`, {
    toolName: "search_books",
    parameters: { query: "swallows" },
  });
  expect([called.status, called.body.isError ?? false]).toEqual([200, false]);

  await page.getByRole("link", { name: "Open the server" }).click();
  await page.locator("[data-testid=doctor][data-status=ready]").waitFor();
  // The link was for this; afterwards it only tells how it ended.
  await page.goto(handoffUrl);
  await at(page, "ready");
});

test("saying no over there ends it, says so, and can be started again from the page", async () => {
  const { handoffUrl } = await ask();
  await using opened = await open(handoffUrl);
  const { page } = opened;
  await page.getByRole("button", { name: "Continue to sign in" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await at(page, "failed");
  const told = page.getByRole("alert");
  await told.getByText("Consent was denied").waitFor();
  await told.getByText("AUTHENTICATION_FAILED").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  const before = page.url();
  await page.getByRole("button", { name: "Start again" }).click();
  await at(page, "awaiting_authorization");
  expect(page.url()).not.toBe(before);
  await page.getByRole("button", { name: "Cancel" }).click();
  await at(page, "cancelled");
});

test("what is cancelled elsewhere, or runs out, is told on a page that is open", async () => {
  const first = await ask();
  await using opened = await open(first.handoffUrl);
  const { page } = opened;
  await at(page, "awaiting_authorization");
  await callApi(`/server-connections/${first.connectionRequestId}/cancel`, {});
  await at(page, "cancelled");

  const second = await ask();
  await page.goto(second.handoffUrl);
  await at(page, "awaiting_authorization");
  await deployment.database.pool.query("UPDATE server_connections SET expires_at = now() WHERE id = $1", [
    second.connectionRequestId,
  ]);
  await at(page, "expired");
  await expect.poll(() => page.getByRole("button", { name: "Continue to sign in" }).count()).toBe(0);
});

test("a link that was cut short or made up leads nowhere and says what to do", async () => {
  const { handoffUrl, connectionRequestId } = await ask();
  await using opened = await open(handoffUrl.slice(0, -1));
  const { page } = opened;
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
  expect(page.url()).toBe(`${deployment.url}/connect`);
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.goto(`${deployment.url}/connect`);
  await page.getByText("Open the whole private link").waitFor();
  await callApi(`/server-connections/${connectionRequestId}/cancel`, {});
});

test("someone not signed in is told whose request it is, signs in and goes on", async () => {
  const { handoffUrl } = await ask();
  await using opened = await open(handoffUrl, []);
  const { page } = opened;
  await page.getByText("this link is still valid").waitFor();
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(ana.email);
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByLabel("Password").fill(ana.password);
  await page.keyboard.press("Enter");
  await at(page, "awaiting_authorization");
});

test("another account is told which one is needed, and sees nothing of the request", async () => {
  const { handoffUrl, connectionRequestId } = await ask();
  await using opened = await open(handoffUrl, otherCookies);
  const { page } = opened;
  await page.getByText(`You are ${bruno.email}; the request is of ${ana.email}`).waitFor();
  await page.goto(`${deployment.url}/connect/request/${connectionRequestId}`);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
  expect(await page.content()).not.toContain(shop.url);
  await page.getByRole("button", { name: "Use another account" }).click();
  await page.waitForURL(/\/login\?return=/);
  await page.getByLabel("Email").fill(ana.email);
  await page.getByLabel("Password").fill(ana.password);
  await page.keyboard.press("Enter");
  await at(page, "awaiting_authorization");
});

test("an answer that comes back to a signed-out browser leads back to the request", async () => {
  const { handoffUrl, connectionRequestId } = await ask();
  await using opened = await open(handoffUrl);
  const { page, context } = opened;
  await page.getByRole("button", { name: "Continue to sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).waitFor();
  // Only ours: cookies know no ports, and the authorization server is on the same host.
  for (const { name } of cookies) await context.clearCookies({ name });
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("You are not signed in to Fettle any more").waitFor();
  await page.getByRole("link", { name: "Back to Fettle" }).click();
  await page.waitForURL(/\/login\?return=/);
  await page.getByLabel("Email").fill(ana.email);
  await page.getByLabel("Password").fill(ana.password);
  await page.keyboard.press("Enter");
  await at(page, "authorizing");
  expect(page.url()).toContain(connectionRequestId);
  await page.getByRole("button", { name: "Go there again" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await at(page, "ready");
});

test("without a project the page asks for one, and can make it", async () => {
  const plain = await startBookshop();
  stack.defer(() => plain.close());
  const { handoffUrl } = await ask({ url: plain.url, projectId: undefined, name: "Corner shop" });
  await using opened = await open(handoffUrl);
  const { page } = opened;
  await at(page, "awaiting_project");
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "A new project …" });
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Fill this in.").waitFor();
  await page.getByLabel("Name of the new project").fill("Corner");
  await page.getByRole("button", { name: "Continue" }).click();
  await at(page, "ready");
  await page.getByText("Saved in Corner.").waitFor();
});

test("what is no MCP server, or wants what nobody can give, is told with what to do", async () => {
  const hostile = await startHostile("unauthorized-without-metadata");
  stack.defer(() => hostile.close());
  // Nobody is needed any more, so there is no private link; the request has its page all the same.
  const { connectionRequestId } = await ask({ url: hostile.url });
  await using opened = await open(`${deployment.url}/connect/request/${connectionRequestId}`);
  const { page } = opened;
  await at(page, "failed");
  await page.getByRole("alert").getByText("UNSUPPORTED_AUTH_METHOD").waitFor();
  await page.getByText(/Save the server with a client id/).waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
});

test("with every place taken, the page lists what is open and frees one", async () => {
  const quiet = await startHostile("hang-at-connect");
  stack.defer(() => quiet.close());
  const { handoffUrl, connectionRequestId } = await ask({ name: "The sixth" });
  await callApi(`/server-connections/${connectionRequestId}/cancel`, {});
  const { body: before } = await callApi("/server-connections");
  for (const { connectionRequestId: id } of before.items)
    await callApi(`/server-connections/${id}/cancel`, {});
  for (const n of [1, 2, 3, 4, 5]) await ask({ url: `${quiet.url}?n=${n}`, name: `Waiting ${n}` });
  await using opened = await open(handoffUrl);
  const { page } = opened;
  await at(page, "cancelled");
  await page.getByRole("button", { name: "Start again" }).click();
  const list = page.getByTestId("open-requests");
  await list.getByText("Waiting 3").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await list
    .getByRole("listitem")
    .filter({ hasText: "Waiting 3" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await at(page, "awaiting_authorization");
  await ready(page);
});
