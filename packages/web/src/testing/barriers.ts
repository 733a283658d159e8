/** @module What stands in someone's way on the page as it is now. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What its builder for Playwright says of the script. */
type Options = Parameters<AxeBuilder["options"]>[0];
type Axe = { run: (within: string, options: Options) => ReturnType<AxeBuilder["analyze"]> };

// The builder's own dependency.
const { resolve } = createRequire(import.meta.resolve("@axe-core/playwright"));
const source = readFileSync(resolve("axe-core/axe.min.js"), "utf8");

/** What another theme, or another width, can change. Nothing else is looked at twice. */
const themeRules = ["color-contrast", "link-in-text-block"];
const widthRules = ["scrollable-region-focusable", "target-size", "region"];
const narrow = 320;

/** What stands while something is still being drawn stands in nobody's way: it is looked at once more. */
async function lasting(page: Page, find: () => Promise<string[]>): Promise<string[]> {
  const found = await find();
  if (found.length === 0) return found;
  await page.waitForTimeout(2_000);
  return find();
}

/** Contrast is half of what a look costs: where nothing else is said, only the long run looks for it. */
const isEveryLookWanted = process.env.FETTLE_TEST_LOOKS === "all";

/** In the light theme. `within` looks at one part of the page alone, which is quicker. */
export function barriersOf(page: Page, within?: string): Promise<string[]> {
  if (isEveryLookWanted) return barriersInBothThemes(page, within);
  return lasting(page, () => look(page, { rules: off("region", ...themeRules) }, within));
}

/** The page is left in the light one. */
export function barriersInBothThemes(page: Page, within?: string): Promise<string[]> {
  return lasting(page, async () => [
    // Open layers stand outside the landmarks on purpose: everything else is hidden while they are open.
    ...(await look(page, { rules: off("region") }, within)),
    ...(await inTheDark(page, () => look(page, { runOnly: themeRules }, within))),
  ]);
}

const off = (...rules: string[]) => Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]));

/**
 * Of a page with nothing open over it: its landmarks too, and whether it fits a narrow screen.
 *
 * @param looks how much of what another theme or width can change: nothing, contrast in the light theme, or everything
 */
export function pageBarriersOf(page: Page, looks: "few" | "light" | "all" = "few"): Promise<string[]> {
  const isWhole = isEveryLookWanted || looks === "all";
  return lasting(page, async () => [
    ...(await look(page, isWhole || looks === "light" ? {} : { rules: off(...themeRules) })),
    ...(isEveryLookWanted ? await inTheDark(page, () => look(page, { runOnly: themeRules })) : []),
    ...(isWhole
      ? await inTheDark(page, () =>
          whenNarrow(page, () => look(page, { runOnly: [...themeRules, ...widthRules] })),
        )
      : await whenNarrow(page, async () => [])),
  ]);
}

async function whenNarrow(page: Page, find: () => Promise<string[]>): Promise<string[]> {
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: narrow, height: wide.height });
  // Pages measure themselves anew as they are drawn.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const found = await find();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > narrow) found.push(`${width} px wide on a screen of ${narrow}`);
  await page.setViewportSize(wide);
  return found;
}

async function inTheDark(page: Page, find: () => Promise<string[]>): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await find();
  await page.emulateMedia({ colorScheme: "light" });
  return found.map((barrier) => `in the dark: ${barrier}`);
}

/**
 * By the script itself: the builder carries what is right home as well, which cost as much as the looking. What stands in a
 * frame is a page of its own, which the script is not brought to.
 */
async function look(page: Page, options: Options = {}, within = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(
    async ({ within, options }) => {
      // Brought just above, which no type knows.
      const { axe } = window as typeof window & { axe: Axe };
      const { violations } = await axe.run(within, options);
      return violations.map(({ id, impact, nodes }) => `${impact} ${id} at ${nodes[0]?.html}`);
    },
    { within, options: { resultTypes: ["violations"], iframes: false, ...options } satisfies Options },
  );
}
