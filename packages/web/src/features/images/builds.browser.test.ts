import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  noEngine,
  startPodman,
  type TestEngine,
  type TestLayout,
  withEngine,
  writeLayout,
} from "../../../../service/src/testing/sandbox-images/podman.ts";
import { shellServer } from "../../../../service/src/testing/sandbox-images/shell-server.ts";
import { barriersOf } from "../../testing/barriers.ts";
import { launchBrowser, openPage, type Watched } from "../../testing/browser.ts";
import { type Deployment, startDeployment } from "../../testing/deployment.ts";

describe.skipIf(noEngine !== undefined)(`images and the computer ${withEngine}`, () => {
  let engine: TestEngine;
  let layout: TestLayout;
  let browser: Browser;
  let deployment: Deployment;
  let opened: Watched;
  let page: Page;
  let images: string;

  beforeAll(async () => {
    layout = writeLayout(mkdtempSync(join(tmpdir(), "fettle-layout-")));
    engine = await startPodman();
    const env = { FETTLE_SANDBOX_ENGINE: engine.socketPath, FETTLE_SANDBOX_LAYOUT: layout.folder };
    [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true, env })]);
    opened = await openPage(browser);
    page = opened.page;
    await page.goto(deployment.signInUrl);
    await page.waitForURL(/\/(p|o)\//);
    images = `${deployment.url}/p/${deployment.projectId}/images`;
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await browser?.close();
    await deployment?.stop();
    await engine?.stop();
    if (layout) rmSync(layout.folder, { recursive: true, force: true });
  });

  const dialog = () => page.getByRole("dialog");
  const blueprint = () => page.getByRole("textbox", { name: "Blueprint" });
  const newest = (status: string) =>
    page.locator(`li:first-child [data-testid=image-build][data-status=${status}]`);
  const computer = (status: string) => page.locator(`[data-testid=computer][data-status=${status}]`);
  const written = (...steps: string[]) =>
    [
      `base: debian@${layout.digest}`,
      "initialize:",
      ...steps.flatMap((run, at) => [`  - name: step ${at + 1}`, `    run: ${JSON.stringify(run)}`]),
      "",
    ].join("\n");

  test("without a computer the page says how one comes about, and warns of no engine", async () => {
    await page.goto(images);
    await page.getByText("You have none yet").waitFor();
    await expect.poll(() => page.getByTestId("no-engine").count()).toBe(0);
  });

  test("a build is started from the page, and its log grows while it runs and follows its end", async () => {
    await page.goto(`${images}?do=new`);
    await dialog().getByLabel("Name").fill("Desk");
    // Goes on once the test has seen its log.
    const steps = [
      "seq 1 200; printf '\\033[31mred\\033[0m\\n'; while [ ! -e /tmp/go ]; do sleep 0.2; done",
      "echo done > /made",
    ];
    await blueprint().fill(written(...steps));
    await dialog().getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Nothing has been built of it yet.").waitFor();
    const use = page.getByRole("button", { name: "Use on my computer" });
    await expect.poll(() => use.getAttribute("aria-disabled")).toBe("true");
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await newest("building").waitFor();
    const log = page.getByTestId("build-log").first();
    await log.getByText("red").waitFor();
    await expect.poll(() => log.textContent()).not.toContain("\u001b");
    await expect
      .poll(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(9);
    expect(await barriersOf(page)).toEqual([]);

    engine.podman("exec", engine.podman("ps", "--quiet").trim(), "touch", "/tmp/go");
    await newest("ready").waitFor();
    await log.getByText("step 2").waitFor();
    await page.getByText(/, took /).waitFor();
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await page.getByText("The same was built before").waitFor();
  });

  test("an image boots the computer, and is used again only by typing its name, which wipes it", async () => {
    await page.getByRole("button", { name: "Use on my computer" }).click();
    await dialog().getByText("You have no computer in this project yet").waitFor();
    await dialog().getByRole("button", { name: "Boot computer" }).click();
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Images" }).first().click();
    await computer("ready").waitFor();
    await page.getByRole("region", { name: "Your computer" }).getByRole("link", { name: "Desk" }).click();
    await page.getByRole("button", { name: "Use on my computer" }).click();
    await dialog()
      .getByText(/gone for good/)
      .waitFor();
    await expect.poll(() => dialog().getByRole("button", { name: "Wipe and use" }).isDisabled()).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    await dialog().getByLabel("Name of the image").fill("Desk");
    await dialog().getByRole("button", { name: "Wipe and use" }).click();
    await dialog().waitFor({ state: "detached" });
  });

  test("a reset wipes what was on the computer", async () => {
    const running = () => engine.podman("ps", "--quiet").trim();
    const before = running();
    engine.podman("exec", before, "touch", "/mine");
    await page.goto(images);
    await computer("ready").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Reset" }).click();
    await dialog().getByLabel("Name of its image").fill("Desk");
    await dialog().getByRole("button", { name: "Reset computer" }).click();
    await dialog().waitFor({ state: "detached" });
    const after = running();
    expect(after).not.toBe(before);
    expect(engine.podman("exec", after, "sh", "-c", "ls /mine 2>/dev/null; cat /made")).toBe("done\n");
  });

  test("a build that fails says why, above its log", async () => {
    await page.getByRole("link", { name: "Desk" }).first().click();
    await blueprint().fill(written("echo before; exit 3"));
    const build = page.getByRole("button", { name: "Build", exact: true });
    await page.getByText("Not saved yet.").waitFor();
    await expect.poll(() => build.getAttribute("aria-disabled")).toBe("true");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("All saved.").waitFor();
    await build.click();
    await newest("failed").waitFor();
    await page.getByTestId("build-log").first().getByText("before").waitFor();
    await expect.poll(() => page.getByRole("list", { name: "Builds" }).getByRole("listitem").count()).toBe(2);
    expect(await barriersOf(page)).toEqual([]);
  });

  test("when its image is deleted, the computer is made of the base", async () => {
    await page.getByRole("button", { name: "Actions for Desk" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog().getByLabel("Name of the image").fill("Desk");
    await dialog().getByRole("button", { name: "Delete image" }).click();
    await computer("asleep").waitFor();
    await page.getByText("debian, its image is gone").waitFor();
  });

  test("a stdio server runs in the image that its page names, once that is shared, and is called from its page", async () => {
    const authorization = `Bearer ${deployment.apiKey}`;
    const make = async (path: string, data: object) => {
      const url = `${deployment.url}/api/v1/projects/${deployment.projectId}${path}`;
      return (await page.request.post(url, { headers: { authorization }, data })).json();
    };
    const image = await make("/images", { name: "Shell", blueprint: written("true") });
    await make(`/images/${image.id}/build`, {});
    const server = await make("/servers", {
      name: "Shell server",
      transportType: "stdio",
      command: "sh",
      args: ["-c", shellServer],
      env: { WHO: "canary-of-the-shell" },
    });
    await page.goto(`${images}/${image.id}`);
    await newest("ready").waitFor();
    const overview = `${deployment.url}/p/${deployment.projectId}/servers/${server.id}/overview`;
    await page.goto(overview);
    await page.getByText("Reached through a tunnel").waitFor();
    await make(`/images/${image.id}/promote`, {});
    await page.goto(overview);
    const panel = page.getByRole("region", { name: "Runs in an image" });
    await panel.getByLabel("Image").selectOption("Shell");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const at = `${deployment.url}/p/${deployment.projectId}/servers/${server.id}`;
    await page.goto(`${at}/settings`);
    await page.getByText("All saved.").waitFor();
    await page.getByLabel("Name").fill("Shell of the desk");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Shell of the desk" }).waitFor();
    await page.goto(`${at}/tools`);
    await page.getByText("who", { exact: true }).first().click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByTestId("tool-result").getByText("somebody in a container").waitFor();
    expect(await page.content()).not.toContain("canary-of-the-shell");
  });

  test("a pasted command is saved from the page, with its secret, and runs in the image that was chosen", async () => {
    const servers = `${deployment.url}/p/${deployment.projectId}/servers`;
    await page.goto(`${servers}?do=new`);
    await dialog().getByText("Command or mcp.json").click();
    const entry = { command: "sh", args: ["-c", shellServer], env: { WHO: "$SHELL_SECRET" } };
    await dialog()
      .getByLabel("Command or configuration")
      .fill(JSON.stringify({ mcpServers: { pasted: entry } }));
    const place = dialog().getByLabel("Where pasted runs");
    await place.selectOption("On a machine, through a tunnel");
    await dialog().locator("[data-testid=local-server][data-state=waiting]").waitFor();
    await place.selectOption("Here, in the image Shell");
    await dialog().getByText("Values of WHO are saved encrypted").waitFor();
    const save = dialog().getByRole("button", { name: "Save 1 server" });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await dialog().getByLabel("$SHELL_SECRET").fill("canary-of-the-page");
    expect(await barriersOf(page)).toEqual([]);
    await save.click();
    await page.getByRole("heading", { name: "pasted", level: 1 }).waitFor();
    const panel = page.getByRole("region", { name: "Runs in an image" });
    await expect.poll(() => panel.getByLabel("Image").locator(":checked").textContent()).toBe("Shell");
    await page.goto(page.url().replace(/overview$/, "tools"));
    await page.getByText("who", { exact: true }).first().click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByTestId("tool-result").getByText("somebody in a container").waitFor();
    expect(await page.content()).not.toContain("canary-of-the-page");

    await page.goto(servers);
    await page.getByText("A command, in the image Shell").first().waitFor();
    await page.goto(images);
    await page.getByText(/^Runs (?=.*pasted).*Shell of the desk/).waitFor();
  });

  test("sharing a second image names the servers that name none, and keeps them where they run", async () => {
    const headers = { authorization: `Bearer ${deployment.apiKey}` };
    const api = `${deployment.url}/api/v1/projects/${deployment.projectId}`;
    const data = { name: "Undecided", transportType: "stdio", command: "sh", args: ["-c", shellServer] };
    const { id } = await (await page.request.post(`${api}/servers`, { headers, data })).json();
    // It was given the only image; whoever takes that back leaves it open.
    await page.request.patch(`${api}/servers/${id}`, { headers, data: { sandboxImageId: null } });
    const draft = { name: "Second", blueprint: written("true") };
    const second = await (await page.request.post(`${api}/images`, { headers, data: draft })).json();
    await page.request.post(`${api}/images/${second.id}/build`, { headers });
    await page.goto(`${images}/${second.id}`);
    await newest("ready").waitFor();
    await page.getByTestId("image-servers").getByText("this is your draft").waitFor();
    await page.getByRole("button", { name: "Actions for Second" }).click();
    await page.getByRole("menuitem", { name: "Share with the project" }).click();
    const warning = dialog().getByTestId("unnamed-servers");
    await warning.getByRole("link", { name: "Undecided" }).waitFor();
    await expect.poll(() => warning.getByRole("link").count()).toBe(1);
    expect(await barriersOf(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Share", exact: true }).click();
    await dialog().waitFor({ state: "detached" });
    const tools = await page.request.post(`${api}/servers/${id}/tools`, { headers, data: {} });
    expect([tools.status(), (await tools.json()).items.length]).toEqual([200, 2]);
  });
});
