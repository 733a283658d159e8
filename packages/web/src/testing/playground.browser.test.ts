import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type ChatStub, startChatStub } from "./chat-stub.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let stub: ChatStub;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let playground: string;

beforeAll(async () => {
  stub = await startChatStub();
  [browser, deployment] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true, env: stub.env }),
  ]);
  opened = await openPage(browser);
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  playground = `${deployment.url}/p/${deployment.projectId}/playground`;
  await call("POST", `projects/${deployment.projectId}/servers`, {
    name: "Stub",
    transportType: "http",
    url: stub.url,
  });
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  await stub.close();
});

async function call(method: "GET" | "POST", path: string, data?: object) {
  const answer = await opened.context.request.fetch(`${deployment.url}/api/v1/${path}`, {
    method,
    headers: { "x-fettle-app": "1" },
    ...(data && { data }),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const turns = () => page.locator("[data-testid=turn]");
const toolCalls = () => page.locator("[data-testid=tool-call]");
const latest = (state: string) =>
  turns()
    .last()
    .and(page.locator(`[data-state=${state}]`));
const composer = () => page.getByRole("textbox", { name: /message/ });
const shot = async (name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

test("without any key the rule model answers from the sample, with what was called and what it took", async () => {
  await page.goto(playground);
  await ready(page);
  expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("fettle/rules-1");
  await page.getByText("no real understanding").waitFor();
  await page.getByText("A policy, not a guarantee").waitFor();
  await page.getByRole("checkbox", { name: "Bookshop" }).check();
  await shot("begin");
  await composer().fill("Search for books about planets");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/playground\/cht_/);
  await latest("done").waitFor();
  await toolCalls().getByRole("button").first().click();
  await page
    .locator("[data-testid=tool-call][data-state=ok]")
    .getByText("Arguments", { exact: true })
    .waitFor();
  await turns()
    .first()
    .locator("[data-testid=turn-took]")
    .getByText(/ms|s ·/)
    .waitFor();
  await shot("rules");
  expect(await barriersOf(page)).toEqual([]);
});
