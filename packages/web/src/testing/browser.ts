/** @module A real Chromium for tests. Every page it opens is watched: script errors and policy violations fail the test. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect } from "vitest";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // As people's browsers have it: a frame that is sandboxed is of another process than the page around it.
  "--site-per-process",
  // The last two turn on the header that blocks WebRTC in a Chromium where it is still a trial.
  "--enable-features=IsolateSandboxedIframes,ConnectionAllowlists,OverrideConnectionAllowlistOriginTrial",
  `--disable-features=${[
    // Two pages of the browser's own for each window, which cost more than the window.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    // The browser heeds the last such list alone: these Playwright turns off, because pages behave otherwise with them.
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
  ]}`,
];

let running: Promise<Browser> | undefined;

/**
 * One browser for all files that a worker runs, because each start costs more than a short file's pages. To close it ends the
 * windows that are open, which are the file's own; the browser itself ends with the worker.
 */
export function launchBrowser(): Promise<Browser> {
  running ??= start();
  return running;
}

/** One that does not start, or crashes later, is the trouble of the file where that happens, not of the next. */
async function start(): Promise<Browser> {
  const forget = () => {
    running = undefined;
  };
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const launching = chromium.launch({ executablePath, args: flags });
  launching.catch(forget);
  const browser = await launching;
  browser.once("disconnected", forget);
  browser.close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Watched {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the page so far. */
  troubles: string[];
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** A fresh profile with one page. Leaving it fails the test if anything went wrong in the page. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  // Below the test's own limit, so that a failure names the step that waited.
  context.setDefaultTimeout(60_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // The browser reports every refused request as an error of its own; refusals are what some tests are about.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) troubles.push(message.text());
  });
  return {
    context,
    page,
    troubles,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(troubles).toEqual([]);
    },
  };
}

/** Presses Tab, as a person without a mouse would, until the element has the focus. */
export async function tabTo(target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const page = target.page();
  await target.waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

/** Waits for the page to be usable. */
export async function ready(page: Page): Promise<void> {
  await page.locator("[data-testid=app][data-ready=true]").waitFor();
  await page.locator("h1").waitFor();
}

/** Holds the page's next write to a path of its project back until something else has happened. What the page reads meanwhile passes. */
export async function beforeNextWrite(
  page: Page,
  path: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  let written = false;
  await page.route(`**/api/v1/projects/*${path}`, async (route) => {
    if (written || route.request().method() === "GET") return route.fallback();
    written = true;
    await happens();
    return route.continue();
  });
}
