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
/** Another admin, in a browser of their own. */
let second: Watched;
let member: Watched;
let clientId: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  second = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  member = await openPage(browser, { colorScheme: "light" });
  await joinAs(clara, { owner: opened.context, theirs: second.context }, deployment, "admin");
  await joinAs(bruno, { owner: opened.context, theirs: member.context }, deployment);
  clientId = (await ask("POST", "/clients", { name: "Reader", config: { modelId: "fettle/rules-1" } })).id;
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await member[Symbol.asyncDispose]();
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
/** What only pages may do, such as writing a skill. */
const act = async (method: string, path: string, data?: object) => {
  const answer = await opened.context.request.fetch(
    `${deployment.url}/app/projects/${deployment.projectId}${path}`,
    { method, headers: { "x-fettle-app": "1", origin: deployment.url }, ...(data && { data }) },
  );
  return answer.json();
};
const base64 = (text: string) => Buffer.from(text).toString("base64");
const skillFile = (name: string) =>
  base64(`---\nname: ${name}\ndescription: Greets people\n---\n\nSay hello.\n`);
const dialog = (on = page) => on.getByRole("dialog");
const button = (name: string, on: Page | Locator = page) => on.getByRole("button", { name, exact: true });
const environment = (on = page) => on.getByTestId("environment");
const saved = (on = page) => on.locator("[data-testid=environment][data-changed=false]").waitFor();
const idIn = (on: Page) => new URL(on.url()).pathname.split("/")[4]!;
const tab = (name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });

test("the first environment is made by keyboard, and a name that is taken is said at the name", async () => {
  await page.goto(at("/environments"));
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.keyboard.press("n");
  await tabTo(dialog().getByLabel("Name"));
  await page.keyboard.type("Nightly");
  await tabTo(dialog().getByLabel("Client"));
  await page.keyboard.type("Reader");
  await page.keyboard.press("Control+Enter");
  await environment().waitFor();
  await page.getByRole("heading", { level: 1, name: "Nightly" }).waitFor();

  await page.goto(at("/environments?do=new"));
  await dialog().getByLabel("Name").fill("nightly");
  await dialog().getByLabel("Client").selectOption("Reader");
  await button("Create environment").click();
  const name = dialog().getByLabel("Name");
  await dialog().getByText("Choose another name.").waitFor();
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await button("Cancel").click();
  const row = page.getByRole("row", { name: /Nightly/ });
  for (const text of ["Reader", "nothing", "Sample Owner"])
    await expect.poll(() => row.textContent()).toContain(text);
});

test("what it would run is shown as it changes elsewhere, or why nothing can run", async () => {
  await page.getByRole("link", { name: "Nightly" }).click();
  await tab("What it runs").click();
  const refused = page.locator("[data-testid=resolve][data-state=refused][data-code=ENV_NO_SERVERS]");
  await refused.getByText("Attach a server to its client").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  const [{ id }] = (await ask("GET", "/servers")).items;
  const { configId } = await ask("GET", `/clients/${clientId}`);
  await ask("POST", `/clients/${clientId}/servers`, { serverIds: [id], expectedConfigId: configId });
  const runnable = page.locator("[data-testid=resolve][data-state=runnable]");
  await runnable.getByRole("link", { name: "Bookshop" }).waitFor();
  await runnable.getByText("fettle/rules-1").first().waitFor();
  await runnable.getByText((await ask("GET", `/clients/${clientId}`)).configId).waitFor();
});

test("skills and plugin versions are pinned, those that cannot be say why, and a refusal is said at its field", async () => {
  const shared = await act("POST", "/skills", { files: { "SKILL.md": skillFile("greet") } });
  await act("POST", `/skills/${shared.id}/share`);
  await act("POST", "/skills", { files: { "SKILL.md": skillFile("draft") } });
  const version = await act("POST", "/plugins", {
    files: {
      "plugin.json": base64('{"name":"shop","version":"1.0.0"}'),
      "skills/greet/SKILL.md": skillFile("greet"),
    },
  });
  await tab("Settings").click();
  const draft = page.getByRole("checkbox", { name: /^draft/ });
  await draft.waitFor();
  await expect.poll(() => draft.isDisabled()).toBe(true);
  await page.getByText("Cannot be pinned:").first().waitFor();
  await page
    .getByRole("checkbox", { name: /^greet/ })
    .first()
    .check();
  await page.getByLabel("Version of shop").selectOption(version.id);
  await beforeNextWrite(page, `/environments/${idIn(page)}`, () =>
    act("PUT", `/plugins/${version.pluginId}/enabled`, { enabled: false }),
  );
  await button("Save").click();
  const pins = page.getByRole("group", { name: /Plugin versions/ });
  await pins.getByText("Enable the plugin, or take its version off.").waitFor();
  await act("PUT", `/plugins/${version.pluginId}/enabled`, { enabled: true });
  await button("Save").click();
  await saved();
  const stored = await ask("GET", `/environments/${idIn(page)}`);
  expect([stored.skillSelection.skillIds, stored.pluginVersionIds]).toEqual([[shared.id], [version.id]]);

  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page
    .getByRole("checkbox", { name: /^greet/ })
    .first()
    .uncheck();
  await button("Save").click();
  // To pin nothing is said as such: an empty list would be refused.
  expect((await sent).postDataJSON()).toEqual({ expectedRevision: stored.revision, skillSelection: null });
  await saved();
});

