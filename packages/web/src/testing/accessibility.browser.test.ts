import { apiRoutes, appRoutes } from "@fettle/contract";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { addressOf, pages } from "../pages/pages.ts";
import { barriersOf, pageBarriersOf } from "./barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "./browser.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let browser: Browser;
let deployment: Deployment;
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
let places: Record<string, string>;

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  const { page, context } = await openPage(browser);
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  cookies = await context.cookies();
  const pid = deployment.projectId!;
  const headers = { "x-fettle-app": "1" };
  const saved = await context.request.get(`${deployment.url}/api/v1/projects/${pid}/servers`, { headers });
  const sid = (await saved.json()).items[0].id;
  const make = async (path: string, data: object) => {
    const made = await context.request.post(deployment.url + path, { headers, data });
    return made.json();
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const text = "---\nname: greet\ndescription: Greets\n---\n\n# Greet\n\n```\nhello\n```\n";
  const group = await make(`/api/v1/projects/${pid}/server-groups`, { name: "All", serverIds: [sid] });
  const skill = await make(`/app/projects/${pid}/skills`, { files: { "SKILL.md": base64(text) } });
  const version = await make(`/app/projects/${pid}/plugins`, {
    files: { "plugin.json": base64('{"name":"shop"}'), "skills/greet/SKILL.md": base64(text) },
  });
  const image = await make(`/api/v1/projects/${pid}/images`, {
    name: "Desk",
    blueprint: `base: debian@sha256:${"0".repeat(64)}\n`,
  });
  const config = { modelId: "fettle/rules-1", serverIds: [sid] };
  const client = await make(`/api/v1/projects/${pid}/clients`, { name: "Reader", config });
  const environment = await make(`/api/v1/projects/${pid}/environments`, {
    name: "Nightly",
    hostId: client.id,
  });
  const run = await make(`/api/v1/projects/${pid}/conformance-ingest/runs/start`, {
    target: { kind: "server", serverId: sid },
    source: "cli",
    requestedSuites: ["protocol"],
  });
  const graded = await make(`/api/v1/projects/${pid}/servers/${sid}/readiness-runs/claude`, {});
  const { suiteId: suid } = await make(`/api/v1/projects/${pid}/eval-suites`, {
    name: "Desk",
    serverIds: [sid],
    model: "fettle/rules-1",
    tests: [{ title: "Asks", steps: [{ id: "ask", kind: "prompt", prompt: "Search books for tin" }] }],
  });
  await context.request.patch(`${deployment.url}/api/v1/projects/${pid}/eval-suites/${suid}`, {
    headers,
    data: { environmentIds: [environment.id] },
  });
  const { runId: erid } = await make(`/api/v1/projects/${pid}/eval-runs`, { suiteId: suid });
  const { sessionId: chat } = await make("/api/v1/chat-sessions/messages", {
    projectId: pid,
    idempotencyKey: "walk",
    message: "Search for books about planets",
    modelId: "fettle/rules-1",
    serverIds: [sid],
  });
  const published = await context.request.put(
    `${deployment.url}/api/v1/projects/${pid}/environments/${environment.id}/scenario`,
    { headers, data: { mode: "anyone_with_link" } },
  );
  const scenario = await published.json();
  const link = new URL(scenario.link).pathname.slice("/t/".length);
  await make("/app/visits", { linkToken: link });
  const visit = `/app/visits/${scenario.id}`;
  await make(`${visit}/consent`, { agrees: true });
  const { sessionId: vsid } = await make(`${visit}/sessions`, {});
  const said = { idempotencyKey: "walk", message: "Search for books about planets" };
  await context.request.post(`${deployment.url}${visit}/sessions/${vsid}/messages`, { headers, data: said });
  const project = `/api/v1/projects/${pid}`;
  const budget = { sessionsPerTarget: 2, maxTurns: 2 };
  const persona = await make(`${project}/personas`, { name: "Ida", role: "Browses" });
  const swarm = await make(`${project}/swarms`, { name: "Readers", ...budget });
  const journey = await make(`${project}/journeys`, {
    goal: "Search books about harbour",
    personaId: persona.id,
    swarmId: swarm.id,
    environmentIds: [environment.id],
    rubric: [{ id: "calm", predicate: { type: "noToolErrors" } }],
    ...budget,
  });
  await make(`${project}/journeys/${journey.id}/runs`, {});
  const { id: jrid } = await make(`${project}/journeys/${journey.id}/runs`, { waveId: "walk" });
  const found = await context.request.get(`${deployment.url}/app/projects/${pid}/findings`, { headers });
  const [finding] = (await found.json()).items;
  const server = `/api/v1/projects/${pid}/servers/${sid}`;
  await make(`${server}/tools/call`, { toolName: "search_books", parameters: { query: "tin" } });
  const past = await context.request.get(`${deployment.url}${server}/history`, { headers });
  places = {
    org: deployment.organizationId!,
    pid,
    sid,
    hid: (await past.json()).items[0].id,
    gid: group.id,
    kid: skill.id,
    plid: version.pluginId,
    iid: image.id,
    cid: client.id,
    eid: environment.id,
    rid: run.runId,
    rdid: graded.runId,
    suid,
    erid,
    egid: (
      await make(`/api/v1/projects/${pid}/eval-run-groups`, {
        suiteId: suid,
        targets: [{ environmentId: environment.id }],
      })
    ).runGroupId,
    chat,
    scid: scenario.id,
    link,
    vsid,
    peid: persona.id,
    swid: swarm.id,
    jid: journey.id,
    jrid,
    wid: "walk",
    fam: finding?.family.id ?? suid,
    fid: finding?.id ?? "rf_0000000000000000",
  };
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await deployment.stop();
});

