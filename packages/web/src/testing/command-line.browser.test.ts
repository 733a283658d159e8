import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, tabTo } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, setUp } from "./people.ts";

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

/** What `fettle cloud login` does: listens on loopback, and opens an address in the browser. */
async function startLogin() {
  const server = createServer((request, response) => {
    server.emit("answer", new URL(request.url!, "http://127.0.0.1"));
    response.end("You can return to the terminal.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const verifier = randomBytes(32).toString("base64url");
  const { authStartUrl, clientId } = await (await fetch(`${deployment.url}/api/cli/auth/config`)).json();
  const address = new URL(authStartUrl);
  const asked = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: `http://127.0.0.1:${port}/callback`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: randomBytes(16).toString("hex"),
    device_name: "ana-laptop",
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  const answer = once(server, "answer").then(([url]) => (url as URL).searchParams);
  return {
    address: address.href,
    port,
    state: asked.state,
    answer,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("the page says who asks and where the answer goes; approving sends a code there", async () => {
  await using login = await startLogin();
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  await page.goto(login.address);
  await page.getByText("ana-laptop").waitFor();
  await page.getByText(`127.0.0.1:${login.port}`).waitFor();
  await page.getByText(ana.email).waitFor();
  expect(page.url()).toMatch(/\/cli\/authorize\?request=/);
  expect(await pageBarriersOf(page)).toEqual([]);

  // A press of Enter by habit must not approve: nothing has the focus, and Deny comes first.
  const approve = page.getByRole("button", { name: "Approve" });
  expect(await approve.evaluate((element) => element === document.activeElement)).toBe(false);
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Deny");
  await tabTo(approve);
  await page.keyboard.press("Enter");
  const answer = await login.answer;
  expect(answer.get("state")).toBe(login.state);
  expect(answer.get("code")).toBeTruthy();
});

test("denying tells the command line so", async () => {
  await using login = await startLogin();
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  await page.goto(login.address);
  await page.getByRole("button", { name: "Deny" }).click();
  expect((await login.answer).get("error")).toBe("access_denied");
});

test("someone not signed in signs in first and comes back to the request", async () => {
  await using login = await startLogin();
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(login.address);
  await page.getByLabel("Email").fill(ana.email);
  await page.getByLabel("Password").fill(ana.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Approve" }).click();
  expect((await login.answer).get("code")).toBeTruthy();
});

test("a request that was answered already cannot be answered again", async () => {
  await using login = await startLogin();
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  await page.goto(login.address);
  await page.getByRole("button", { name: "Deny" }).waitFor();
  const request = page.url();
  await page.getByRole("button", { name: "Deny" }).click();
  await login.answer;
  await page.waitForURL("**/callback?**");
  await page.goto(request);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
});