test("two browsers save one revision: the second chooses field by field, and nothing is lost", async () => {
  const other = second.page;
  await other.goto(page.url());
  await environment(other).waitFor();
  await other.getByLabel("Name").fill("Nightly run");
  await other.getByLabel("Description").fill("Theirs");
  await page.getByLabel("Description").fill("Mine");
  await page.getByLabel("Model").fill("my/model");
  const path = `/environments/${idIn(page)}`;
  const { revision } = await ask("GET", path);
  await beforeNextWrite(page, path, async () => {
    await button("Save", other).click();
    await saved(other);
  });
  const refused = page.waitForResponse((response) => response.status() === 409);
  await button("Save").click();
  expect((await (await refused).json()).details).toEqual({
    code: "ENV_REVISION_CONFLICT",
    currentRevision: revision + 1,
  });
  const sheet = page.getByTestId("conflict");
  await sheet.waitFor();
  await dialog()
    .getByText(`revision ${revision + 1}`)
    .waitFor();
  await dialog().getByText(clara.name).waitFor();
  const side = async (field: string) =>
    sheet.locator(`[data-testid=conflict-field][data-field=${field}]`).getAttribute("data-side");
  await expect
    .poll(() => Promise.all(["name", "description", "modelId"].map(side)))
    .toEqual(["theirs", "mine", "mine"]);
  expect(await barriersOf(page, "[role=dialog]")).toEqual([]);
  await sheet.locator("[data-field=description]").getByText("Theirs, stored now").click();
  await expect.poll(() => side("description")).toBe("theirs");
  expect((await ask("GET", path)).revision).toBe(revision + 1);
  await button("Save merged").click();
  await saved();
  expect(await ask("GET", path)).toMatchObject({
    name: "Nightly run",
    description: "Theirs",
    modelId: "my/model",
    revision: revision + 2,
  });
  await other.locator(`[data-testid=environment][data-revision='${revision + 2}']`).waitFor();
});

test("a change that arrives while one is typing is told at once, and taking theirs or mine does just that", async () => {
  const path = `/environments/${idIn(page)}`;
  const write = async (description: string) =>
    ask("PATCH", path, { expectedRevision: (await ask("GET", path)).revision, description });
  for (const way of ["theirs", "mine"]) {
    await page.getByLabel("Description").fill(`Mine, ${way}`);
    await write(`Theirs, ${way}`);
    await button("Compare and choose").click();
    await dialog()
      .getByText(way === "mine" ? "Every field as I have it" : "As it is stored now")
      .click();
    await button(way === "mine" ? "Save mine" : "Take theirs").click();
    await saved();
    expect((await ask("GET", path)).description).toBe(way === "mine" ? "Mine, mine" : "Theirs, theirs");
  }
});

test("an edit that comes after archiving is kept and not saved, and restoring brings back all there was", async () => {
  // On in another session: a test asks faster than a person, and a session may ask only so often.
  page = second.page;
  const path = `/environments/${idIn(page)}`;
  const { revision } = await ask("GET", path);
  // It has heard of what the other session saved last.
  await page.locator(`[data-testid=environment][data-revision='${revision}']`).waitFor();
  await page.getByLabel("Description").fill("Too late");
  await beforeNextWrite(page, path, () => ask("POST", `${path}/archive`, { expectedRevision: revision }));
  await button("Save").click();
  await page.getByText("It was archived meanwhile.").waitFor();
  await page.locator("[data-testid=environment][data-state=archived]").waitFor();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Too late");
  await button("Discard").click();
  await button("Restore").click();
  await page.getByText("is live again, with everything that was pinned.").waitFor();
  expect(await ask("GET", path)).toMatchObject({ archived: false, revision: revision + 2 });
});

