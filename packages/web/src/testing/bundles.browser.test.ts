import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, tabTo, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";
import { zip } from "./zip.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;
let project: string;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
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

const file = (name: string, text: string) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(text),
});
const skillText = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Greets people the way they like\n---\n\n${body}\n`;
const check = (ok: boolean) => page.locator(`[data-testid=skill-check][data-ok=${ok}]`);
const pinnability = (code: string) => page.locator(`[data-testid=pinnability][data-code=${code}]`);
const dialog = () => page.getByRole("dialog");

test("a server group is frozen, and shows what its servers are now", async () => {
  await page.goto(`${project}/server-groups`);
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.keyboard.press("n");
  await dialog().getByText("never changes").waitFor();
  await dialog().getByLabel("Name").fill("Front of house");
  await tabTo(dialog().getByRole("checkbox", { name: /Bookshop/ }));
  await page.keyboard.press("Space");
  expect(await barriersOf(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Freeze 1 server" }).click();
  await page.locator("[data-testid=group-member][data-state=same]").waitFor();

  const servers = `/api/v1/projects/${deployment.projectId}/servers`;
  const headers = { "x-fettle-app": "1" };
  const listed = await opened.context.request.get(deployment.url + servers, { headers });
  const [{ id }] = (await listed.json()).items;
  await opened.context.request.patch(`${deployment.url}${servers}/${id}`, {
    headers,
    data: { name: "Bookshop at the harbour" },
  });
  await page.locator("[data-testid=group-member][data-state=renamed]").waitFor();
  const row = page.getByRole("row", { name: /Renamed/ });
  await row.getByText("Bookshop", { exact: true }).waitFor();
  await row.getByRole("link", { name: "Bookshop at the harbour" }).waitFor();
  expect(await barriersOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Duplicate with changes" }).click();
  await dialog().getByText("New group from Front of house").waitFor();
  await expect.poll(() => dialog().getByRole("checkbox").isChecked()).toBe(true);
  await dialog().getByLabel("Name").fill("Front of house");
  await dialog().getByRole("button", { name: "Freeze 1 server" }).click();
  await dialog()
    .getByText(/already has a server group/)
    .waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
});

test("a skill is checked while it is written, with the line of what is wrong", async () => {
  await page.goto(`${project}/skills?do=new`);
  await check(true).waitFor();
  await dialog().getByLabel("SKILL.md").fill('---\nname: greet\ndescription: "open\n---\n');
  await check(false)
    .getByText(/SKILL\.md line \d/)
    .waitFor();
  await dialog().getByLabel("SKILL.md").fill("---\nname: Greet People\n---\n");
  await check(false)
    .getByText(/lower-case letters/)
    .waitFor();
  await check(false)
    .getByText(/description/)
    .waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Save draft" }).click();
  await dialog()
    .getByRole("alert")
    .getByText(/lower-case letters/)
    .waitFor();
});

test("what a skill says is shown as it reads and as it was written, and no markup in it comes alive", async () => {
  const body = [
    "# Greeting",
    "",
    "Say **hello**, see [the site](https://example.com) and [not this](javascript:alert(1)).",
    "",
    "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>",
    "",
    "![remote](https://tracker.example/pixel.png)",
    "",
    "| a | b |\n|---|---|\n| 1 | 2 |",
  ].join("\n");
  await dialog().getByLabel("SKILL.md").fill(skillText("greet", body));
  await check(true).getByText("Once shared it can be pinned").waitFor();
  await dialog().getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("heading", { name: "greet", level: 1 }).waitFor();
  await pinnability("PERSONAL_SKILL")
    .getByText(/It is a draft/)
    .waitFor();
  const text = page.getByTestId("skill-text");
  await text.getByRole("heading", { name: "Greeting" }).waitFor();
  await text.getByRole("cell", { name: "2" }).waitFor();
  await expect.poll(() => text.locator("img, script").count()).toBe(0);
  await expect
    .poll(() => text.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))))
    .toEqual(["https://example.com"]);
  expect(await page.title()).not.toContain("taken");
  expect(await barriersOf(page)).toEqual([]);
  await page.getByText("Raw", { exact: true }).click();
  await text.getByText("name: greet").waitFor();
  await text.getByText(/<script>/).waitFor();
});

test("a skill is shared, edited with files beside it, and taken back", async () => {
  const act = async (item: string, confirm: string) => {
    await page.getByRole("button", { name: "Actions for greet" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await dialog().getByRole("button", { name: confirm }).click();
    await dialog().waitFor({ state: "detached" });
  };
  await act("Share with the project", "Share");
  await pinnability("ok").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("It is shared").waitFor();
  await page
    .getByLabel("Add files: file")
    .setInputFiles([file("words.md", "Hello, hi"), file("logo.bin", "\0\x01")]);
  await page.getByRole("list", { name: "Supporting files" }).getByText("words.md").waitFor();
  await check(true).getByText("cannot be pinned").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await pinnability("SUPPORTING_FILES").waitFor();
  await page.getByText("words.md").click();
  await page.getByText("Hello, hi").waitFor();
  await act("Stop sharing", "Stop sharing");
  await pinnability("PERSONAL_SKILL").waitFor();
  await page.getByRole("link", { name: "Skills" }).click();
  await page.getByRole("row", { name: /greet.*Your draft.*Cannot be pinned/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("two who edit one skill lose nothing: whoever comes second chooses file by file", async () => {
  await page.getByRole("link", { name: "greet" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("SKILL.md").fill(skillText("greet", "Mine."));
  await page.reload();
  await page.getByText("Not saved yet.").waitFor();
  const path = new URL(page.url()).pathname.replace(/^\/p\/(.*)\/edit$/, "/app/projects/$1");
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const theirs = { "SKILL.md": base64(skillText("greet", "Theirs.")), "words.md": base64("Good day") };
  const headers = { "x-fettle-app": "1" };
  await opened.context.request.put(deployment.url + path, { headers, data: { files: theirs } });
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const side = (field: string) => dialog().locator(`[data-field='${field}']`).getAttribute("data-side");
  await dialog().getByText("Mine.").waitFor();
  await expect.poll(() => Promise.all([side("SKILL.md"), side("words.md")])).toEqual(["mine", "theirs"]);
  expect(await barriersOf(page, "[role=dialog]")).toEqual([]);
  await dialog().getByRole("button", { name: "Save merged" }).click();
  await page.getByTestId("skill-text").getByText("Mine.").waitFor();
  await page.getByText("words.md").click();
  await page.getByText("Good day").waitFor();
});

test("a plugin's bundle becomes a version, and a broken one says every reason", async () => {
  await page.goto(`${project}/plugins?do=new`);
  const pick = (files: Record<string, string>) =>
    page.getByLabel("Bundle: file").setInputFiles({
      name: "bundle.zip",
      mimeType: "application/zip",
      buffer: Buffer.from(zip(Object.entries(files).map(([name, text]) => ({ name, text })))),
    });
  await page.getByLabel("Bundle: file").setInputFiles(file("bundle.zip", "no archive"));
  await dialog()
    .getByText(/damaged or is no zip/)
    .waitFor();
  const good = {
    "shop/.claude-plugin/plugin.json": JSON.stringify({
      name: "shop",
      version: "1.0.0",
      description: "Sells things",
    }),
    "shop/skills/sell/SKILL.md": skillText("sell", "Sell it."),
    "shop/.mcp.json": JSON.stringify({
      mcpServers: { till: { type: "http", url: "https://till.example/mcp" } },
    }),
    "shop/hooks/run.sh": "echo never run",
  };
  await pick(good);
  await dialog().getByText("skills/sell/SKILL.md").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Upload" }).click();
  const version = (status: string) => page.locator(`[data-testid=plugin-version][data-status=${status}]`);
  await version("ready").getByText("Active", { exact: true }).waitFor();
  await version("ready").getByText("hooks").waitFor();
  await version("ready").getByRole("link", { name: "till" }).waitFor();

  await page.getByRole("button", { name: "Upload version" }).click();
  await pick({
    ...good,
    "shop/.claude-plugin/plugin.json": JSON.stringify({ name: "shop", version: "2.0.0" }),
    "shop/skills/sell/SKILL.md": skillText("other", "x"),
  });
  await dialog().getByRole("button", { name: "Upload" }).click();
  await version("invalid")
    .getByText(/skills\/sell/)
    .waitFor();
  await expect.poll(() => version("ready").getAttribute("data-active")).toBe("true");
  expect(await barriersOf(page)).toEqual([]);
  await version("ready").getByRole("link", { name: "sell" }).click();
  await pinnability("PLUGIN_COMPONENT").waitFor();
  await page.goBack();
});

test("a plugin is disabled, enabled, made active again and uninstalled", async () => {
  const state = (enabled: boolean) => page.locator(`[data-testid=plugin-state][data-enabled=${enabled}]`);
  await page.getByRole("button", { name: "Disable" }).click();
  await state(false).waitFor();
  await page.getByRole("button", { name: "Enable" }).click();
  await state(true).waitFor();
  await page.getByRole("button", { name: "Uninstall" }).click();
  await dialog().getByLabel("Name of the plugin").fill("shop");
  await dialog().getByRole("button", { name: "Uninstall plugin" }).click();
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.goto(`${project}/plugins/plg_missing`);
  await page.locator("[data-testid=state][data-state=gone]").waitFor();
});
