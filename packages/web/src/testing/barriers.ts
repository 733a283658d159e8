/** @module What stands in someone's way on the page as it is now. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** In both themes; the page is left in the light one. `within` looks at one part of it alone, which is quicker. */
export async function barriersOf(page: Page, within = "html"): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Open layers stand outside the landmarks on purpose: everything else is hidden while they are open.
    const { violations } = await new AxeBuilder({ page }).include(within).disableRules(["region"]).analyze();
    found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id} ${nodes[0]?.html}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
