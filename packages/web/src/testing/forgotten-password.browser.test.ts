import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type MailServer, mailEnv, startMailServer } from "@fettle/service/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { ana, setUp, signIn } from "./people.ts";

let browser: Browser;
let mail: MailServer;
let deployment: Deployment;

beforeAll(async () => {
  mail = await startMailServer();
  const port = await freePort();
  const env = { ...mailEnv(mail), FETTLE_PUBLIC_URL: `http://127.0.0.1:${port}` };
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ port, env })]);
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
  await mail[Symbol.asyncDispose]();
});

/** Letters name the deployment's address, which it is told before it starts. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // Of a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

test("who forgot a password asks for a letter, chooses a new one with its link, and is in", async () => {
  await using first = await openPage(browser);
  await setUp(first.page, deployment.signInUrl);
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${deployment.url}/login`);
  await page.getByRole("link", { name: "Forgotten your password?" }).click();
  await page.getByLabel("Email").fill(ana.email);
  await page.getByRole("button", { name: "Send a letter" }).click();
  await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();

  const { text } = await mail.letterTo(ana.email);
  const [link = ""] = text.match(/http:\S+/) ?? [];
  expect(link).toContain(`${deployment.url}/new-password#token=fpl_`);
  await page.goto(link);
  expect(page.url()).not.toContain("fpl_");
  const password = "marble kettle sundays";
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.waitForURL(/\/(p|o)\//);
  await ready(page);

  await using again = await openPage(browser);
  await signIn(again.page, deployment.url, { email: ana.email, password });
});
