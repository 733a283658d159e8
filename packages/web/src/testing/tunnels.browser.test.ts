import { answerJson, connectHost } from "@fettle/service/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { barriersOf } from "./barriers.ts";
import { launchBrowser, openPage, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let opened: Watched;
let page: Page;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  opened = await openPage(browser, { colorScheme: "light" });
  page = opened.page;
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  await page.goto(`${deployment.url}/p/${deployment.projectId}/tunnels`);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await browser.close();
  await deployment.stop();
});

async function openTunnel(name: string) {
  const response = await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}/tunnels`, {
    method: "POST",
    headers: { authorization: `Bearer ${deployment.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  return (await response.json()) as Parameters<typeof connectHost>[0] & { serverId: string; url: string };
}
const state = (name: string) => page.locator(`[data-testid=tunnel-state][data-state=${name}]`);

test("a project without tunnels says how one is opened", async () => {
  await page.locator("[data-testid=state][data-state=empty]").waitFor();
  await page.getByText("fettle cloud tunnel --server my-server").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

test("a tunnel shows whether its machine is connected, here and on its server's page, and is closed for good", async () => {
  const grant = await openTunnel("On my desk");
  await state("offline").waitFor();
  const host = await connectHost(grant, answerJson({}));
  await state("connected").waitFor();
  expect(await page.content()).not.toContain(new URL(grant.url).searchParams.get("k"));
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("link", { name: "On my desk" }).click();
  await page.getByRole("heading", { name: "Tunnel", exact: true }).waitFor();
  await state("connected").waitFor();
  host.close();
  await state("offline").waitFor();
  await page.getByText("fettle cloud tunnel --server 'On my desk'").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Close the tunnel of On my desk" }).click();
  await page.getByRole("button", { name: "Close tunnel" }).click();
  await state("closed").waitFor();
  const dead = await fetch(grant.url, { method: "POST" });
  expect([dead.status, (await dead.json()).details.reason]).toEqual([502, "TUNNEL_CLOSED"]);
});

test("a pasted command waits for its tunnel, and its page is there as soon as that connects", async () => {
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers?do=new`);
  await page
    .getByRole("textbox", { name: "Address" })
    .fill("API_KEY=canary-env npx -y @acme/shelf --verbose");
  await page
    .getByText(`fettle cloud tunnel --server shelf -e API_KEY="$API_KEY" -- npx -y @acme/shelf --verbose`)
    .waitFor();
  await page.locator("[data-testid=local-server][data-state=waiting]").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  const grant = await openTunnel("shelf");
  const host = await connectHost(grant, answerJson({}));
  await page.waitForURL(new RegExp(`${grant.serverId}/overview$`));
  await state("connected").waitFor();
  await page.getByTestId("doctor").waitFor();
  expect(await page.content()).not.toContain("canary-env");
  host.close();
  await state("offline").waitFor();
  await expect.poll(() => page.getByTestId("doctor").count()).toBe(0);
  const again = await connectHost(await openTunnel("shelf"), answerJson({}));
  await state("connected").waitFor();
  await page.getByTestId("doctor").waitFor();
  again.close();
});

test("a server that is a command says which command brings it here, and is not examined in vain", async () => {
  const response = await fetch(`${deployment.url}/api/v1/projects/${deployment.projectId}/servers`, {
    method: "POST",
    headers: { authorization: `Bearer ${deployment.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "files", transportType: "stdio", command: "npx" }),
  });
  const { id } = (await response.json()) as { id: string };
  await page.goto(`${deployment.url}/p/${deployment.projectId}/servers/${id}/overview`);
  await page.getByText("fettle cloud tunnel --server files -- <command> <arguments>").waitFor();
  await expect.poll(() => page.getByText("Could not load").count()).toBe(0);
  expect(await barriersOf(page)).toEqual([]);
});
