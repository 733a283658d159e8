import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiDocument } from "../document/api-document.ts";
import { openApiDocument } from "../document/openapi.ts";
import { operations } from "../operations/operations.ts";
import { apiReferencePage } from "./page.ts";
import { apiReferenceScript } from "./script.ts";
import { apiReferenceStyles } from "./styles.ts";

const addresses = { stylesheet: "/api.css", script: "/api.js", openApi: "/openapi.json" };
const { getMe, createProject, listHosts, createEvalRun, rotateScenarioLink, getUserTestingScenario } =
  operations;
const pages: Record<string, string> = {
  "/": apiReferencePage(apiDocument(), addresses),
  // Every kind of mark and field once: the checker looks at each element, and the whole page has ten thousand.
  "/sample": apiReferencePage(
    openApiDocument({
      operations: [
        getMe,
        createProject,
        listHosts,
        createEvalRun,
        rotateScenarioLink,
        getUserTestingScenario,
      ],
      resources: [],
    }),
    addresses,
  ),
};

// Served as the service does: nothing inline may run or paint.
const server = createServer((request, response) => {
  response.setHeader("content-security-policy", "default-src 'none'; style-src 'self'; script-src 'self'");
  if (request.url === "/api.css") response.setHeader("content-type", "text/css").end(apiReferenceStyles);
  else if (request.url === "/api.js")
    response.setHeader("content-type", "text/javascript").end(apiReferenceScript);
  else if (pages[request.url!]) response.setHeader("content-type", "text/html").end(pages[request.url!]);
  else response.writeHead(204).end();
});

let browser: Browser;
let address: string;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await browser?.close();
  server.close();
});

it("paints and jumps to an operation under a strict policy, without a complaint", async () => {
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on("console", (message) => complaints.push(message.text()));
  await tab.goto(`${address}#createProject`);
  const { y } = (await tab.locator("#createProject:target").boundingBox())!;
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(40);
  expect(complaints).toEqual([]);
  await tab.close();
});

it("finds operations as one types, leads back to the app, and looks as the app does", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  await context.addCookies([{ name: "fettle_theme", value: "dark", url: address }]);
  const tab = await context.newPage();
  await tab.goto(address);
  await tab.keyboard.press("/");
  await tab.keyboard.type("create project");
  const rows = tab.locator("nav details li:visible");
  await tab
    .getByRole("status")
    .getByText(/^\d+ found$/)
    .waitFor();
  expect(await rows.allTextContents()).toContain("POST createProject");
  expect(await rows.count()).toBeLessThan(40);
  await tab.getByRole("searchbox").fill("no such thing");
  await tab.getByText("Nothing matches.").waitFor();
  expect(await tab.evaluate("getComputedStyle(document.body).colorScheme")).toBe("dark");
  expect(await tab.getByRole("link", { name: "Back to Fettle" }).getAttribute("href")).toBe("/");
  await context.close();
});

it.each(["light", "dark"] as const)("is accessible in %s", async (colorScheme) => {
  // The checker is a script of its own, which the page's policy would refuse.
  const context = await browser.newContext({ colorScheme, bypassCSP: true });
  const tab = await context.newPage();
  await tab.goto(`${address}sample`);
  const { violations } = await new AxeBuilder({ page: tab }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  await context.close();
});

it("fits a narrow screen without sideways scrolling", async () => {
  const tab = await browser.newPage({ viewport: { width: 360, height: 800 } });
  await tab.goto(address);
  expect(await tab.locator("html").evaluate((root) => root.scrollWidth)).toBe(360);
  await tab.close();
});
