import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let owner: Watched;
let pid: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  owner = await openPage(browser);
  await owner.page.goto(deployment.signInUrl);
  await owner.page.waitForURL(/\/(p|o)\//);
  pid = deployment.projectId!;
  const { items } = await call("GET", "servers");
  const config = { modelId: "fettle/rules-1", serverIds: [items[0].id] };
  const client = await call("POST", "clients", { name: "Reader", config });
  await call("POST", "environments", { name: "Shop", hostId: client.id });
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

const write = (page: Page) => page.getByRole("textbox", { name: "Write a message" });

async function say(page: Page, words: string): Promise<void> {
  const done = page.locator("[data-testid=turn][data-state=done]");
  const before = await done.count();
  await write(page).fill(words);
  await page.keyboard.press("Enter");
  await done.nth(before).waitFor();
}

/** So many a day for each visitor. */
const allowSessions = (scid: string, maxSessionsPerVisitorPerDay: number) =>
  call("PUT", `user-testing/scenarios/${scid}/guest-execution`, {
    enabled: true,
    computerEnabled: false,
    sharedSkillsEnabled: true,
    dailyCreditCap: 100,
    dailyComputerStartCap: 0,
    maxConcurrentComputers: 0,
    maxSessionsPerVisitorPerDay,
  });

const shared = () => owner.page.locator("[data-testid=share-link]");

test("what a visitor types while the conversation starts is neither lost nor sent as their name", async () => {
  const { items } = await call("GET", "servers");
  const config = { modelId: "fettle/rules-1", serverIds: [items[0].id] };
  const client = await call("POST", "clients", { name: "Slow", config });
  const environment = await call("POST", "environments", { name: "Slow", hostId: client.id });
  const { link } = await call("PUT", `environments/${environment.id}/scenario`, { mode: "anyone_with_link" });
  await using visitor = await openPage(browser);
  const { page } = visitor;
  await page.goto(link);
  await ready(page);
  const begun = Promise.withResolvers<void>();
  await page.route(/\/sessions$/, async (route) => {
    await begun.promise;
    await route.continue();
  });
  const name = page.getByRole("textbox", { name: /Your name/ });
  await name.fill("Ida");
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Agree and begin" }).click();
  await expect.poll(() => name.isEditable()).toBe(false);
  begun.resolve();
  await write(page).waitFor();
  // Nobody clicks into the box first.
  await page.keyboard.type("Is anybody there?");
  await expect.poll(() => write(page).inputValue()).toBe("Is anybody there?");
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=turn][data-state=done]").getByText("Is anybody there?").waitFor();
});

