/** @module A widget's policy side by side: what it declares, what is granted, and what the browser refused it all the same. Pure. */
import { keysOf } from "@fettle/contract/core";
import type { RenderedWidget, WidgetRefusals } from "@fettle/contract/widgets";

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
  return keysOf(lists).map((list) => ({
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

/** The names that a resource's `_meta.ui.csp` has for the lists. */
const declaredAs = {
  connect: "connectDomains",
  resource: "resourceDomains",
  frame: "frameDomains",
  base: "baseUriDomains",
} as const;

/** What the resource would have to declare so that nothing of another origin were refused; nothing where no declaration would help. */
export function wholeDeclaration(
  { granted: { sources } }: Policy,
  refusals: WidgetRefusals["items"],
): { ui: { csp: Record<string, string[]> } } | undefined {
  const lists = keysOf(declaredAs).map((list) => {
    const granted = sources[list];
    const missing = refusals
      .filter(({ directive }) => (listOf[directive] ?? "resource") === list)
      .flatMap(({ blocked }) => originOf(blocked));
    return { name: declaredAs[list], granted, all: unique([...granted, ...missing]) };
  });
  if (lists.every(({ granted, all }) => all.length === unique(granted).length)) return undefined;
  const csp = lists.filter(({ all }) => all.length > 0).map(({ name, all }) => [name, all]);
  return { ui: { csp: Object.fromEntries(csp) } };
}

/** Of an address that a declaration may name: what is not encrypted is granted to nobody. */
function originOf(blocked: string): string[] {
  const url = URL.canParse(blocked) ? new URL(blocked) : undefined;
  return url && ["https:", "wss:"].includes(url.protocol) ? [`${url.protocol}//${url.host}`] : [];
}

/** No declaration of MCP Apps can ask for it, so it is the document that has to do without. */
export const evaluatesCode = (refusals: WidgetRefusals["items"]): boolean =>
  refusals.some(({ blocked }) => blocked === "eval" || blocked === "wasm-eval");

const unique = (texts: readonly string[]) => [...new Set(texts)];
