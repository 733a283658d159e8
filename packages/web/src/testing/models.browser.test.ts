import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ModelServer,
  startModelServer,
  testKey,
} from "../../../evals/src/models/testing/model-server.ts";
import { launchBrowser, openPage, ready } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { setUp } from "./people.ts";

let browser: Browser;
let deployment: Deployment;
let provider: ModelServer;

beforeAll(async () => {
  [browser, deployment, provider] = await Promise.all([
    launchBrowser(),
    startDeployment(),
    startModelServer(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
  await provider.kill();
});

test("a provider is added, tried, limited and removed, and its key is never seen again", async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await setUp(page, deployment.signInUrl);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.getByRole("link", { name: "Models" }).click();
  await page.waitForURL("**/settings/models");
  await ready(page);
  const answers: string[] = [];
  page.on("response", async (response) => answers.push(await response.text().catch(() => "")));

  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.keyboard.press("n");
  const add = page.getByRole("dialog", { name: "Add a provider" });
  await add.getByLabel("Provider", { exact: true }).selectOption("custom");
  await add.getByLabel("Name").fill("mine");
  await add.getByLabel("Key").fill("sk-wrong-key-0000");
  await add.getByLabel("Address").fill("file:///etc/passwd");
  await add.getByLabel("Models to offer").fill("small 100000 200000");
  await add.getByRole("button", { name: "Save" }).click();
  await add.getByText("Only http and https are spoken").first().waitFor();
  await add.getByLabel("Address").fill(`${provider.origin}/v1`);
  await add.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: "custom:mine" });
  await row.getByText("Ready").waitFor();
  await expect.poll(() => row.textContent()).toContain("0000");

  const act = async (name: string) => {
    await row.getByRole("button", { name: "Actions for mine" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Try it");
  const trial = page.getByRole("dialog", { name: "Try mine" });
  await trial.getByRole("button", { name: "Try it" }).click();
  await trial
    .locator("[data-testid=model-test][data-state=failed]")
    .getByText("The key was refused")
    .waitFor();
  await trial.getByRole("button", { name: "Cancel" }).click();

  await act("Change");
  const edit = page.getByRole("dialog", { name: "Change mine" });
  await expect.poll(() => edit.getByLabel("Key").inputValue()).toBe("");
  await edit.getByLabel("Key").fill(testKey);
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "detached" });
  await act("Try it");
  await trial.getByRole("button", { name: "Try it" }).click();
  await trial.locator("[data-testid=model-test][data-state=ok]").getByText("done").waitFor();
  await trial.getByRole("button", { name: "Cancel" }).click();
  // 11 tokens in and 7 out.
  await page.locator("[data-testid=spent-today]").getByText("$2.50").waitFor();
  await page.getByRole("row").filter({ hasText: "custom:mine:small" }).getByText("$2.50").waitFor();

  provider.will({ kind: "hang" });
  const before = provider.requests.length;
  // Not by the page, whose reload would end the call.
  const { items } = await (await opened.context.request.get(`${deployment.url}/api/v1/organizations`)).json();
  const tried = opened.context.request.post(
    `${deployment.url}/app/organizations/${items[0].id}/model-providers/custom:mine/test`,
    { headers: { "x-fettle-app": "1", origin: deployment.url }, data: { model: "small" } },
  );
  tried.catch(() => undefined);
  await expect.poll(() => provider.requests.length).toBe(before + 1);
  await page.reload();
  await page
    .locator("[data-testid=unsettled-today]")
    .getByText(/^1 \(\$/)
    .waitFor();
  await page.getByRole("columnheader", { name: "Unsettled (estimate)" }).first().waitFor();

  await page.getByLabel("Daily limit in US dollars").fill("2.5");
  await page.getByRole("button", { name: "Save limit" }).click();
  await page.getByText("Daily limit saved").waitFor();
  await act("Try it");
  await trial.getByRole("button", { name: "Try it" }).click();
  await trial.locator("[data-state=failed]").getByText("The daily limit is reached").waitFor();
  await trial.getByRole("button", { name: "Cancel" }).click();

  await act("Remove");
  await page.getByRole("dialog", { name: "Remove mine?" }).getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });

  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const text of [...answers, stored, await page.content()]) expect(text).not.toContain(testKey);
});
