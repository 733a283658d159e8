import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { beforeNextWrite, launchBrowser, openPage, tabTo, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { bruno, clara, joinAs } from "./people.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
/** Another person, a member, in a browser of their own. */
let other: Watched;
/** Another admin. */
let third: Watched;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  other = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  third = await openPage(browser, { colorScheme: "light" });
  await joinAs(bruno, { owner: opened.context, theirs: other.context }, deployment);
  await joinAs(clara, { owner: opened.context, theirs: third.context }, deployment, "admin");
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await third[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

const at = (path: string) => `${deployment.url}/p/${deployment.projectId}${path}`;
const ask = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}${path}`, {
    method,
    headers: { authorization: `Bearer ${deployment.apiKey}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  // Whatever was answered; each use says what it expects.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return (await answer.json()) as any;
};
const dialog = (on = page) => on.getByRole("dialog");
const button = (name: string, on: Page | Locator = page) => on.getByRole("button", { name, exact: true });
const as = (name: string, on = page) => on.getByText(name, { exact: true }).first().click();
const configText = (on = page) => on.getByLabel("Config as JSON");
const editor = (on = page) => on.getByTestId("client");
const saved = (on = page) => on.locator("[data-testid=client][data-changed=false]").waitFor();
const idIn = (on: Page) => new URL(on.url()).pathname.split("/")[4]!;

