/** @module Which checks of a suite a run is about. A name that is no check's is refused before anything is touched. */
import { McpError } from "@fettle/mcp";

export interface Selection<Category extends string> {
  categories?: readonly Category[] | undefined;
  /** Wins over categories. */
  checkIds?: readonly string[] | undefined;
}

export function selectChecks<Category extends string, Listed extends { id: string; category: Category }>(
  checks: readonly Listed[],
  { checkIds = [], categories = [] }: Selection<Category>,
): Listed[] {
  const known = checks.map(({ id }) => id);
  const unknown = checkIds.filter((id) => !known.includes(id));
  const [first] = unknown;
  if (first !== undefined) {
    throw new McpError("BAD_OPTION", `No check is called ${unknown.map((id) => `"${id}"`).join(", ")}.`, {
      hint: "See all with `fettle explain`.",
      details: { unknown: first, known },
    });
  }
  if (checkIds.length > 0) return checks.filter(({ id }) => checkIds.includes(id));
  return checks.filter(({ category }) => categories.length === 0 || categories.includes(category));
}
