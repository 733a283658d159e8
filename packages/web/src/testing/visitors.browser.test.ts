import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let owner: Watched;
let pid: string;
let environmentId: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  owner = await openPage(browser);
  await owner.page.goto(deployment.signInUrl);
  await owner.page.waitForURL(/\/(p|o)\//);
  pid = deployment.projectId!;
  const { items } = await call("GET", "servers");
  const config = { modelId: "fettle/rules-1", serverIds: [items[0].id] };
  const client = await call("POST", "clients", { name: "Reader", config });
  ({ id: environmentId } = await call("POST", "environments", { name: "Shop", hostId: client.id }));
});
afterAll(async () => {
  await owner[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

async function call(method: string, path: string, data?: object) {
  const answer = await owner.context.request.fetch(`${deployment.url}/api/v1/projects/${pid}/${path}`, {
    method,
    headers: { "x-fettle-app": "1" },
    ...(data && { data }),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const over = (page: Page, reason: string) =>
  page.locator(`[data-testid=visit-over][data-reason=${reason}]`).waitFor();
const refusal = (page: Page, code: string) =>
  page.locator(`[data-testid=refusal][data-code=${code}]`).waitFor();

async function agree(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Agree and begin" }).click();
  await page.getByRole("textbox", { name: "Write a message" }).waitFor();
}

test("a stranger comes by the link, agrees, talks, rates, finishes and erases, and hears at once that access was narrowed", async () => {
  const body = { name: "Find a book", mode: "anyone_with_link", feedback: "thumbs" };
  const { id, link } = await call("PUT", `environments/${environmentId}/scenario`, body);
  await using visitor = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(link);
  await ready(page);
  await page.getByRole("heading", { name: "Find a book" }).waitFor();
  await page.getByText("not a language model").waitFor();
  await page.getByText("kept for 90 days").waitFor();
  expect(page.url()).toBe(`${deployment.url}/t/${id}`);
  expect(await pageBarriersOf(page)).toEqual([]);
  await agree(page);

  await page.getByRole("textbox", { name: "Write a message" }).fill("Search for books about planets");
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=turn][data-state=done]").waitFor();
  await page.locator("[data-testid=tool-call][data-state=ok]").first().waitFor();
  await page.getByRole("button", { name: "Bad answer" }).click();
  await page.getByRole("textbox", { name: "Why?" }).fill("I wanted fewer");
  await page.getByRole("button", { name: "Send these words" }).click();
  await page.getByText("Thank you for your words").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);

  await page.getByRole("textbox", { name: "Write a message" }).fill("half a thought");
  await page.reload();
  await page.locator("[data-testid=rating][data-value='0']").waitFor();
  expect(await page.getByRole("textbox", { name: "Write a message" }).inputValue()).toBe("half a thought");

  await page.getByRole("button", { name: "Finish" }).click();
  await over(page, "visitor");
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Erase what I said" }).click();
  await page.getByRole("button", { name: "Yes, erase it" }).click();
  await over(page, "erased");
  await page.getByRole("button", { name: "Begin another conversation" }).click();
  await page.getByRole("textbox", { name: "Write a message" }).waitFor();

  await call("PATCH", `user-testing/scenarios/${id}`, { mode: "project_members" });
  await over(page, "access");
  await page.goto(link);
  await refusal(page, "SIGN_IN_NEEDED");
  expect(await pageBarriersOf(page)).toEqual([]);
});
