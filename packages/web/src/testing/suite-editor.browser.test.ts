import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, tabTo, type Watched } from "./browser.ts";
import { type ChatStub, startChatStub } from "./chat-stub.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let stub: ChatStub;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let project: string;
let suiteId: string;

beforeAll(async () => {
  stub = await startChatStub();
  [browser, deployment] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true, env: stub.env }),
  ]);
  opened = await openPage(browser, { colorScheme: "light", viewport: { width: 1440, height: 900 } });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  project = `${deployment.url}/p/${deployment.projectId}`;
  const server = await call("POST", "servers", { name: "Stub", transportType: "http", url: stub.url });
  const made = await call("POST", "eval-suites", {
    name: "Word desk",
    serverIds: [server.id],
    model: "fettle/rules-1",
    tests: [
      {
        id: "c_word",
        title: "Looks a word up",
        steps: [
          { id: "ask", kind: "prompt", prompt: 'Use lookup with word = "plum".' },
          {
            id: "called",
            kind: "assert",
            assertion: { type: "toolCalledWith", toolName: "lookup", args: { args: { word: "plum" } } },
          },
        ],
      },
      {
        id: "c_view",
        title: "Shows a view",
        steps: [
          { id: "ask", kind: "prompt", prompt: "Use lookup." },
          {
            id: "seen",
            kind: "assert",
            assertion: { kind: "textVisible", toolName: "lookup", text: "plum" },
          },
        ],
      },
    ],
  });
  suiteId = made.suiteId;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  await stub.close();
});

