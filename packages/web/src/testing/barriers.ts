/** @module What stands in someone's way on the page as it is now. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

// The builder's own dependency.
const { resolve } = createRequire(import.meta.resolve("@axe-core/playwright"));
const source = readFileSync(resolve("axe-core/axe.min.js"), "utf8");

/** What another theme, or another width, can change. Nothing else is looked at twice. */
const themeRules = ["color-contrast", "link-in-text-block"];
const widthRules = ["scrollable-region-focusable", "target-size", "region"];
const narrow = 320;

/** In both themes; the page is left in the light one. `within` looks at one part of it alone, which is quicker. */
export async function barriersOf(page: Page, within?: string): Promise<string[]> {
  // Open layers stand outside the landmarks on purpose: everything else is hidden while they are open.
  const found = await look(page, { rules: { region: { enabled: false } } }, within);
  found.push(...(await barriersInTheDark(page, within)));
  return found;
}

/** Of a page with nothing open over it: its landmarks too, in both themes, and on a narrow screen. */
export async function pageBarriersOf(page: Page): Promise<string[]> {
  const wide = page.viewportSize()!;
  const found = await look(page);
  found.push(...(await barriersInTheDark(page)));
  await page.setViewportSize({ width: narrow, height: wide.height });
  found.push(...(await look(page, { runOnly: widthRules })));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > narrow) found.push(`${width} px wide on a screen of ${narrow}`);
  await page.setViewportSize(wide);
  return found;
}

async function barriersInTheDark(page: Page, within?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await look(page, { runOnly: themeRules }, within);
  await page.emulateMedia({ colorScheme: "light" });
  return found.map((barrier) => `in the dark: ${barrier}`);
}

/**
 * Left to itself, the builder brings its script twice for each look, ends in a window of its own, and describes what is
 * right as well: six times what the looking costs.
 */
async function look(
  page: Page,
  options: Parameters<AxeBuilder["options"]>[0] = {},
  within = "html",
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const builder = new AxeBuilder({ page, axeSource: "'is there'" }).setLegacyMode().include(within);
  const { violations } = await builder.options({ resultTypes: ["violations"], ...options }).analyze();
  return violations.map(({ id, impact, nodes }) => `${impact} ${id} at ${nodes[0]?.html}`);
}
