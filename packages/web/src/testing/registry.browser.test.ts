import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

const folder = mkdtempSync(join(tmpdir(), "fettle-registry-"));
const file = join(folder, "servers.json");
let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;

const servers = [
  {
    name: "com.example/tenant",
    title: "Tenant <img src=x onerror=alert(1)>",
    description: "One for each customer.",
    websiteUrl: "javascript:alert(1)",
    remotes: [
      {
        type: "streamable-http",
        url: "https://{tenant}.example.com/mcp",
        variables: { tenant: { description: "Your company", isRequired: true } },
        headers: [{ name: "X-Api-Key", isRequired: true, isSecret: true }],
      },
    ],
  },
  {
    name: "com.example/package",
    description: "Runs on your machine.",
    packages: [
      {
        registryType: "npm",
        identifier: "@example/mcp; rm -rf /",
        version: "1.0.0",
        transport: { type: "stdio" },
      },
    ],
  },
];

beforeAll(async () => {
  writeFileSync(file, JSON.stringify({ servers: servers.map((server) => ({ server })) }));
  [browser, deployment] = await Promise.all([
    launchBrowser(),
    startDeployment({ sample: true, env: { FETTLE_REGISTRY_FILE: file } }),
  ]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/registry`);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a package leads to the command of a tunnel, with a stranger's words quoted", async () => {
  await page.getByRole("button", { name: "Bookshop" }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("searchbox", { name: "Search servers" }).fill("package");
  await page.getByRole("button", { name: "com.example/package" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText("fettle cloud tunnel --server package -- npx -y '@example/mcp; rm -rf /@1.0.0'")
    .waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).last().click();
});

test("a tenant's own address and headers are filled in, and the server is saved", async () => {
  await page.getByRole("searchbox", { name: "Search servers" }).fill("customer");
  await page.getByRole("button", { name: "Tenant <img src=x onerror=alert(1)>" }).click();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.getByRole("link").count()).toBe(0);
  await dialog.getByLabel("tenant", { exact: true }).fill("acme");
  await dialog.getByLabel("X-Api-Key").fill("canary");
  await dialog.getByLabel("Name").fill("Acme");
  await dialog.getByText("https://acme.example.com/mcp").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Install" }).click();
  await page.waitForURL(/\/servers\/srv_/);
  await page.getByRole("heading", { name: "Acme", exact: true }).waitFor();
  await page.goBack();
  await page.getByText("Installed", { exact: true }).waitFor();
});
