/** @module A widget's policy side by side: what it declares, what is granted, and what the browser refused it all the same. Pure. */
import type { RenderedWidget, WidgetRefusals } from "@fettle/contract";

type Policy = RenderedWidget["policy"];
type List = Policy["dropped"][number]["list"];

export interface PolicyRow {
  list: List;
  declared: string[];
  granted: string[];
  refused: string[];
}

/** Which list would have to name what a directive refused; scripts, pictures and the like are all resources. */
const listOf: Record<string, List> = { "connect-src": "connect", "frame-src": "frame", "base-uri": "base" };

export function policyRows({ granted, dropped }: Policy, refusals: WidgetRefusals["items"]): PolicyRow[] {
  const lists = { ...granted.sources, permissions: granted.permissions };
  return (Object.keys(lists) as List[]).map((list) => ({
    list,
    declared: unique([
      ...lists[list],
      ...dropped.filter((each) => each.list === list).map(({ entry }) => entry),
    ]),
    granted: unique(lists[list]),
    refused: unique(
      refusals
        .filter(({ directive }) => (listOf[directive] ?? "resource") === list)
        .map(({ directive, blocked }) => `${directive} ${blocked}`),
    ),
  }));
}

/** No declaration of MCP Apps can ask for it, so it is the document that has to do without. */
export const evaluatesCode = (refusals: WidgetRefusals["items"]): boolean =>
  refusals.some(({ blocked }) => blocked === "eval" || blocked === "wasm-eval");

const unique = (texts: readonly string[]) => [...new Set(texts)];