async function call(method: "GET" | "POST" | "PATCH", path: string, data?: object) {
  const answer = await opened.context.request.fetch(
    `${deployment.url}/api/v1/projects/${deployment.projectId}/${path}`,
    { method, headers: { "x-fettle-app": "1" }, ...(data && { data }) },
  );
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const barriers = () => barriersOf(page);
const yaml = () => page.getByLabel("The suite as YAML");
const title = () => page.getByLabel("Title", { exact: true });
const yamlSays = (text: string | RegExp) => expect.poll(() => yaml().inputValue()).toMatch(text);
const save = () => page.getByRole("button", { name: "Save", exact: true });
const cases = () => page.getByTestId("edited-case");
const changed = (is: boolean) => page.locator(`[data-testid=suite-editor][data-changed=${is}]`).waitFor();
async function retype(from: string | RegExp, to: string): Promise<void> {
  await yaml().fill((await yaml().inputValue()).replace(from, to));
}

test("a case is edited in the form, and the YAML follows", async () => {
  await page.goto(`${project}/evals`);
  await page.getByRole("link", { name: "Word desk" }).click();
  await page.getByRole("link", { name: "Cases", exact: true }).click();
  await title().fill("Looks a plum up");
  await yamlSays(/title: Looks a plum up/);
  await page.getByLabel("Arguments, as JSON").fill('{"word": "plum", "size": 3}');
  await yamlSays(/args:\n +word: plum\n +size: 3\n/);
  await page.getByText("Not saved yet. Runs play what is saved.").waitFor();
  expect(await barriers()).toEqual([]);
});

test("an error that a case expects is any, or one by its tool and its text", async () => {
  // The case's own; each message and call has one below.
  const wish = page.getByLabel("Expect a tool error").first();
  await wish.check();
  await yamlSays(/expectToolError: true\n/);
  await page.getByLabel("Tool that fails").fill("lookup");
  await page.getByLabel("Text in the error").fill("no such word");
  await yamlSays(/expectToolError:\n +tool: lookup\n +contains: no such word\n/);
  expect(await barriers()).toEqual([]);
  await wish.uncheck();
  await expect.poll(() => yaml().inputValue()).not.toContain("expectToolError");
});

test("broken YAML is told at its line while the form waits, and the form follows once it is mended", async () => {
  await retype("title: Looks a plum up", "title: [Looks");
  const finding = page.locator("[data-testid=finding][data-code=SUITE_FILE_YAML_INVALID]").first();
  await finding.getByText(/^Line \d+, column \d+$/).waitFor();
  await page.getByText("The YAML cannot be read yet").waitFor();
  await expect.poll(() => title().isDisabled()).toBe(true);
  await expect.poll(() => save().isDisabled()).toBe(true);
  expect(await barriers()).toEqual([]);
  await retype("title: [Looks", "title: Looks it up\n    repetitions: 3");
  await page.getByTestId("finding").getByText("Here it is called iterations.").waitFor();
  await page.getByTestId("finding").first().click();
  const line = (
    await yaml().evaluate((area: HTMLTextAreaElement) => area.value.slice(0, area.selectionStart))
  ).split("\n").length;
  await page.getByTestId("finding").getByText(`Line ${line}, column 5`).waitFor();
  await retype("repetitions: 3", "iterations: 3");
  await expect.poll(() => title().inputValue()).toBe("Looks it up");
  await expect.poll(() => page.getByLabel("Repetitions", { exact: true }).inputValue()).toBe("3");
  await expect.poll(() => page.getByTestId("finding").count()).toBe(0);
});

test("whoever leaves with an edit is asked first, a reload keeps it, and it is saved as a whole", async () => {
  const asked = page.waitForEvent("dialog");
  const reloading = page.reload();
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.accept();
  await reloading;
  await ready(page);
  await changed(true);
  await expect.poll(() => title().inputValue()).toBe("Looks it up");
  await save().click();
  await page.getByText("Word desk is saved").waitFor();
  await changed(false);
  await page.reload();
  await expect.poll(() => title().inputValue()).toBe("Looks it up");
  const { items } = await call("GET", `eval-suites/${suiteId}/cases`);
  expect(items[0]).toMatchObject({ declaredId: "c_word", title: "Looks it up", iterations: 3 });
  expect(items[1].steps[1].assertion).toEqual({ kind: "textVisible", toolName: "lookup", text: "plum" });
});

test("cases are chosen, duplicated, moved, turned off and deleted without a mouse; what has no form is shown as it is written", async () => {
  await tabTo(cases().nth(1));
  await page.keyboard.press("Enter");
  await page.getByTestId("written-part").getByText("kind: textVisible").waitFor();
  await tabTo(page.getByRole("button", { name: "Duplicate the case" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => title().inputValue()).toBe("Shows a view (copy)");
  await page.getByRole("button", { name: "Move the case up" }).press("Enter");
  await page.getByLabel("Enabled").press("Space");
  await yamlSays(/title: Shows a view \(copy\)\n +disabled: true[\s\S]*c_view/);
  await cases().nth(2).press("Enter");
  await page.getByRole("button", { name: "Delete the case" }).press("Enter");
  await expect
    .poll(() => cases().allInnerTexts())
    .toEqual([expect.stringContaining("Looks it up"), expect.stringContaining("Shows a view (copy)")]);
  await page.getByRole("button", { name: "Add case" }).press("Enter");
  await page
    .getByTestId("finding")
    .getByText(/cases\[2\]\.steps\[0\]\.prompt/)
    .waitFor();
  await title().fill("Takes its time");
  await page.getByRole("button", { name: "Remove step 1" }).click();
  await page.getByRole("button", { name: "Direct call" }).click();
  await page.getByLabel("Server", { exact: true }).fill("Stub");
  await page.getByLabel("Tool", { exact: true }).fill("slow");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page
    .getByTestId("edited-step")
    .last()
    .getByLabel("Check", { exact: true })
    .selectOption("noToolErrors");
  await page.getByTestId("edited-step").last().getByLabel("Advisory").check();
  await yamlSays(/type: noToolErrors\n +role: advisory/);
  await expect.poll(() => page.getByTestId("finding").count()).toBe(0);
  expect(await barriers()).toEqual([]);
});

test("what somebody else saved meanwhile is merged case by case, and nothing of either is lost", async () => {
  await call("PATCH", `eval-suites/${suiteId}`, { description: "Theirs" });
  await page.getByText("It was changed while you were editing").waitFor();
  await save().click();
  const sheet = page.getByRole("dialog");
  await sheet.getByText("Case “Takes its time”").waitFor();
  expect(await barriers()).toEqual([]);
  await sheet.getByRole("button", { name: "Save merged" }).click();
  await changed(false);
  const suite = await call("GET", `eval-suites/${suiteId}`);
  expect([suite.description, suite.caseCount]).toEqual(["Theirs", 3]);
});

test("on a small screen form and YAML are two tabs", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await title().waitFor();
  await expect.poll(() => yaml().isVisible()).toBe(false);
  await page.getByText("YAML", { exact: true }).click();
  await expect.poll(async () => [await yaml().isVisible(), await title().isVisible()]).toEqual([true, false]);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(390);
  expect(await barriers()).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

const run = (status: string) => page.locator(`header [data-testid=eval-run][data-status=${status}]`);
const caseRow = (title: string, state: string) =>
  page.locator(`[data-testid=eval-case][data-state=${state}]`).filter({ hasText: title });
async function launch(): Promise<void> {
  await page.goto(`${project}/evals/${suiteId}/results?do=new`);
  await page.getByRole("dialog").getByTestId("launch-cost").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/evals\/runs\/run_/);
}

test("a run is watched while it goes on, and cancelled", async () => {
  let release = () => {};
  stub.slowly = new Promise((resolve) => {
    release = resolve;
  });
  await launch();
  await caseRow("Looks it up", "failed").waitFor();
  await caseRow("Takes its time", "running").waitFor();
  await run("running").waitFor();
  await page.getByRole("progressbar", { name: "Repetitions done" }).waitFor();
  expect(await barriers()).toEqual([]);
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await run("cancelled").waitFor();
  await caseRow("Takes its time", "lost").waitFor();
  await caseRow("Looks it up", "failed").waitFor();
  release();
});

test("another run is seen to its end on the same page", async () => {
  let release = () => {};
  stub.slowly = new Promise((resolve) => {
    release = resolve;
  });
  await launch();
  await caseRow("Takes its time", "running").waitFor();
  release();
  await run("completed").waitFor();
  await caseRow("Takes its time", "passed").waitFor();
});

test("the suite's settings are edited in the same draft: who answers, what passes, and the judge", async () => {
  await page.goto(`${project}/evals/${suiteId}/edit`);
  await page.getByLabel("What a good answer says").fill("found plum");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  await page.getByText("Not saved yet. Runs play what is saved.").waitFor();
  await page.getByLabel("System prompt").fill("Be brief.");
  await page.getByLabel("Repetitions that must pass, in percent").fill("120");
  await page.getByText("One finding keeps it from being saved.").waitFor();
  await page.getByLabel("Repetitions that must pass, in percent").fill("50");
  await page.getByLabel("Runs may be graded").check();
  expect(await barriers()).toEqual([]);
  await save().click();
  await changed(false);
  expect(await call("GET", `eval-suites/${suiteId}`)).toMatchObject({
    description: "Theirs",
    executionConfig: { model: "fettle/rules-1", systemPrompt: "Be brief." },
    settings: { minimumAccuracy: 50, judge: { enabled: true, autoRun: false } },
  });
});

test("the judge is asked on the run's page, says what it makes of each case, and changes no verdict", async () => {
  stub.slowly = Promise.resolve();
  await launch();
  await run("completed").waitFor();
  const judge = (status: string) => page.locator(`[data-testid=judge][data-status=${status}]`);
  await judge("none").getByText("Advisory").waitFor();
  const verdict = await page.getByTestId("eval-verdict").innerText();
  await judge("none").getByRole("button", { name: "Ask the judge …" }).click();
  await page.getByRole("dialog").getByText("Fixed rules compare words").waitFor();
  expect(await barriers()).toEqual([]);
  await page.getByRole("button", { name: "Grade, free" }).click();
  await judge("completed").getByText("1 of 1 case good").waitFor();
  await judge("completed").getByText("the built-in rules, no model").waitFor();
  await caseRow("Looks it up", "failed").getByRole("button").first().click();
  await page.getByTestId("judge-grades").getByText("Was the goal reached?").waitFor();
  await expect.poll(() => page.getByTestId("eval-verdict").innerText()).toBe(verdict);
  expect(await barriers()).toEqual([]);
  await judge("completed").getByRole("button", { name: "Judge again …" }).click();
  await page.getByLabel("Good from").fill("1");
  await page.getByRole("button", { name: "Grade, free" }).click();
  await judge("completed").getByText("Good from").waitFor();
});

const models = () => `${deployment.url}/app/organizations/${deployment.organizationId}`;
const limitDay = (dailyCapUsd: number | null) =>
  opened.context.request.put(`${models()}/model-budget`, {
    headers: { "x-fettle-app": "1", origin: deployment.url },
    data: { dailyCapUsd },
    failOnStatusCode: true,
  });
async function spent() {
  const { today, reservedUsd } = await (
    await opened.context.request.get(`${models().replace("/app/", "/api/v1/")}/model-spend`)
  ).json();
  return { calls: today.calls, costUsd: today.costUsd, reservedUsd };
}

test("another model is chosen at the launch, and what it costs and the day has left is said before the click", async () => {
  const set = await opened.context.request.put(`${models()}/model-providers/custom:zero`, {
    headers: { "x-fettle-app": "1", origin: deployment.url },
    data: {
      baseUrl: new URL("/v1", stub.url).href,
      apiKey: "none",
      models: [{ model: "stub", price: { inputPerMTok: 1000, outputPerMTok: 1000 } }],
    },
  });
  expect(set.ok(), await set.text()).toBe(true);
  await page.goto(`${project}/evals/${suiteId}/results?do=new`);
  const dialog = page.getByRole("dialog");
  const cost = dialog.getByTestId("launch-cost");
  await cost.getByText("Free").waitFor();
  await dialog.getByLabel("Model").selectOption(stub.model);
  await cost.getByText(/^About \$/).waitFor();
  await cost.getByText(stub.model).waitFor();
  await limitDay(0.01);
  await page.reload();
  await dialog.getByLabel("Model").selectOption(stub.model);
  await cost.getByText("$0.0100 of today's $0.0100 for models are left.").waitFor();
  await cost.getByText(/may cost more than that.*begins anew on .*an admin of the organization/).waitFor();
  expect(await barriers()).toEqual([]);
  const before = await spent();
  await dialog.getByRole("button", { name: "Start run" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/daily limit for models is \$0\.0100.*begins anew on .*raise the limit/)
    .waitFor();
  // What costs nothing is stopped by no limit, and a refusal is no spending.
  await dialog.getByLabel("Model").selectOption("");
  await cost.getByText("Free").waitFor();
  await dialog.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/evals\/runs\/run_/);
  await run("completed").waitFor();
  expect(await spent()).toEqual(before);
  await limitDay(null);
  await page.goto(`${project}/evals/${suiteId}/results?do=new`);
  await dialog.getByLabel("Model").selectOption(stub.model);
  await cost.getByText(/^About \$/).waitFor();
  await dialog.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/evals\/runs\/run_/);
  await run("completed").waitFor();
  await page.getByText(stub.model, { exact: true }).first().waitFor();
});

test("a suite that a file owns is shown, with the command that changes it", async () => {
  const { suite } = await call("POST", "eval-suites/from-file", {
    declaredSuiteId: "from-file",
    name: "From a file",
    sourceHash: "0".repeat(64),
    environment: { servers: ["Stub"] },
    defaultConfig: { modelId: "fettle/rules-1" },
    defaultPassCriteria: { minimumPassRate: 100 },
  });
  await call("POST", `eval-suites/${suite.id}/cases/batch`, {
    upsert: true,
    cases: [{ id: "a", title: "One", steps: [{ id: "ask", kind: "prompt", prompt: "Hi" }] }],
  });
  await page.goto(`${project}/evals/${suite.id}/edit`);
  await page.getByText("fettle cloud eval run --file suite.yaml --wait").waitFor();
  await expect.poll(() => title().isDisabled()).toBe(true);
  await expect.poll(() => yaml().getAttribute("readonly")).not.toBeNull();
  await expect.poll(() => page.getByRole("button", { name: "Add case" }).count()).toBe(0);
  await expect.poll(() => save().isDisabled()).toBe(true);
  expect(await barriers()).toEqual([]);
});
