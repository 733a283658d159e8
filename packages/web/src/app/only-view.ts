/** @module The view of a page, from the module that is named by the page and exports nothing else. */
import { must } from "@fettle/contract/formats";

export async function onlyView<View>(
  load: (() => Promise<Record<string, View>>) | undefined,
): Promise<{ default: View }> {
  const [view] = Object.values(await must(load, "a module for each page")());
  return { default: must(view, "a view in the module of each page") };
}