test("a published environment is visited, followed live, narrowed and given another link", async () => {
  const { page: desk } = owner;
  await desk.goto(`${deployment.url}/p/${pid}/user-testing?do=new`);
  await desk.getByLabel("Environment", { exact: true }).selectOption({ label: "Shop" });
  await desk.getByLabel("Name for visitors").fill("Find a book");
  await desk.getByRole("radio", { name: /Anyone with the link/ }).check();
  await desk.getByText("Thumbs", { exact: true }).click();
  await desk.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await desk.waitForURL(/\/user-testing\/scn_/);
  const scid = desk.url().split("/").at(-1)!;
  const link = (await shared().textContent())!;
  await desk.getByRole("button", { name: "QR code" }).click();
  await desk.getByRole("img", { name: /as a QR code/ }).waitFor();
  await desk.keyboard.press("Escape");

  await using visitor = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(link);
  await ready(page);
  await page.getByRole("heading", { name: "Find a book" }).waitFor();
  await page.getByText("not a language model").waitFor();
  await page.getByText("kept for 90 days").waitFor();
  expect(page.url()).toBe(`${deployment.url}/t/${scid}`);
  expect(await pageBarriersOf(page)).toEqual([]);
  await agree(page);
  await say(page, "Search for books about planets");
  await page.locator("[data-testid=tool-call][data-state=ok]").first().waitFor();
  await page.getByRole("button", { name: "Bad answer" }).click();
  await page.getByRole("textbox", { name: "Why?" }).fill("I wanted fewer");
  await page.getByRole("button", { name: "Send these words" }).click();
  await page.getByText("Thank you for your words").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await write(page).fill("half a thought");
  await page.reload();
  await page.locator("[data-testid=rating][data-value='0']").waitFor();
  await expect.poll(() => write(page).inputValue()).toBe("half a thought");

  // Without a reload: the owner's page hears of it.
  const session = desk.getByRole("row", { name: /Search for books about planets/ });
  await session.getByText("Open", { exact: true }).waitFor();
  await session.getByText("I wanted fewer").waitFor();
  await desk.locator("[data-figure='Live now']").getByText("1", { exact: true }).waitFor();

  await desk.getByRole("radio", { name: /People of the project/ }).click();
  await desk.getByRole("button", { name: "Narrow access" }).click();
  await over(page, "access");
  await session.getByText("Access ended").waitFor();
  await page.goto(link);
  await refusal(page, "SIGN_IN_NEEDED");
  expect(await pageBarriersOf(page)).toEqual([]);

  const widened = desk.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await desk.getByRole("radio", { name: /Anyone with the link/ }).click();
  await widened;
  await page.reload();
  await write(page).waitFor();
  await desk.getByRole("button", { name: "Replace the link …" }).click();
  await desk.getByRole("checkbox", { name: /End the conversations/ }).uncheck();
  await desk.getByRole("button", { name: "Replace the link", exact: true }).click();
  await desk.getByText("the old one is dead").first().waitFor();
  await expect.poll(() => shared().textContent()).not.toBe(link);
  // Another tab of theirs shows what is said here.
  const second = await visitor.context.newPage();
  await second.goto(page.url());
  await write(second).waitFor();
  await say(page, "Are you still there?");
  await second.getByText("Are you still there?").waitFor();
  await second.close();
  await using late = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await late.page.goto(link);
  await refusal(late.page, "LINK_INVALID");
  expect(await pageBarriersOf(late.page)).toEqual([]);

  await page.getByRole("button", { name: "Finish" }).click();
  await over(page, "visitor");
  expect(await pageBarriersOf(page)).toEqual([]);
  await desk.getByRole("link", { name: /Search for books about planets/ }).click();
  await desk.getByText("Are you still there?").waitFor();
  await desk.getByText("I wanted fewer").waitFor();
  await desk.goto(`${deployment.url}/p/${pid}/user-testing/${scid}`);
  await desk.getByRole("button", { name: "Look for problems" }).click();
  const insights = desk.locator("[data-testid=insights][data-status=completed]");
  await insights.getByText("Looked at 1 of 1 sessions.").waitFor();

  await allowSessions(scid, 1);
  await page.getByRole("button", { name: "Begin another conversation" }).click();
  await page.getByText("You have begun as many conversations today as you may").waitFor();
  await allowSessions(scid, 10);
  await page.getByRole("button", { name: "Erase what I said" }).click();
  await page.getByRole("button", { name: "Yes, erase it" }).click();
  await over(page, "erased");
  await page.getByRole("button", { name: "Begin another conversation" }).click();
  await write(page).waitFor();
  await desk.goto(`${deployment.url}/p/${pid}/user-testing/${scid}`);
  await desk.getByRole("button", { name: "Take down …" }).click();
  await desk.getByRole("button", { name: "Take down", exact: true }).click();
  await over(page, "access");
});

test("a widget stands below the call it shows and looks further things up; what it says waits for the visitor", async () => {
  const { items: servers } = await call("GET", "servers");
  const config = { modelId: "fettle/rules-1", serverIds: [servers[0].id] };
  const client = await call("POST", "clients", { name: "Shelf reader", config });
  const { id } = await call("POST", "environments", { name: "Shelves", hostId: client.id });
  const wanted = { name: "Look around", mode: "anyone_with_link" };
  const { link } = await call("PUT", `environments/${id}/scenario`, wanted);
  await using visitor = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(link);
  await agree(page);
  await say(page, "Show me a browsable shelf of book covers");
  const inside = page.frameLocator("[data-testid=widget] iframe").frameLocator("iframe");
  await inside.getByRole("button", { name: "More books" }).click();
  await inside.getByText("16 of 40 books").waitFor();
  await expect.poll(() => page.getByText("structuredContent").count()).toBe(0);
  expect(await pageBarriersOf(page)).toEqual([]);
  await inside.locator(".cover").first().click();
  await inside.getByRole("button", { name: "Ask about this book" }).click();
  await expect.poll(() => write(page).inputValue(), { timeout: 60_000 }).not.toBe("");
  await page.reload();
  await inside.getByRole("button", { name: "More books" }).waitFor();
  await say(page, "Hello");
  await page.reload();
  // Of an earlier answer it waits to be asked for.
  await page.getByRole("button", { name: "Show what show_bookshelf found" }).click();
  await inside.getByRole("button", { name: "More books" }).waitFor();
});