test("archiving frees the name; restoring says who has it now, or what was dropped", async () => {
  const path = `/environments/${idIn(page)}`;
  const address = page.url();
  await button("Archive").click();
  await page.locator("[data-testid=environment][data-state=archived]").waitFor();
  await page.getByText("It is archived. Restore it to change it.").waitFor();
  await expect.poll(() => page.getByLabel("Description").isDisabled()).toBe(true);

  await page.goto(at("/environments"));
  await page.getByText("All of them are archived").waitFor();
  await page.getByLabel(/Show archived/).check();
  await page.getByRole("row", { name: /Nightly run.*Archived/ }).waitFor();
  const holder = await ask("POST", "/environments", { name: "nightly run", hostId: clientId });

  await page.goto(address);
  await button("Restore").click();
  await page.getByText("Another live environment is called Nightly run").waitFor();
  await expect
    .poll(() => page.getByRole("link", { name: "the other one" }).getAttribute("href"))
    .toContain(holder.id);
  await button("New one from this stack").click();
  await expect.poll(() => dialog().getByLabel("Name").inputValue()).toBe("Nightly run (restored)");
  await button("Cancel").click();

  await ask("POST", `/environments/${holder.id}/archive`, { expectedRevision: holder.revision });
  const [gone] = (await ask("GET", path)).pluginVersionIds;
  await deployment.database.pool.query("DELETE FROM plugin_versions WHERE id = $1", [gone]);
  await button("Restore").click();
  const told = page.getByRole("status").filter({ hasText: "live again, without some of its pins" });
  await told.getByText(gone).waitFor();
  await told.getByText("No plugin version is pinned now.").waitFor();
  await page.locator("[data-testid=environment][data-state=live]").waitFor();
});

test("an ad-hoc environment is not listed; named, it keeps its id", async () => {
  const made = await ask("POST", "/environments/ensure-adhoc", { hostId: clientId, modelId: "one/off" });
  const { id } = made.environment;
  await page.goto(at("/environments"));
  await page.getByRole("link", { name: "Nightly run" }).first().waitFor();
  await expect.poll(() => page.locator(`a[href*="${id}"]`).count()).toBe(0);
  await page.goto(at(`/environments/${id}/settings`));
  await page.locator("[data-testid=environment][data-state=adhoc]").waitFor();
  await page.getByLabel("Name", { exact: true }).first().fill("Kept");
  await button("Name it").click();
  await page.getByRole("heading", { level: 1, name: "Kept" }).waitFor();
  expect((await ask("GET", `/environments/${id}`)).name).toBe("Kept");
});

test("a member reads all of it, and every control says which role could use it", async () => {
  const { page: their } = member;
  await their.goto(at("/environments"));
  await their.locator("[data-primary-action][aria-disabled=true]").waitFor();
  await their.getByRole("link", { name: "Kept" }).click();
  await environment(their).waitFor();
  await their
    .getByText("Only project admins can change environments; your role here is editor.")
    .first()
    .waitFor();
  await expect.poll(() => their.getByLabel("Name").isDisabled()).toBe(true);
  await expect.poll(() => button("Save", their).isDisabled()).toBe(true);
  await expect.poll(() => button("Archive", their).getAttribute("aria-disabled")).toBe("true");
  await their.getByRole("link", { name: "What it runs" }).click();
  await their.locator("[data-testid=resolve][data-state=runnable]").waitFor();
});

test("settings of the project that two people change become a choice, and outlive a reload until then", async () => {
  await page.goto(at("/settings/general"));
  await page.getByLabel("Description").fill("Mine");
  await page.reload();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Mine");
  await beforeNextWrite(page, "", () => ask("PATCH", "", { name: "Theirs", description: "Theirs, too" }));
  await button("Save").click();
  const sheet = page.getByTestId("conflict-field");
  await sheet.first().waitFor();
  expect(await ask("GET", "")).toMatchObject({ name: "Theirs", description: "Theirs, too" });
  await button("Save merged").click();
  await page.getByText("All saved.").waitFor();
  expect(await ask("GET", "")).toMatchObject({ name: "Theirs", description: "Mine" });
});

test("what is typed for a server waits while one looks elsewhere, and takes nothing back that others saved", async () => {
  const { items } = await ask("GET", "/servers");
  const path = `/servers/${items[0].id}`;
  await page.goto(at(`${path}/settings`));
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Mine");
  await tab("Overview").click();
  await tab("Settings").click();
  await expect.poll(() => name.inputValue()).toBe("Mine");
  await ask("PATCH", path, { name: "Theirs", timeout: 12_000 });
  await page.getByText("Saving replaces what they entered: the name.").waitFor();
  await button("Discard").click();
  await expect.poll(() => name.inputValue()).toBe("Theirs");
  await page.getByLabel("Address").fill(`${items[0].url}/shelf`);
  await ask("PATCH", path, { name: "Theirs again" });
  await page.getByRole("heading", { level: 1, name: "Theirs again" }).waitFor();
  await button("Save").click();
  await page.getByText("All saved.").waitFor();
  expect(await ask("GET", path)).toMatchObject({ name: "Theirs again", url: `${items[0].url}/shelf` });
});