test("the first client is made from a known host, by keyboard alone", async () => {
  await page.goto(at("/clients"));
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.keyboard.press("n");
  await dialog().waitFor();
  await tabTo(dialog().getByLabel("Behaves like"));
  await page.keyboard.type("Claude");
  await expect.poll(() => dialog().getByLabel("Name").inputValue()).toBe("Claude");
  await tabTo(dialog().getByLabel("Name"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Reader");
  await page.keyboard.press("Control+Enter");
  await editor().waitFor();
  await page.getByRole("heading", { level: 1, name: "Reader" }).waitFor();

  await page.goto(at("/clients"));
  const row = page.getByRole("row", { name: /Reader/ });
  const { configId, modelId } = (await ask("GET", "/clients")).items[0];
  for (const text of ["Claude", modelId, configId.slice(0, 12), "nothing", "Sample Owner"])
    await expect.poll(() => row.textContent()).toContain(text);
});

test("a client is made from a whole config, and what is wrong in one is said with its place", async () => {
  await button("New client").click();
  await dialog().getByText("A config", { exact: true }).click();
  await dialog().getByLabel("Name").fill("From JSON");
  await page.keyboard.press("Escape");
  await dialog().getByText("What you typed is kept.").waitFor();
  await expect.poll(() => dialog().getByLabel("Name").inputValue()).toBe("From JSON");
  await configText().fill('{"modelId":"fettle/rules-1","temperature":9}');
  await button("Create client").click();
  await dialog().getByText("The config is not one").waitFor();
  await expect.poll(() => dialog().textContent()).toContain("temperature");
  await configText().fill('{"modelId":"fettle/rules-1","temperature":1}');
  await button("Create client").click();
  await page.getByRole("heading", { level: 1, name: "From JSON" }).waitFor();
});

test("form and JSON are one config: nothing is lost between them, nor on the way to the service and back", async () => {
  const strange = { vendor: { deep: [1, { b: null }], text: "\u200bhidden" }, "odd key": false };
  await as("JSON");
  const config = { ...JSON.parse(await configText().inputValue()), ...strange };
  await configText().fill(JSON.stringify(config));
  await as("Form");
  await page.getByRole("textbox", { name: /^systemPrompt/ }).fill("Be brief.\nBe kind.");
  await page.getByRole("textbox", { name: /^temperature/ }).fill("0.25");
  await as("JSON");
  const edited = { ...config, systemPrompt: "Be brief.\nBe kind.", temperature: 0.25 };
  await expect.poll(async () => JSON.parse(await configText().inputValue())).toEqual(edited);
  await page.locator("[data-testid=json-diff][data-count='4']").waitFor();
  await button("Save").click();
  await saved();
  expect((await ask("GET", `/clients/${idIn(page)}`)).config).toEqual(edited);
});

test("text that is no JSON yet blocks saving, and is still there after looking elsewhere and a reload", async () => {
  await page.getByLabel("Name", { exact: true }).fill("Renamed, not saved");
  await configText().fill('{"modelId": "fettle/rules-1", ');
  await expect.poll(() => button("Save").isDisabled()).toBe(true);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Servers" }).click();
  await page.getByTestId("client-servers").waitFor();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  await as("JSON");
  await expect.poll(() => configText().inputValue()).toBe('{"modelId": "fettle/rules-1", ');
  page.once("dialog", (asked) => void asked.accept());
  await page.reload();
  await as("JSON");
  await expect.poll(() => configText().inputValue()).toBe('{"modelId": "fettle/rules-1", ');
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Renamed, not saved");
  await button("Discard").click();
  await saved();
});

test("two people change one client at once: the second chooses, and both changes are kept", async () => {
  await other.page.goto(page.url());
  await editor(other.page).waitFor();
  await other.page.getByRole("textbox", { name: /^temperature/ }).fill("1.5");
  await as("Form");
  await page.getByLabel("Name").fill("Ours");
  await page.getByRole("textbox", { name: /^systemPrompt/ }).fill("Mine.");
  const path = `/clients/${idIn(page)}`;
  await beforeNextWrite(page, path, async () => {
    await button("Save", other.page).click();
    await saved(other.page);
  });
  const refused = page.waitForResponse(
    (response) => response.url().endsWith(path) && response.status() === 409,
  );
  await button("Save").click();
  const { details } = await (await refused).json();
  const theirs = await ask("GET", path);
  expect(details).toEqual({ code: "STALE_CONFIG_ID", currentConfigId: theirs.configId });

  const sheet = page.getByTestId("conflict");
  await sheet.waitFor();
  await dialog().getByText(bruno.name).waitFor();
  await dialog().getByText(theirs.configId.slice(0, 12)).waitFor();
  const sides = () =>
    sheet
      .getByTestId("conflict-field")
      .evaluateAll((rows) =>
        rows.map((row) => [row.getAttribute("data-field"), row.getAttribute("data-side")]).sort(),
      );
  await expect.poll(sides).toEqual([
    ["(name)", "mine"],
    ["systemPrompt", "mine"],
    ["temperature", "theirs"],
  ]);
  expect(await barriersOf(page, "[role=dialog]")).toEqual([]);
  await button("Save merged").click();
  await saved();
  const merged = await ask("GET", path);
  expect([merged.name, merged.config.systemPrompt, merged.config.temperature]).toEqual([
    "Ours",
    "Mine.",
    1.5,
  ]);
  // The other page was not being edited any more, so it simply shows what is stored.
  await other.page.getByRole("heading", { level: 1, name: "Ours" }).waitFor();
});

test("a rename that crosses another names what it is called now, and taking theirs drops mine", async () => {
  const path = `/clients/${idIn(page)}`;
  await page.getByLabel("Name").fill("Mine");
  await beforeNextWrite(page, path, () => ask("PATCH", path, { name: "Theirs", expectedName: "Ours" }));
  await button("Save").click();
  await dialog().getByText("“Theirs”").waitFor();
  await dialog().getByText("As it is stored now").click();
  await button("Take theirs").click();
  await saved();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Theirs");
  expect((await ask("GET", path)).name).toBe("Theirs");
});

test("before an edit is saved, exactly those that follow it are named, also one that came last", async () => {
  const path = `/clients/${idIn(page)}`;
  const environment = (name: string) => ask("POST", "/environments", { name, hostId: idIn(page) });
  await environment("Nightly");
  await page.locator("[data-testid=impact][data-environments='1']").waitFor();
  await page.getByRole("textbox", { name: /^temperature/ }).fill("0.5");
  await button("Save").click();
  await dialog().getByText("1 environment", { exact: true }).waitFor();
  await expect.poll(() => dialog().getByRole("listitem").allTextContents()).toEqual(["Nightly"]);
  await beforeNextWrite(page, path, () => environment("Weekly"));
  await button("Save, they follow").click();
  await dialog().getByText("2 environments", { exact: true }).waitFor();
  await dialog().getByRole("link", { name: "Weekly" }).waitFor();
  expect((await ask("GET", path)).config.temperature).toBe(1.5);
  await button("Save, they follow").click();
  await saved();
  expect((await ask("GET", path)).config.temperature).toBe(0.5);
});

test("the set of servers is replaced as a whole", async () => {
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Servers" }).click();
  await page.getByLabel("Bookshop and this client").selectOption("Optional");
  await button("Save").click();
  await button("Save, they follow").click();
  await page.locator("[data-testid=client-servers][data-changed=false]").waitFor();
  const [{ id }] = (await ask("GET", "/servers")).items;
  const { config } = await ask("GET", `/clients/${idIn(page)}`);
  expect([config.serverIds, config.optionalServerIds]).toEqual([[], [id]]);
});

test("a copy has the same config until it is edited, and comparing says where the two differ", async () => {
  // On in another session: a test asks faster than a person, and a session may ask only so often.
  page = third.page;
  await page.goto(at("/clients"));
  await button("Actions for Theirs").click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await dialog().getByLabel("Name of the copy").fill("Copy");
  await button("Duplicate", dialog()).click();
  await page.getByRole("heading", { level: 1, name: "Copy" }).waitFor();
  await button("Compare").click();
  await page.getByLabel("Right").selectOption({ label: "Theirs" });
  await page.getByText("the same to the byte").waitFor();
  await page.locator("[data-testid=json-diff][data-count='0']").waitFor();
  const copy = await ask("GET", "/clients/Copy");
  await ask("PATCH", "/clients/Copy", { expectedConfigId: copy.configId, set: { temperature: 2 } });
  await page.locator("[data-testid=json-diff][data-count='1']").waitFor();
  const row = page.getByRole("row", { name: /temperature/ });
  await expect.poll(() => row.getByRole("cell").allTextContents()).toEqual(["temperature", "2", "0.5"]);
  expect(await barriersOf(page)).toEqual([]);
  await page.reload();
  await row.waitFor();
});

test("a client in use is deleted only by someone who saw what it leaves without one", async () => {
  await page.goto(at("/clients"));
  await button("Actions for Theirs").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog().getByText("2 environments", { exact: true }).waitFor();
  const names = async () => (await dialog().getByRole("listitem").allTextContents()).sort();
  await expect.poll(names).toEqual(["Nightly", "Weekly"]);
  await dialog().getByLabel("Name of the client").fill("Theirs");
  await button("Delete client", dialog()).click();
  await dialog().getByText("Something still refers to this client.").waitFor();
  await dialog().getByLabel("Delete it all the same").click();
  await button("Delete client", dialog()).click();
  await page.getByRole("link", { name: "Theirs" }).waitFor({ state: "detached" });
  // Whoever has it open still sees it, and that it is gone.
  await other.page.locator("[data-testid=state][data-state=gone]").waitFor();
});

test("a member edits clients, but is told that copying and attaching servers is for admins", async () => {
  const their = other.page;
  await their.goto(at("/clients"));
  await button("Actions for Copy", their).click();
  await their.getByText("Only project admins can duplicate a client.").waitFor();
  await their.keyboard.press("Escape");
  await their.getByRole("link", { name: "Copy" }).click();
  await their.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Servers" }).click();
  await their.getByText("Only project admins can change a client's servers; your role here is").waitFor();
  await expect.poll(() => their.getByLabel("Bookshop and this client").isDisabled()).toBe(true);
});

test("the private backing of a scenario is not listed", async () => {
  await deployment.database.pool.query("UPDATE clients SET owner_scope = $1 WHERE name = 'Copy'", [
    { kind: "scenario", scenarioId: "scn_x" },
  ]);
  await page.goto(at("/clients"));
  await page.getByRole("link", { name: "Reader" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Copy" }).count()).toBe(0);
});
