import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, tabTo, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let project: string;
let serverId: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  project = `${deployment.url}/p/${deployment.projectId}`;
  serverId = (await call("GET", "servers")).items[0].id;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

async function call(method: "GET" | "POST", path: string, data?: object) {
  const answer = await opened.context.request.fetch(
    `${deployment.url}/api/v1/projects/${deployment.projectId}/${path}`,
    { method, headers: { "x-fettle-app": "1" }, ...(data && { data }) },
  );
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const check = (id: string, status: string, more: object = {}) => ({
  id,
  title: `It keeps ${id}`,
  category: "core",
  status,
  durationMs: 4,
  ...more,
});
const evidence = [
  {
    sent: { method: "tools/list", headers: { "mcp-protocol-version": "2025-11-25" } },
    received: {
      status: 500,
      messages: [{ jsonrpc: "2.0", id: 7, error: { code: -32603, message: "lost the plot" } }],
    },
  },
];
const report = (...cases: object[]) => ({
  schemaVersion: 1,
  kind: "protocol-conformance",
  name: "shop",
  passed: true,
  durationMs: 12,
  profile: { profileId: "mcp-protocol", profileVersion: "2026-10-01", pendingCheckIds: [] },
  groups: [{ id: "g", title: "Protocol 2025-11-25", target: "shop", passed: true, durationMs: 12, cases }],
});
const wanted = { target: { kind: "server", serverId: "" }, source: "cli", requestedSuites: ["protocol"] };
const runState = (status: string, outcome: string) =>
  page.locator(`[data-testid=conformance-run][data-status=${status}][data-outcome="${outcome}"]`);

test("a run reported from elsewhere appears by itself, and is counted by the service", async () => {
  await page.goto(`${project}/conformance`);
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  const target = { kind: "server", serverId };
  const { runId } = await call("POST", "conformance-ingest/runs/start", {
    ...wanted,
    target,
    actorLabel: "main",
  });
  await runState("running", "").waitFor();
  const failed = { error: { message: "It answered 500." }, details: { evidence, note: "first of two" } };
  await call("POST", "conformance-ingest/runs/reports", {
    runId,
    suiteKind: "protocol",
    report: report(
      check("ping", "passed"),
      check("tools-list", "failed", failed),
      check("sessions", "skipped", { skipReason: "could-not-run", error: { message: "It hung up." } }),
    ),
  });
  await call("POST", "conformance-ingest/runs/finalize", { runId });
  await runState("completed", "failed").waitFor();
  await page.getByRole("row", { name: /Bookshop.*Failed.*37/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a failed check is read with what was on the wire, by keyboard", async () => {
  await tabTo(page.getByRole("link", { name: "Bookshop" }));
  await page.keyboard.press("Enter");
  await page.getByTestId("conformance-score").getByText("37").waitFor();
  await page.getByText("Reported by the command line").waitFor();
  const rows = page.getByTestId("check");
  await rows.first().waitFor();
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-state"))))
    .toEqual(["failed", "could-not-run", "passed"]);
  const row = page.locator("[data-check=tools-list]");
  await row.getByText("It answered 500.").waitFor();
  await tabTo(row.locator("summary"));
  await page.keyboard.press("Enter");
  const exchange = row.getByTestId("exchange");
  await exchange.getByRole("tree", { name: "Sent" }).getByText("tools/list").waitFor();
  await exchange.getByRole("tree", { name: "Received" }).getByText("lost the plot").waitFor();
  await row.getByText("first of two").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByText("Could not run 1").click();
  await page.locator("[data-check=tools-list]").waitFor({ state: "detached" });
  await page.locator("[data-check=sessions]").getByText("It hung up.").waitFor();
});

test("suites run on a saved server from the page, and the score has a history", async () => {
  await page.goto(`${project}/conformance?server=${serverId}`);
  await page.getByRole("button", { name: "Run checks" }).click();
  await expect.poll(() => page.getByRole("dialog").getByLabel("Server").inputValue()).toBe(serverId);
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Run checks" }).click();
  await page.waitForURL(/\/conformance\/cfr_/);
  await page.locator("[data-testid=conformance-run][data-status=completed]").waitFor({ timeout: 120_000 });
  await page.getByText("Run here").waitFor();
  await page.locator("[data-testid=check][data-state=passed]").first().waitFor();
  await expect.poll(() => page.locator("[data-testid=check][data-state=failed]").count()).toBe(0);
  expect(await barriersOf(page)).toEqual([]);
  // What each check goes by: its word, and the address of its sentence.
  const passed = page.locator("[data-testid=check][data-state=passed]").first();
  await passed.locator("summary").click();
  await passed
    .getByTestId("rule")
    .getByRole("link", { name: /^https:\/\/modelcontextprotocol\.io\// })
    .waitFor();
  await page.getByText("Tasks · nothing to test").waitFor();
  await page.getByText(/^Apps ·/).click();
  await page.locator("[data-testid=check]").first().waitFor();
  await page.goto(`${project}/conformance?server=${serverId}`);
  await page.getByRole("img", { name: /Score of Bookshop, from 37 on/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("on the server's page a run names tools, is repeated in one click, compared, and taken away", async () => {
  await page.goto(`${project}/servers/${serverId}/conformance`);
  await page.getByTestId("turned").waitFor();
  await page.getByRole("button", { name: "Run checks" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Name a tool" }).click();
  await dialog.getByLabel("Tool 1", { exact: true }).fill("search_books");
  await dialog.getByLabel("Arguments of tool 1").fill("{");
  await dialog.getByText("Arguments are a JSON object.").waitFor();
  await dialog.getByLabel("Arguments of tool 1").fill('{"query":"tea"}');
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByLabel("Tasks").uncheck();
  await dialog.getByLabel("Apps").uncheck();
  await dialog.getByRole("button", { name: "Run checks" }).click();
  await page.waitForURL(/\/conformance\/cfr_/);
  const ended = page.locator("[data-testid=conformance-run][data-status=completed]");
  await ended.waitFor({ timeout: 120_000 });
  const first = page.url();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((url) => /\/conformance\/cfr_/.test(url.href) && url.href !== first);
  await ended.waitFor({ timeout: 120_000 });
  await page.getByText(/Nothing turned: all \d+ checks came out as before\./).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  const { options, requestedSuites } = await call("GET", `conformance-runs/${page.url().split("/").at(-1)}`);
  expect({ options, requestedSuites }).toMatchObject({
    requestedSuites: ["protocol"],
    options: { fixtures: { toolCalls: [{ toolName: "search_books", arguments: { query: "tea" } }] } },
  });
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "JUnit XML" }).click();
  expect(await readFile(await (await file).path(), "utf8")).toContain("<testsuites");
});

/** After a question; then the list is shown. */
async function deleteRun(list: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Delete run" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("deleted for good").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Delete run" }).click();
  await page.waitForURL(list);
  await page.getByText("Run deleted").waitFor();
}

test("a run that goes on can be stopped and deleted, and one that is not there is said to be gone", async () => {
  const target = { kind: "external", serverRef: "somewhere else" };
  const { runId } = await call("POST", "conformance-ingest/runs/start", { ...wanted, target });
  await page.goto(`${project}/conformance/${runId}`);
  await page.getByText("0 of 1 suites are there.").waitFor();
  await page.getByRole("button", { name: "Stop the run" }).click();
  await runState("cancelled", "incomplete").waitFor();
  await page.getByText("It counts as one check that could not run").waitFor();
  await deleteRun(new RegExp(`${project}/conformance$`));
  await page.goto(`${project}/conformance/${runId}`);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
  await page.goto(`${project}/conformance/cfr_missing`);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
});

test("a server is graded for a directory from the page: what decides, what is missing, and who asks for it", async () => {
  await page.goto(`${project}/readiness`);
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.getByRole("button", { name: "Grade a server" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("OpenAI directory").click();
  await dialog.getByText("Let a model look too").click();
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByLabel("What is submitted").selectOption("The server alone");
  await dialog.getByRole("button", { name: "Grade" }).click();
  await dialog.getByText("No model is configured to look at servers.").waitFor();
  await dialog.getByText("Let a model look too").click();
  await dialog.getByRole("button", { name: "Grade" }).click();
  await page.waitForURL(/\/readiness\/rdr_/);
  const gradedAt = page.url();
  const graded = page.locator("[data-testid=readiness-run][data-status=completed]");
  await graded.waitFor({ timeout: 60_000 });
  // It stands at a loopback address, which no directory lists.
  await expect.poll(() => graded.getAttribute("data-grade")).toBe("not-ready");
  await page.getByText("No model looked: nobody asked for one.").waitFor();
  const finding = page.locator("[data-finding='openai.endpoint.https']");
  await finding.locator("summary").click();
  await expect
    .poll(() => finding.getByRole("link").getAttribute("href"))
    .toMatch(/^https:\/\/developers\.openai\.com/);
  const missing = page.getByTestId("missing").filter({ hasText: "What the listing will say" });
  await missing.getByText(/fettle readiness check openai http:.* --submission-mode mcp-only/).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.goto(`${project}/readiness?directory=openai`);
  await page.getByRole("row", { name: /Bookshop.*Not ready/ }).waitFor();
  await page.goto(`${project}/readiness?directory=claude`);
  await page.getByText("Claude directory").last().waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(0);
  await page.goto(gradedAt);
  await deleteRun(new RegExp(`${project}/readiness$`));
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
});