test("a finding's evidence opens where it was seen, and the finding is dismissed and brought back", async () => {
  const { page: desk } = owner;
  await desk.goto(`${deployment.url}/p/${pid}/findings`);
  const finding = desk.getByRole("link", { name: /search_books is chosen where shelf_info was meant/ });
  await finding.click();
  const card = desk.locator("[data-testid=insight]");
  await card.getByRole("button", { name: "Copy as a task" }).click();
  const copied = () => desk.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("Done when:");
  await card.getByText("this is not found again").waitFor();
  await expect.poll(() => card.innerText()).not.toMatch(/rf_|lexical:/);
  await card.getByRole("button", { name: "Dismiss" }).click();
  await card.getByRole("button", { name: "Bring back" }).waitFor();
  await desk.getByRole("link", { name: "Findings", exact: true }).click();
  await desk.getByText("Nothing was found").waitFor();
  await desk.getByText("Dismissed", { exact: true }).click();
  await finding.click();
  await card.getByRole("button", { name: "Bring back" }).click();
  await card.getByRole("button", { name: "Dismiss" }).waitFor();
  await desk.getByRole("img", { name: /oldest first: 2 of 2/ }).waitFor();
  const evidence = card.getByRole("listitem").filter({ hasText: "Tin Swallows" });
  await evidence.getByRole("link", { name: "Open the repetition" }).click();
  await desk.locator("[data-testid=insights][data-status=completed]").waitFor();
  const repetition = desk.locator("[data-testid=eval-iteration]");
  await repetition.getByText('Where do I find "Tin Swallows" in the shop?').first().waitFor();
});

test("a call waits for the visitor over a reload; the page changes guests' limits and the environment; evidence opens its message", async () => {
  const { page: desk } = owner;
  const { items: servers } = await call("GET", "servers");
  const environment = async (name: string, requireToolApproval: boolean) => {
    const config = { modelId: "fettle/rules-1", serverIds: [servers[0].id], requireToolApproval };
    const client = await call("POST", "clients", { name: `${name} reader`, config });
    return call("POST", "environments", { name, hostId: client.id });
  };
  const [asking, plain] = [await environment("Asking", true), await environment("Plain", false)];
  const wanted = { name: "Check a book", mode: "anyone_with_link" };
  const { id: scid, link } = await call("PUT", `environments/${asking.id}/scenario`, wanted);
  const question = 'Check the stock of the book with bookId = "nowhere"';
  const come = async (talk: (page: Page) => Promise<void>) => {
    await using visitor = await openPage(browser, { viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await page.goto(link);
    await agree(page);
    await talk(page);
    await page.getByRole("button", { name: "Finish" }).click();
    await over(page, "visitor");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.getByRole("button", { name: "Erase what I said" }).waitFor();
  };
  await come(async (page) => {
    await write(page).fill(question);
    await page.keyboard.press("Enter");
    await page.locator("[data-testid=tool-call][data-state=asked]").waitFor();
    await page.reload();
    await page.getByText(question).waitFor();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.locator("[data-testid=turn][data-state=done]").last().waitFor();
    // The end comes in the middle of the next answer.
    await write(page).fill(question);
    await page.keyboard.press("Enter");
    await page.locator("[data-testid=tool-call][data-state=asked]").waitFor();
  });

  await desk.goto(`${deployment.url}/p/${pid}/user-testing/${scid}`);
  await desk.getByRole("button", { name: "Guests' limits …" }).click();
  await desk.getByLabel("Messages in a conversation").fill("6");
  await desk.getByRole("radio", { name: /All of them/ }).check();
  expect(await pageBarriersOf(desk)).toEqual([]);
  await desk.getByRole("button", { name: "Save" }).click();
  await desk.getByRole("dialog").waitFor({ state: "detached" });
  await desk.getByRole("button", { name: "Other environment …" }).click();
  await desk.getByLabel("Environment", { exact: true }).selectOption({ label: "Plain" });
  await desk.getByRole("button", { name: "Use it" }).click();
  await desk.getByRole("dialog").waitFor({ state: "detached" });
  expect(await call("GET", `scenarios/${scid}`)).toMatchObject({
    environmentId: plain.id,
    guestExecution: { maxTurnsPerSession: 6, toolMode: "auto", requireApprovalForWrites: true },
  });

  for (let comes = 0; comes < 3; comes++) {
    await come(async (page) => {
      await say(page, "Hello");
      await say(page, question);
    });
  }
  await desk.getByRole("button", { name: "Look for problems" }).click();
  await desk.locator("[data-testid=insights][data-status=completed]").waitFor();
  await desk.getByRole("link", { name: "Open the conversation" }).first().click();
  await desk.waitForURL(/sessions\/cht_\w+\?at=message%3A\d+$/);
  await desk.locator("[data-current=true]").getByText(question).waitFor();
});
