import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, tabTo, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { bruno, joinAs } from "./people.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let project: string;
let serverId: string;
let suiteId: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  project = `${deployment.url}/p/${deployment.projectId}`;
  serverId = (await call("GET", "servers")).items[0].id;
  const made = await call("POST", "eval-suites", {
    name: "Front desk",
    serverIds: [serverId],
    model: "fettle/rules-1",
    tests: [
      asks("c_thanks", "Calls nothing when thanked", "Thanks!", { isNegativeTest: true }),
      asks("c_shelf", "Tells where a book stands", 'Where do I find "Tin Swallows" in the shop?', {}, [
        {
          id: "looked",
          kind: "assert",
          assertion: { type: "toolCalledAtLeastOnce", toolName: "shelf_info" },
        },
      ]),
      asks("c_orders", "Lists open orders", "List all orders", {}, [
        {
          id: "listed",
          kind: "assert",
          assertion: { type: "toolCalledWith", toolName: "list_orders", args: { args: { status: "open" } } },
        },
      ]),
    ],
  });
  suiteId = made.suiteId;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const asks = (id: string, title: string, prompt: string, more: object = {}, steps: object[] = []) => ({
  id,
  title,
  ...more,
  steps: [{ id: "ask", kind: "prompt", prompt }, ...steps],
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
const ended = (result: string) =>
  page.locator(`header [data-testid=eval-run][data-status=completed][data-result=${result}]`);
const caseRow = (key: string) => page.locator(`[data-testid=eval-case][data-case=${key}]`);

test("a suite is found in the list, run with its cost said before the click, and its run ends before one's eyes", async () => {
  await page.goto(`${project}/evals`);
  await tabTo(page.getByRole("link", { name: "Front desk" }));
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=state][data-state=empty]").getByText("It never ran").waitFor();
  await page
    .getByRole("row", { name: /Tells where a book stands.*Tin Swallows.*calls shelf_info/ })
    .waitFor();
  await page.getByRole("button", { name: "Run suite" }).first().click();
  const dialog = page.getByRole("dialog");
  const cost = dialog.getByTestId("launch-cost");
  await cost.getByText("Free").waitFor();
  await cost.getByText("3 repetitions of 3 cases by fettle/rules-1").waitFor();
  await cost.getByText("It is no language model").waitFor();
  expect(await barriers()).toEqual([]);
  await dialog.getByLabel("Notes").fill("first try");
  await dialog.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/evals\/runs\/run_/);
  await ended("failed").waitFor();
});

test("failures come first, and why the first failed is said without a click", async () => {
  const rows = page.getByTestId("eval-case");
  await rows.first().waitFor();
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-state"))))
    .toEqual(["failed", "failed", "passed"]);
  await page
    .getByTestId("why")
    .getByText("The agent never called shelf_info. It called search_books instead.")
    .waitFor();
  await page.getByText("1 of 3 repetitions passed; all must.").waitFor();
  expect(await barriers()).toEqual([]);
});

test("a repetition is opened by keyboard: expected beside made, what was said, when, and its address can be shared", async () => {
  await tabTo(caseRow("c_orders").getByRole("button", { name: "Repetition 1: failed" }));
  await page.keyboard.press("Enter");
  await page
    .getByTestId("why")
    .getByText('The agent called list_orders with other arguments: {} where {"status":"open"} was expected.')
    .waitFor();
  await page.locator("[data-testid=call-pair][data-state=other-arguments]").waitFor();
  await page.getByRole("list", { name: "Conversation" }).getByText("List all orders").waitFor();
  await page.getByTestId("tool-call").getByText("BK-1001 for Ada Marlow").waitFor();
  await page.getByText("Timing", { exact: true }).click();
  await page.getByRole("list", { name: "Timing" }).getByText("list_orders").waitFor();
  expect(await barriers()).toEqual([]);
  await page.getByText("Raw", { exact: true }).click();
  await page.getByRole("tree", { name: "Trace" }).waitFor();
  expect(page.url()).toContain("at=c_orders.1");
  await page.reload();
  await page.getByTestId("why").getByText("list_orders with other arguments").waitFor();
});

