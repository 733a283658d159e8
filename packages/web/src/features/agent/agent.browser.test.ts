import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../../testing/browser.ts";
import { type Deployment, startDeployment } from "../../testing/deployment.ts";

let browser: Browser;
let deployment: Deployment;
let page: Page;
beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  ({ page } = await openPage(browser));
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
});
afterAll(async () => {
  await browser?.close();
  await deployment?.stop();
});

async function say(words: string): Promise<void> {
  const turns = page.getByTestId("turn");
  const before = await turns.count();
  await page.getByRole("textbox", { name: "Message to the agent" }).fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await turns.nth(before).and(page.locator("[data-state=done]")).waitFor();
}

test("the agent makes a suite, proposes its run, and the run begins when a person approves; all of it is there after a reload", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/agent`);
  await page.getByText("Nothing waits for you.").waitFor();
  await say("create suite from tools of Bookshop");
  const made = page.getByRole("list", { name: "What it made" }).getByRole("link");
  await expect.poll(() => made.getAttribute("href")).toMatch(/^\/p\/[^/]+\/evals\/ste_[^/]+\/results$/);
  await say("run suite Tools of Bookshop");
  await say("run suite Tools of Bookshop");
  const proposals = page.getByTestId("proposal");
  const stands = (state: string) => proposals.and(page.locator(`[data-state=${state}]`));
  await stands("open").getByText("“Tools of Bookshop”").waitFor();
  // Asked for twice, it waits once.
  await expect
    .poll(async () => [await proposals.count(), await proposals.getByText("It can cost money.").count()])
    .toEqual([1, 1]);

  await page.reload();
  await page.getByTestId("turn").nth(2).waitFor();
  await stands("open").getByRole("button", { name: "Decline" }).click();
  await stands("declined").waitFor();
  await say("run suite Tools of Bookshop");
  await stands("open").getByRole("button", { name: "Approve: start" }).click();
  await stands("done").waitFor();
  await stands("done").getByRole("link", { name: "Open what came of it" }).click();
  await page.waitForURL(/\/evals\/runs\/run_/);
  await page.getByTestId("eval-run").first().waitFor();
});
