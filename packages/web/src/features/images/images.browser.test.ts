import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "../../testing/barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "../../testing/browser.ts";
import { type Deployment, startDeployment } from "../../testing/deployment.ts";
import { bruno, joinAs } from "../../testing/people.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let project: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([
    launchBrowser(),
    // No engine, also where the machine has one.
    startDeployment({ sample: true, env: { FETTLE_SANDBOX_ENGINE: "off" } }),
  ]);
  opened = await openPage(browser);
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  project = `${deployment.url}/p/${deployment.projectId}`;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const base = `debian@sha256:${"0".repeat(64)}`;
const dialog = () => page.getByRole("dialog");
const lint = (state: string) => page.locator(`[data-testid=blueprint-lint][data-state=${state}]`);
const blueprint = () => page.getByRole("textbox", { name: "Blueprint" });
const headers = { "x-fettle-app": "1" };
const imagesOf = () => `${deployment.url}/api/v1/projects/${deployment.projectId}/images`;
const idHere = () => new URL(page.url()).pathname.split("/").at(-1)!;

test("an empty list says what images are for, and a new one begins with a blueprint that is valid", async () => {
  await page.goto(`${project}/images`);
  const empty = page.locator("[data-testid=state][data-state=empty]");
  await empty.getByText("what a computer is started from").waitFor();
  await page.getByRole("region", { name: "Your computer" }).getByTestId("no-engine").waitFor();
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Images" }).waitFor();
  await page.keyboard.press("n");
  await lint("ok").getByText("reads well").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("what is wrong with a blueprint is said while it is typed, each fault with its path and at its line", async () => {
  await dialog().getByLabel("Name").fill("Desk");
  await blueprint().fill("base: debian\ninitialize:\n  - name: Tools\n    runs: apt-get install jq\n");
  const faults = lint("faulty").getByRole("list", { name: "What is wrong" });
  await faults.getByText("base", { exact: true }).waitFor();
  await faults.getByText("initialize[0].runs").waitFor();
  await faults.getByText(/not pinned/).waitFor();
  await expect.poll(() => page.locator("[data-marked=true]").allTextContents()).toEqual(["1", "3", "4"]);
  await expect.poll(() => blueprint().getAttribute("aria-invalid")).toBe("true");
  await faults.getByRole("button", { name: "Line 4" }).click();
  const caret = () => blueprint().evaluate((area: HTMLTextAreaElement) => area.selectionStart);
  await expect.poll(caret).toBe("base: debian\ninitialize:\n  - name: Tools\n".length);
  await expect.poll(() => dialog().getByRole("button", { name: "Save draft" }).isDisabled()).toBe(true);
  expect(await barriersOf(page)).toEqual([]);
  await blueprint().fill("base: [");
  await lint("faulty").getByRole("button", { name: "Line 1" }).waitFor();

  await blueprint().fill(`base: ${base}\n`);
  await lint("ok").waitFor();
  await dialog().getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("heading", { name: "Desk", level: 1 }).waitFor();
  await page.getByText("Your draft", { exact: true }).waitFor();
});

test("that there is no container engine is said before anything is built, with what to install", async () => {
  await page.getByTestId("no-engine").getByText("no container engine").waitFor();
  await page.getByTestId("no-engine").getByText("systemctl enable --now podman.socket").waitFor();
  await page.getByText("Nothing has been built of it yet.").waitFor();
  for (const name of ["Build", "Use on my computer"]) {
    const control = page.getByRole("button", { name, exact: true });
    await expect.poll(() => control.getAttribute("aria-disabled")).toBe("true");
  }
  expect(await barriersOf(page)).toEqual([]);
});

test("a pasted command says that nothing runs here without an engine, and keeps the way through a tunnel", async () => {
  const before = page.url();
  await page.goto(`${project}/servers?do=new`);
  await dialog().getByRole("textbox", { name: "Address" }).fill("npx -y @acme/shelf --verbose");
  await dialog().getByText("This service has no container engine").waitFor();
  await dialog().getByText("fettle cloud tunnel --server shelf").waitFor();
  await expect.poll(() => dialog().getByRole("button", { name: "Save 0 servers" }).isDisabled()).toBe(true);
  expect(await barriersOf(page)).toEqual([]);
  await dialog().getByRole("link", { name: "What an operator installs" }).click();
  await page.getByTestId("no-engine").first().waitFor();
  await page.goto(before);
});

test("an edit outlives a reload, is not saved while something in it is wrong, and is then saved", async () => {
  await blueprint().fill(`base: ${base}\nknowledge: much\n`);
  await lint("faulty").getByText("This must be a list.").waitFor();
  await page.getByText("Not saved: something in it is wrong.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await page.reload();
  await lint("faulty").getByText("This must be a list.").waitFor();
  await blueprint().fill(`base: ${base}\n# Mine.\n`);
  await page.getByText("Not saved yet.").waitFor();
  await lint("ok").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("All saved.").waitFor();
  const stored = await opened.context.request.get(`${imagesOf()}/${idHere()}`, { headers });
  expect((await stored.json()).blueprint).toContain("# Mine.");
});

test("two who edit one image lose nothing: whoever comes second chooses between the two texts", async () => {
  await blueprint().fill(`base: ${base}\n# Mine again.\n`);
  await opened.context.request.patch(`${imagesOf()}/${idHere()}`, {
    headers,
    data: { name: "Front desk", blueprint: `base: ${base}\n# Theirs.\n` },
  });
  await page.getByRole("button", { name: "Compare and choose" }).click();
  await dialog().getByText("# Theirs.").waitFor();
  const side = (field: string) => dialog().locator(`[data-field='${field}']`).getAttribute("data-side");
  await expect.poll(() => Promise.all([side("name"), side("blueprint")])).toEqual(["theirs", "mine"]);
  expect(await barriersOf(page, "[role=dialog]")).toEqual([]);
  await dialog().getByRole("button", { name: "Save merged" }).click();
  await page.getByRole("heading", { name: "Front desk", level: 1 }).waitFor();
  await page.getByText("All saved.").waitFor();
  await expect.poll(() => blueprint().inputValue()).toContain("# Mine again.");
});

test("a member sees what is shared and why they cannot change it, and no draft of others", async () => {
  await using theirs = await openPage(browser);
  await joinAs(bruno, { owner: opened.context, theirs: theirs.context }, deployment);
  await theirs.page.goto(`${project}/images`);
  await theirs.page.locator("[data-testid=state][data-state=empty]").waitFor();

  await page.getByRole("button", { name: "Actions for Front desk" }).click();
  await page.getByRole("menuitem", { name: "Share with the project" }).click();
  await dialog().getByText("cannot become a draft again").waitFor();
  await dialog().getByRole("button", { name: "Share" }).click();
  await page.getByText("Shared", { exact: true }).waitFor();

  await theirs.page.getByRole("link", { name: "Front desk" }).click();
  await theirs.page.getByText("project admins can do this").first().waitFor();
  await expect
    .poll(() => theirs.page.getByRole("textbox", { name: "Blueprint" }).getAttribute("readonly"))
    .not.toBeNull();
  expect(await barriersOf(theirs.page)).toEqual([]);

  // Their own draft they cannot share.
  await theirs.page.goto(`${project}/images?do=new`);
  await theirs.page.getByRole("dialog").getByLabel("Name").fill("Bench");
  await theirs.page.getByRole("dialog").getByRole("button", { name: "Save draft" }).click();
  await theirs.page.getByRole("heading", { name: "Bench", level: 1 }).waitFor();
  await theirs.page.getByRole("button", { name: "Actions for Bench" }).click();
  const share = theirs.page.getByRole("menuitem", { name: "Share with the project" });
  await expect.poll(() => share.getAttribute("aria-disabled")).toBe("true");
  await theirs.page.getByText("Project admins can share images.").first().waitFor();
});

test("an image is deleted once its name was typed", async () => {
  await page.getByRole("button", { name: "Actions for Front desk" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog().getByLabel("Name of the image").fill("Front desk");
  await dialog().getByRole("button", { name: "Delete image" }).click();
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.goto(`${project}/images/img_missing`);
  await ready(page);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
});