/** What the shell reads for its side bar and bread crumbs. */
const shellReads = ["getBootstrap", "getProject", "listProjects"];

const routes = Object.entries({ ...apiRoutes, ...appRoutes }).map(([id, route]) => {
  const [method, path] = route.split(" ");
  const shape = path!.replace(/\{\w+\}/g, "[^/]+");
  return { id, method, shape: new RegExp(`^/(api/v1|app)${shape}$`) };
});

/** The ids of the operations that the next page calls during this test, as it calls them. */
function operationsAsked(page: Page): Set<string> {
  const asked = new Set<string>();
  // Until the next page is there, the one before may still ask.
  page.once("framenavigated", () => asked.clear());
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    const found = routes.filter(({ method, shape }) => method === request.method() && shape.test(pathname));
    // Where two fit, the one with fewer places to fill in is meant.
    const [meant] = found.toSorted((a, b) => a.shape.source.length - b.shape.source.length);
    if (meant) asked.add(meant.id);
  };
  page.on("request", note);
  onTestFinished(() => void page.off("request", note));
  return asked;
}

/** One visitor for all pages: each is loaded anew, and a window of its own for each would cost more than the page does. */
let visitor: Watched;
beforeAll(async () => {
  visitor = await openPage(browser);
  await visitor.context.addCookies(cookies);
});
afterAll(() => visitor[Symbol.asyncDispose]());

async function load(page: Page, address: string): Promise<void> {
  await page.goto(deployment.url + address);
  await ready(page);
  await page.locator("[data-state=loading]").first().waitFor({ state: "detached" });
}

/** How far one can scroll past the end of what stands there. */
function emptyBelow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector("main");
    if (!main) return 0;
    const ends = [...main.children].map((child) => child.getBoundingClientRect().bottom);
    const end = Math.max(...ends) - main.getBoundingClientRect().top + main.scrollTop;
    return main.scrollHeight - Math.max(end, main.clientHeight);
  });
}

test.each(pages.filter(({ id }) => id !== "login").map((page) => [page.id, page] as const))(
  "%s has no barrier, in light and dark, wide and narrow, and asks for what it declares to read and nothing else",
  async (_, declared) => {
    const { page, troubles } = visitor;
    const asked = operationsAsked(page);
    await load(page, addressOf(declared, places));
    expect(await pageBarriersOf(page)).toEqual([]);
    const said: readonly string[] = [...declared.reads, ...shellReads];
    expect([...asked].filter((id) => !said.includes(id))).toEqual([]);
    await expect.poll(() => emptyBelow(page)).toBeLessThan(2);
    expect(troubles.splice(0)).toEqual([]);
  },
);

// Someone signed in has no business there and is sent on.
test("login has no barrier, in light and dark, wide and narrow", async () => {
  await using opened = await openPage(browser);
  await load(opened.page, "/login");
  expect(await pageBarriersOf(opened.page)).toEqual([]);
});

test("open dialogs, menus and the palette have no serious barrier either", async () => {
  await using opened = await openPage(browser);
  const { page, context } = opened;
  await context.addCookies(cookies);
  const barriers: string[] = [];
  const layers: [string, string][] = [
    ["/account/keys?do=new", "[role=dialog]"],
    [`/o/${places.org}?do=new`, "[role=dialog]"],
    [`/o/${places.org}/settings/members?do=new`, "[role=dialog]"],
    [`/p/${places.pid}/clients?do=new`, "[role=dialog]"],
    [`/p/${places.pid}/environments?do=new`, "[role=dialog] fieldset"],
    [`/p/${places.pid}/images?do=new`, "[data-testid=blueprint-lint][data-state=ok]"],
    [`/p/${places.pid}/swarms/journeys?do=new`, "[role=dialog] fieldset"],
  ];
  const look = async (name: string) => {
    barriers.push(...(await barriersOf(page)).map((barrier) => `${name}: ${barrier}`));
  };
  for (const [path, layer] of layers) {
    await page.goto(deployment.url + path);
    // Parts of a layer come with the answers they wait for: one of them, or all at once.
    await page.locator(layer).first().waitFor();
    await page.locator("[data-state=loading]").first().waitFor({ state: "detached" });
    await look(path);
  }
  await page.goto(`${deployment.url}/account/profile`);
  await ready(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("listbox").waitFor();
  await look("palette");
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await look("keys");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menu").waitFor();
  await look("account menu");
  expect(barriers).toEqual([]);
});
