import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let owner: Watched;
let pid: string;

beforeAll(async () => {
  // Two journeys, one of them again: the fourth launch of the day is one too many.
  const env = { FETTLE_LIMIT_JOURNEY_RUNS_PER_DAY: "3" };
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true, env })]);
  owner = await openPage(browser);
  await owner.page.goto(deployment.signInUrl);
  await owner.page.waitForURL(/\/(p|o)\//);
  pid = deployment.projectId!;
  const config = { modelId: "fettle/rules-1", serverIds: [deployment.serverId] };
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

const dialog = (page: Page) => page.getByRole("dialog");
const marks = (page: Page, state: string) => page.locator(`[data-testid=session-mark][data-state=${state}]`);

async function makePersona(page: Page, name: string, role: string): Promise<void> {
  await page.goto(`${deployment.url}/p/${pid}/swarms/personas?do=new`);
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByLabel("Role").fill(role);
  await dialog(page).getByRole("button", { name: "Create persona" }).click();
  await page.getByRole("link", { name }).waitFor();
}

test("drafts from a server fill the forms of personas and journeys, and nothing is stored before it is created", async () => {
  const { page } = owner;
  await page.goto(`${deployment.url}/p/${pid}/swarms/personas?do=new`);
  await dialog(page).getByRole("button", { name: "Draft from a server" }).click();
  await dialog(page).getByLabel("Servers of").selectOption({ label: "Shop" });
  await dialog(page).getByRole("button", { name: "Draft", exact: true }).click();
  await dialog(page).getByText("Drafted by fettle/rules-1").waitFor();
  await expect.poll(() => dialog(page).getByLabel("Role").inputValue()).toMatch(/ for the first time$/);
  expect(await pageBarriersOf(page)).toEqual([]);
  expect((await call("GET", "personas")).items).toEqual([]);
  await dialog(page).getByLabel("Draft", { exact: true }).selectOption("1");
  await dialog(page).getByRole("button", { name: "Create persona" }).click();
  await page.getByRole("link", { name: "Ben" }).waitFor();

  await page.goto(`${deployment.url}/p/${pid}/swarms/journeys?do=new`);
  await dialog(page).getByRole("button", { name: "Draft from a server" }).click();
  await dialog(page).getByLabel("Servers of").selectOption({ label: "Shop" });
  await dialog(page).getByRole("button", { name: "Draft", exact: true }).click();
  await dialog(page).getByText("Drafted by fettle/rules-1").waitFor();
  const goal = await dialog(page).getByLabel("Goal").inputValue();
  await dialog(page).getByRole("checkbox", { name: "Shop" }).check();
  await dialog(page).getByRole("button", { name: "Create journey" }).click();
  await page.waitForURL(/\/results$/);
  const [journey] = (await call("GET", "journeys")).items;
  expect([journey.goal, journey.rubric.at(-1).predicate.type]).toEqual([goal, "toolCalledAtLeastOnce"]);
  await call("DELETE", `journeys/${journey.id}`);
  await call("DELETE", `personas/${journey.personaId}`);
});

async function addJourney(page: Page, persona: string, name: string, goal: string): Promise<void> {
  await page.getByRole("button", { name: "Add a journey" }).click();
  await dialog(page).getByLabel("Persona").selectOption({ label: persona });
  await dialog(page).getByLabel("Goal").fill(goal);
  await dialog(page).getByLabel("Name", { exact: false }).fill(name);
  await dialog(page).getByRole("button", { name: "Create journey" }).click();
  await page.waitForURL(/\/settings$/);
}

test("a swarm is made, priced, launched, followed live, read, graded, dismissed from, compared, and held to its limit", async () => {
  const { page } = owner;
  await makePersona(page, "Noor", "Wants one book");
  await makePersona(page, "Tom", "Stands in the shop");

  await page.goto(`${deployment.url}/p/${pid}/swarms/overview`);
  await page.getByText("No swarms yet").waitFor();
  await page.getByRole("button", { name: "New swarm" }).first().click();
  await dialog(page).getByLabel("Name").fill("Bookshop");
  await dialog(page).getByRole("checkbox", { name: "Shop" }).check();
  await dialog(page).getByLabel("Sessions on each target").fill("6");
  await dialog(page).getByLabel("Turns at most").fill("3");
  await dialog(page).getByRole("button", { name: "Create swarm" }).click();
  await page.getByText("No journeys in it yet").waitFor();
  const swarm = page.url();
  await addJourney(page, "Noor, Wants one book", "Stock", 'Check the stock of the book "Tin Swallows"');

  // A check is added; somebody else saves meanwhile, and both edits are kept.
  const jid = page.url().split("/").at(-2)!;
  await page.getByRole("button", { name: "Add check" }).click();
  const added = page.locator("[data-testid=criterion]").last();
  await added.getByLabel("Check", { exact: true }).selectOption("toolCalledAtLeastOnce");
  await added.getByLabel("Tool", { exact: true }).fill("shelf_info");
  await call("PATCH", `journeys/${jid}`, { name: "Ask for stock" });
  await page.getByRole("button", { name: "Save" }).click();
  const conflict = page.locator("[data-testid=conflict]");
  await conflict.waitFor();
  await dialog(page).getByRole("button", { name: /^Save/ }).click();
  await conflict.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Ask for stock" }).waitFor();
  const { name, rubric } = await call("GET", `journeys/${jid}`);
  expect([name, rubric.length]).toEqual(["Ask for stock", 3]);

  await page.goto(swarm);
  await addJourney(
    page,
    "Tom, Stands in the shop",
    "Shelf",
    'Find out on which shelf "Small Weather" stands',
  );
  await page.goto(swarm);
  await page.getByText("Never launched").first().waitFor();
  await page.getByRole("button", { name: "Launch" }).click();
  await page.locator("[data-testid=launch-cost][data-sessions='12'][data-calls='0']").waitFor();
  await dialog(page).getByText("Free").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Launch 2 journeys" }).click();

  // Without a reload: the matrix hears of it.
  await expect.poll(() => marks(page, "succeeded").count(), { timeout: 60_000 }).toBe(12);
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Noor on Shop. Session 1: done" }).click();
  await page.waitForURL(/\/swarms\/runs\/jrn_/);
  await page.locator("[data-testid=journey-session][data-state=succeeded]").waitFor();
  await page.getByLabel("Conversation").getByText("Tin Swallows").first().waitFor();
  await page.locator("[data-testid=journey-run][data-status=completed]").first().waitFor();
  await page.locator("[data-testid=calibration][data-state=none]").waitFor();
  const runPage = page.url();
  await page.locator("[data-testid=calibration]").click();
  await page.getByText("Nobody has measured yet").waitFor();
  await page.getByRole("button", { name: "Calibrate" }).first().click();
  await dialog(page).getByLabel("Environment").selectOption({ label: "Shop" });
  await page.locator("[data-testid=calibration-cost][data-calls='0']").getByText("Free").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Calibrate" }).click();
  await page.locator("[data-testid=calibration-report]").waitFor({ timeout: 60_000 });
  expect(await pageBarriersOf(page)).toEqual([]);
  await page.goto(runPage);
  await page
    .locator("[data-testid=calibration][data-state=known]")
    .getByText("Calibrated: error 0.")
    .waitFor();
  await page.getByText("Of 6 graded, out of 6 sessions.").waitFor();
  const shelf = page.getByRole("row", { name: /Calls a tool/ });
  await shelf.getByRole("cell", { name: "0 passed, 6 failed", exact: true }).waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);

  await page.goto(`${deployment.url}/p/${pid}/swarms/findings`);
  const finding = page.locator("[data-testid=insight]").first();
  const title = (await finding.getAttribute("aria-label"))!;
  await finding.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("Dismissed", { exact: true }).click();
  const dismissed = page.getByRole("article", { name: title });
  await dismissed.getByRole("button", { name: "Bring back" }).waitFor();
  await dismissed.getByRole("link", { name: "Open the session" }).first().click();
  await page.locator("[data-testid=journey-session]").waitFor();

  // Again, with another goal: two runs, and no one experiment.
  await call("PATCH", `journeys/${jid}`, { goal: 'Search books about "harbour"' });
  await page.goto(`${deployment.url}/p/${pid}/swarms/journeys/${jid}/results?do=new`);
  await page.locator("[data-testid=launch-cost]").waitFor();
  await dialog(page).getByRole("button", { name: "Launch", exact: true }).click();
  await page.waitForURL(/\/swarms\/runs\/jrn_/);
  await page.locator("[data-testid=journey-run][data-status=completed]").first().waitFor();
  await page.getByRole("link", { name: "Compare …" }).click();
  const compare = page.locator("[data-testid=journey-compare]");
  await compare.getByText("They are not the same experiment").waitFor();
  await compare.getByText("the goal was worded differently").waitFor();
  await compare.getByRole("row", { name: /Goal reached/ }).waitFor();

  await page.goto(`${deployment.url}/p/${pid}/swarms/journeys/${jid}/results?do=new`);
  await page.locator("[data-testid=launch-cost]").waitFor();
  await dialog(page).getByRole("button", { name: "Launch", exact: true }).click();
  await dialog(page)
    .getByText(/may launch 3 runs of journeys a day.*begins anew/)
    .waitFor();
  await dialog(page).getByText("Runs that were launched go on").waitFor();

  // The run is gone with its sessions, and the list is shown.
  await page.goto(runPage);
  await page.getByRole("button", { name: "Delete run" }).click();
  await dialog(page).getByText("Its sessions and transcripts are deleted for good.").waitFor();
  expect(await pageBarriersOf(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Delete run" }).click();
  await page.waitForURL(/\/swarms\/journeys\/[^/]+\/results$/);
  await page.getByText("Run deleted").waitFor();
  await page.goto(runPage);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
});
