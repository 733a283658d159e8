/** @module What a widget's resource declares of itself, in both dialects, as one thing. Whatever a server wrote is read; what is wrong in it is for the policy to drop. Pure. */

/** Where a widget wants to reach: to connect, to load from, to frame, and to resolve addresses against. */
export const sourceLists = ["connect", "resource", "frame", "base"] as const;
export type SourceList = (typeof sourceLists)[number];

export const widgetPermissions = ["camera", "microphone", "geolocation", "clipboardWrite"] as const;
export type WidgetPermission = (typeof widgetPermissions)[number];

export interface WidgetDeclaration {
  /** As written; a list that is absent was not declared. */
  sources: Partial<Record<SourceList, readonly unknown[]>>;
  permissions: readonly string[];
  /** Wants an origin of its own, with storage. */
  domain?: string;
  prefersBorder?: boolean;
}

/** The member of each list: in MCP Apps (`_meta.ui.csp`), and in the Apps SDK (`openai/widgetCSP`). */
const members: Record<SourceList, readonly [standard: string, second: string | undefined]> = {
  connect: ["connectDomains", "connect_domains"],
  resource: ["resourceDomains", "resource_domains"],
  frame: ["frameDomains", "frame_domains"],
  base: ["baseUriDomains", undefined],
};

/**
 * From the `_meta` of what was read and of the entry in the list: the first says it, field by field, and the second where the first
 * is silent; the standard dialect before the other.
 *
 * @example
 * declaredWidget({ ui: { csp: { connectDomains: ["https://api.example.com"] } } }, undefined).sources.connect
 * // ["https://api.example.com"]
 */
export function declaredWidget(content: unknown, listed: unknown): WidgetDeclaration {
  const metas = [objectOf(content), objectOf(listed)];
  const uis = metas.map((meta) => objectOf(meta.ui));
  const standard = uis.map((ui) => objectOf(ui.csp));
  const second = metas.map((meta) => objectOf(meta["openai/widgetCSP"]));
  const sources: WidgetDeclaration["sources"] = {};
  for (const list of sourceLists) {
    const [inStandard, inSecond] = members[list];
    const said = [
      ...standard.map((csp) => csp[inStandard]),
      ...(inSecond ? second.map((csp) => csp[inSecond]) : []),
    ].find(Array.isArray);
    if (said) sources[list] = said;
  }
  const permissions = uis.map((ui) => ui.permissions).find((said) => isObject(said));
  const domain = firstOf("string", [
    ...uis.map((ui) => ui.domain),
    ...metas.map((meta) => meta["openai/widgetDomain"]),
  ]);
  const prefersBorder = firstOf("boolean", [
    ...uis.map((ui) => ui.prefersBorder),
    ...metas.map((meta) => meta["openai/widgetPrefersBorder"]),
  ]);
  return {
    sources,
    permissions: permissions ? Object.keys(permissions) : [],
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
}

function firstOf(type: "string", values: readonly unknown[]): string | undefined;
function firstOf(type: "boolean", values: readonly unknown[]): boolean | undefined;
function firstOf(type: "string" | "boolean", values: readonly unknown[]): unknown {
  return values.find((value) => typeof value === type);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