test("the address that the service prints leads to the run's page", async () => {
  const [run] = (await call("GET", `eval-suites/${suiteId}/runs`)).items;
  expect(new URL(run.viewUrl).pathname).toMatch(/^\/evals\/suite\//);
  await page.goto(run.viewUrl);
  await page.waitForURL(`${project}/evals/runs/${run.id}`);
  await ended("failed").waitFor();
});

test("a failed gate is waived with a reason and an end, the verdict stays, and the waiver is taken back", async () => {
  const gate = (status: string) => page.locator(`[data-testid=gate][data-status=${status}]`);
  await gate("failed").getByRole("button", { name: "Waive …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Why it may go through").fill("The shelf tool is being described anew");
  const longest = () =>
    dialog
      .getByLabel("For how long")
      .getByRole("option")
      .evaluateAll((all) => Math.max(...all.map((each) => Number((each as HTMLOptionElement).value))));
  await expect.poll(longest).toBe(30);
  // Somebody else is quicker, and theirs stands.
  const runId = /run_\w+/.exec(page.url())![0];
  await call("POST", `eval-runs/${runId}/gate-waivers`, {
    reason: "Known since Monday",
    expiresAt: Date.now() + 5 * 86_400_000,
  });
  await dialog.getByRole("button", { name: "Waive" }).click();
  await dialog.getByRole("alert").getByText("A waiver is in force already").waitFor();
  await dialog.getByTestId("waiver").getByText("Known since Monday").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await gate("waived")
    .getByText(/ends in 5 days/)
    .waitFor();
  await ended("failed").waitFor();
  expect(await barriers()).toEqual([]);
  await gate("waived").getByRole("button", { name: "Take the waiver back" }).click();
  await gate("failed").getByRole("button", { name: "Waive …" }).click();
  await dialog.getByLabel("Why it may go through").fill("The shelf tool is being described anew");
  await dialog.getByLabel("For how long").selectOption("30");
  await dialog.getByRole("button", { name: "Waive" }).click();
  await gate("waived").getByText("The shelf tool is being described anew").waitFor();
  await gate("waived").getByRole("button", { name: "Take the waiver back" }).click();
  await gate("failed").waitFor();

  // A member sees why not, and a gate that decides nothing cannot be waived by anybody.
  await using theirs = await openPage(browser);
  await joinAs(bruno, { owner: opened.context, theirs: theirs.context }, deployment);
  await theirs.page.goto(page.url());
  const refused = theirs.page.getByTestId("gate").getByRole("button", { name: "Waive …" });
  await refused.waitFor();
  await expect.poll(() => refused.getAttribute("aria-disabled")).toBe("true");
  await theirs.page.getByText(/Only project admins can waive a gate/).waitFor({ state: "attached" });
  const settle = (result: string, reasons: string) =>
    deployment.database.pool.query("UPDATE eval_runs SET result = $2, reasons = $3 WHERE id = $1", [
      runId,
      result,
      reasons,
    ]);
  const { rows } = await deployment.database.pool.query(
    "SELECT result, reasons::text FROM eval_runs WHERE id = $1",
    [runId],
  );
  await settle("inconclusive", "{noGradeableTrials}");
  await page.reload();
  await gate("incomplete").getByText("cannot be waived").waitFor();
  await expect.poll(() => gate("incomplete").getByRole("button").count()).toBe(0);
  await settle(rows[0].result, rows[0].reasons);
});

test("only what did not pass is run again, and the suite's page shows both runs and their rates", async () => {
  await page.getByRole("button", { name: "Run only what did not pass (2)" }).click();
  await page.getByRole("dialog").getByText("2 repetitions of 2 cases").waitFor();
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/evals\/runs\/run_(?!.*at=)/);
  await page.getByRole("heading", { name: "Run 2 of Front desk" }).waitFor();
  await ended("failed").waitFor();
  await page.getByRole("link", { name: "All runs of Front desk" }).click();
  await page.getByRole("row", { name: /Run 1.*first try.*Failed.*33.3 %/s }).waitFor();
  await page.getByRole("row", { name: /Run 2.*Some cases.*Failed.*0 %/s }).waitFor();
  // A run of some cases is no measure of the suite: there is no trend of it.
  await expect.poll(() => page.getByRole("img", { name: /Pass rate of Front desk/ }).count()).toBe(0);
  expect(await barriers()).toEqual([]);
});

test("a run is deleted after a question, and the suite shows the others", async () => {
  const runs = async () => (await call("GET", `eval-suites/${suiteId}/runs`)).items;
  const { id } = (await runs()).find(({ runNumber }: { runNumber: number }) => runNumber === 2);
  await page.goto(`${project}/evals/runs/${id}`);
  await ended("failed").waitFor();
  await page.getByRole("button", { name: "Delete run" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Its iterations and traces are deleted for good.").waitFor();
  expect(await barriers()).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await runs()).toHaveLength(2);
  await page.getByRole("button", { name: "Delete run" }).click();
  await dialog.getByRole("button", { name: "Delete run" }).click();
  await page.waitForURL(`${project}/evals/${suiteId}/results`);
  await page.getByText("Run deleted").waitFor();
  await page.getByRole("row", { name: /Run 1.*first try/ }).waitFor();
  await expect.poll(() => page.getByRole("row", { name: /Run 2/ }).count()).toBe(0);
  expect((await runs()).map((run: { runNumber: number }) => run.runNumber)).toEqual([1]);
});

test("on a small screen a case that is tapped is brought into view", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const [run] = (await call("GET", `eval-suites/${suiteId}/runs`)).items.slice(-1);
  await page.goto(`${project}/evals/runs/${run.id}`);
  await caseRow("c_orders").getByText("Lists open orders").click();
  const heading = page.getByTestId("eval-iteration").getByRole("heading", { name: "Lists open orders" });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(400);
  await expect
    .poll(() => heading.evaluate((one) => one.getBoundingClientRect().top))
    .toBeGreaterThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${project}/evals/${suiteId}/results`);
});

test("a suite is set to run by itself, and says when", async () => {
  await page.getByRole("region", { name: "Schedule" }).getByRole("button", { name: "Set" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Interval").selectOption("60");
  await dialog.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("region", { name: "Schedule" }).getByText("Every hour. Next").waitFor();
  await page.goto(`${project}/evals`);
  await page.getByRole("row", { name: /Front desk.*Every hour/ }).waitFor();
});

test("a new suite is made with its first question, and cases drafted from the tools", async () => {
  await page.getByRole("button", { name: "New suite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Drafted");
  await dialog.getByLabel("First question").fill("Which books about tin are there?");
  expect(await barriers()).toEqual([]);
  await dialog.getByRole("button", { name: "Create suite" }).click();
  await page.waitForURL(/\/evals\/ste_\w+\/results/);
  await page.getByText("drafted from the tools").waitFor();
});

test("what is known of findings is shown as it stands: asked for, under way, made, failed, or nothing at all", async () => {
  const suites = (await call("GET", "eval-suites")).items;
  const sample = suites.find(({ tags }: { tags: string[] }) => tags.includes("sample"));
  const [{ id }] = (await call("GET", `eval-suites/${sample.id}/runs`)).items;
  const { insights: made } = await call("GET", `eval-runs/${id}`);
  expect(made.findings.length).toBeGreaterThan(0);
  const none = { ...made, findings: [], summary: null };
  const failed = (retryable: boolean) => ({
    ...none,
    status: "failed",
    retryable,
    error: { code: "INPUT_TOO_LARGE", message: "Said by the service." },
  });
  const panel = (status: string) => page.locator(`[data-testid=insights][data-status=${status}]`);
  const asking = page.getByRole("button", { name: /^(Look|Try) / });
  let told: object | undefined;
  await page.route(new RegExp(`/eval-runs/${id}$`), async (route) => {
    const { insights: _, ...run } = await (await route.fetch()).json();
    await route.fulfill({ json: told ? { ...run, insights: told } : run });
  });
  const states: [envelope: object | undefined, asked: string[]][] = [
    [undefined, []],
    [{ ...none, status: "not_available" }, []],
    [{ ...none, status: "not_requested" }, ["Look for problems"]],
    [{ ...made, status: "pending" }, []],
    [{ ...made, coverage: { ...made.coverage, lowConfidence: true } }, ["Look again"]],
    [failed(true), ["Try again"]],
    [failed(false), []],
  ];
  for (const [envelope, asked] of states) {
    told = envelope;
    await page.goto(`${project}/evals/runs/${id}`);
    await page.getByTestId("gate").waitFor();
    const { status = "not_available" } = (envelope ?? {}) as { status?: string };
    if (status === "not_available") await expect.poll(() => page.getByTestId("insights").count()).toBe(0);
    else await panel(status).waitFor();
    await expect.poll(() => asking.allTextContents()).toEqual(asked);
    if (status === "pending") await expect.poll(() => page.getByTestId("insight").count()).toBeGreaterThan(0);
    if (status === "completed") await panel(status).getByText("observations only").waitFor();
    if (status === "failed") await panel(status).getByText("Said by the service.").waitFor();
    await expect
      .poll(() => page.locator("[data-testid=state]:is([data-state=error], [data-state=forbidden])").count())
      .toBe(0);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await panel("completed").waitFor();
});

test("two runs are compared, what got worse first, and another is chosen to compare with", async () => {
  const suites = (await call("GET", "eval-suites")).items;
  const sample = suites.find(({ tags }: { tags: string[] }) => tags.includes("sample"));
  const [latest] = (await call("GET", `eval-suites/${sample.id}/runs`)).items;
  await page.goto(`${project}/evals/runs/${latest.id}`);
  await page.getByRole("link", { name: "Compare …" }).click();
  await page.waitForURL(/\/compare/);
  await page.getByText("but 3 new cases fail.").waitFor();
  await page.locator("[data-testid=compared-case][data-status=new_case]").first().waitFor();
  await page.getByRole("row", { name: /Pass rate.*100 %.*57.1 %/ }).waitFor();
  expect(await barriers()).toEqual([]);
});

test("a suite of twenty cases on two targets fills one view, also over a while without the service", async () => {
  const config = { modelId: "fettle/rules-1", serverIds: [serverId] };
  const { id: hostId } = await call("POST", "clients", { name: "Reader", config });
  const made = await Promise.all(
    ["Day", "Night"].map((name) => call("POST", "environments", { name, hostId })),
  );
  const environmentIds = made.map(({ id }) => id);
  const { suiteId: wide } = await call("POST", "eval-suites", {
    name: "Twenty",
    serverIds: [serverId],
    model: "fettle/rules-1",
    tests: Array.from({ length: 20 }, (_, at) =>
      asks(`c_${at}`, `Case ${at}`, `Search for books about ${at}`),
    ),
  });
  await call("PATCH", `eval-suites/${wide}`, { environmentIds });
  await page.setViewportSize({ width: 1280, height: 2000 });
  await page.goto(`${project}/evals/${wide}/results?do=new`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Night").check();
  await dialog.getByText("Night: Free").waitFor();
  await dialog.getByText("one group, and take one place").waitFor();
  await dialog.getByRole("button", { name: "Start 2 runs" }).click();
  await page.waitForURL(/\/evals\/groups\/rgr_/);
  const live = (state: string) => page.locator(`[data-testid=app][data-live=${state}]`);
  await live("on").waitFor();
  await opened.context.setOffline(true);
  await live("offline").waitFor();
  const groupId = /rgr_\w+/.exec(page.url())![0];
  await expect
    .poll(async () =>
      (await call("GET", `eval-run-groups/${groupId}`)).runs.map((each: { status: string }) => each.status),
    )
    .toEqual(["completed", "completed"]);
  await opened.context.setOffline(false);
  await live("on").waitFor();
  const table = page.getByRole("table", { name: "Cases by target" });
  await expect.poll(() => table.getByRole("row", { name: /^Case \d+ Passed Passed$/ }).count()).toBe(20);
  expect(await barriers()).toEqual([]);
});
