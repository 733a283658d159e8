import { apiRoutes, appRoutes } from "@fettle/contract/client";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { PageDeclaration } from "../../pages/page.ts";
import { addressOf, pages, parametersOf } from "../../pages/pages.ts";
import { barriersInBothThemes, pageBarriersOf } from "../barriers.ts";
import { launchBrowser, openPage, ready, type Watched } from "../browser.ts";
import { type Deployment, startDeployment } from "../deployment.ts";
import { makePlaces, type Places } from "./places.ts";

let browser: Browser;
let deployment: Deployment;
let cookies: Places["cookies"];
let places: Places["places"];

beforeAll(async () => {
  [browser, deployment] = await Promise.all([launchBrowser(), startDeployment({ sample: true })]);
  ({ cookies, places } = await makePlaces(browser, deployment));
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

/** Pages about the same thing, such as one server or all of a project, are of one kind; one of each gets every look. */
const kindOf = (page: PageDeclaration) => parametersOf(page).at(-1) ?? page.area;
const firstOfKind = new Set(
  Map.groupBy(pages, kindOf)
    .values()
    .map(([first]) => first?.id),
);

test.each(pages.filter(({ id }) => id !== "login").map((page) => [page.id, page] as const))(
  "%s has no barrier, wide and narrow, and asks for what it declares to read and nothing else",
  async (_, declared) => {
    const { page, troubles } = visitor;
    const asked = operationsAsked(page);
    await load(page, addressOf(declared, places));
    expect(await pageBarriersOf(page, firstOfKind.has(declared.id) ? "all" : "light")).toEqual([]);
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
  expect(await pageBarriersOf(opened.page, "all")).toEqual([]);
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
    barriers.push(...(await barriersInBothThemes(page)).map((barrier) => `${name}: ${barrier}`));
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
