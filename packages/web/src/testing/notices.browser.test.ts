import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let receiver: Server;
let receiverUrl: string;
let isDead = true;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(isDead ? 500 : 200).end(isDead ? "out to lunch" : "thank you");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  // Of a server that listens on a port, by its documentation.
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  receiver.closeAllConnections();
  receiver.close();
});

const shot = async (name: string) => {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    await expect.poll(overflow, { message: `${name} at ${width}` }).toBeLessThanOrEqual(0);
    const folder = process.env.SCREENSHOTS;
    if (folder)
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
};

test("a webhook is added, its secret shown once; a test that was not taken is seen and sent again", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/settings/notices`);
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.getByText("This service sends no mail.").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Alerts");
  await dialog.getByLabel("Address").fill("http://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await dialog.getByText(/it is not contacted/).waitFor();
  await dialog.getByLabel("Address").fill(receiverUrl);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect.poll(() => page.locator("[data-secret]").innerText()).toMatch(/^whsec_/);
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Actions for Alerts" }).click();
  await page.getByRole("menuitem", { name: "Send a test event" }).click();
  // What is found out about the sample meanwhile is told it, too.
  const sent = page.getByRole("listitem").filter({ hasText: /^\w+Test/ });
  await sent.getByText("It answered 500.").waitFor();
  await page.getByRole("cell", { name: /Failing/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await shot("notices");
  isDead = false;
  await sent.getByRole("button", { name: /Send now/ }).click();
  await sent.getByText(/It answered 200/).waitFor();
  await sent.getByText("What was sent, and the answer").click();
  await sent.getByText("thank you").waitFor();
  const tests = received.filter(({ body }) => JSON.parse(body).type === "test");
  expect(tests.length).toBeGreaterThan(1);
  expect(new Set(tests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a server is checked every night, as set on its overview", async () => {
  const { url, projectId, apiKey } = deployment;
  const saved = await fetch(`${url}/api/v1/projects/${projectId}/servers`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const [server] = (await saved.json()).items;
  await page.goto(`${url}/p/${projectId}/servers/${server.id}/overview`);
  const panel = page.getByRole("region", { name: "Conformance, by itself" });
  await panel.getByRole("button", { name: "Set" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save schedule" }).click();
  await panel.getByText("Every day.").waitFor();
  await shot("schedule");
});

test("owners read in the audit log what was done, narrowed by action", async () => {
  await page.goto(`${deployment.url}/o/${deployment.organizationId}/settings/audit`);
  const log = page.getByRole("region", { name: "Audit log" });
  await log.getByRole("button", { name: /Check a saved server at an interval/ }).waitFor();
  await log.getByRole("button", { name: "Sign in" }).first().waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await shot("audit");
  await log.getByRole("button", { name: /Tell an address what happens/ }).click();
  await log.getByRole("button", { name: "Show other actions too" }).waitFor();
  await expect.poll(() => log.getByRole("row").count()).toBe(2);
});
