/** @module What a host of the catalogue lets widgets do, read from its profile. Pure. */
import { widgetPermissions } from "./declared.ts";
import { loadKinds, type WidgetHost } from "./policy.ts";

type Facts = Record<string, unknown>;

/** Keywords that a host may add; what a profile says besides is for people to read. */
const keywords = new Set(["'unsafe-eval'", "'wasm-unsafe-eval'"]);

/**
 * From the `apps` of a host's profile. What a profile does not say is allowed: it then says nothing of that host.
 *
 * @example
 * widgetHost({ capabilities: { cspFrameDomains: false } }).lists.frame // false
 */
export function widgetHost(apps: unknown): WidgetHost {
  const { capabilities, sandbox } = within(apps);
  const can = within(capabilities);
  const csp = within(within(sandbox).csp);
  const directives = within(csp.cspDirectives);
  const permissions = within(within(within(sandbox).permissions).allow);
  const loads = within(can.cspResourceDomains);
  const workers = directives["worker-src"];
  return {
    lists: {
      connect: isAllowed(can.cspConnectDomains),
      resource: isAllowed(can.cspResourceDomains),
      frame: can.cspFrameDomains !== false,
      base: can.cspBaseUriDomains !== false,
    },
    loads: Object.fromEntries(loadKinds.map((kind) => [kind, loads[kind] !== false])) as WidgetHost["loads"],
    permissions:
      can.sandboxPermissions === false ? [] : widgetPermissions.filter((name) => permissions[name] === true),
    scriptKeywords: textsOf(directives["script-src"]).filter((each) => keywords.has(each)),
    workers: workers === undefined || textsOf(workers).includes("blob:"),
  };
}

export const displayModes = ["inline", "fullscreen", "pip"] as const;

/** Inline is everywhere. */
export function hostDisplayModes(apps: unknown): (typeof displayModes)[number][] {
  const said = textsOf(within(within(apps).capabilities).availableDisplayModes);
  return displayModes.filter((mode) => mode === "inline" || said.includes(mode));
}

/** Whether documents of the Apps SDK find `window.openai` there. */
export function playsOpenAi(apps: unknown): boolean {
  return within(apps).rendersOpenAiApps === true;
}

/** A list is let through unless each way of using it is refused. */
function isAllowed(said: unknown): boolean {
  if (typeof said === "boolean") return said;
  const ways = Object.values(within(said));
  return ways.length === 0 || ways.some((way) => way !== false);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function within(value: unknown): Facts {
  return typeof value === "object" && value !== null ? (value as Facts) : {};
}
