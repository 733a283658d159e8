/** @module What stands in someone's way on the page as it is now. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** In both themes; the page is left in the light one. */
export async function barriersOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Open layers stand outside the landmarks on purpose: everything else is hidden while they are open.
    const { violations } = await new AxeBuilder({ page }).disableRules(["region"]).analyze();
    found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id} ${nodes[0]?.html}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
