/** @module The policy a widget's document is served with: what it declares, narrowed by the host it is shown in and by where Fettle runs. The only place where one is made. Pure. */
import {
  type SourceList,
  sourceLists,
  type WidgetDeclaration,
  type WidgetPermission,
  widgetPermissions,
} from "./declared.ts";
import { type Deployment, readSource, sourceBounds } from "./sources.ts";

/** What loads from a declared source; hosts differ in which of them they let through. */
export const loadKinds = ["script", "stylesheet", "image", "font", "media"] as const;
export type LoadKind = (typeof loadKinds)[number];

/** What the host that is played lets widgets do. It narrows; only keywords come from it alone. */
export interface WidgetHost {
  lists: Record<SourceList, boolean>;
  loads: Record<LoadKind, boolean>;
  permissions: readonly WidgetPermission[];
  /** Such as `'unsafe-eval'`. */
  scriptKeywords: readonly string[];
  workers: boolean;
}

/** Of a person who looks for what is wrong, on their own machine. */
export type NetworkSwitch = "declared" | "none" | "open";

export interface PolicyInput {
  declared: WidgetDeclaration;
  host: WidgetHost;
  deployment: Deployment;
  network?: NetworkSwitch;
  /** Origins that may frame the document: the proxy's and the app's. */
  ancestors: readonly string[];
  /** Where the browser tells of what it refused. */
  reportPath?: string;
  /** An origin of its own: storage works. Never on the proxy's or the app's. */
  ownOrigin?: boolean;
}

export interface DroppedSource {
  list: SourceList | "permissions";
  entry: string;
  reason: string;
}

export interface WidgetPolicy {
  /** The value of `Content-Security-Policy`. */
  header: string;
  /** The frames' `allow`. */
  allow: string;
  granted: { sources: Record<SourceList, string[]>; permissions: WidgetPermission[] };
  /** Declared and not granted, with the reason. */
  dropped: DroppedSource[];
}

const features: Record<WidgetPermission, string> = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "geolocation",
  clipboardWrite: "clipboard-write",
};

export function widgetPolicy(input: PolicyInput): WidgetPolicy {
  const dropped: DroppedSource[] = [];
  const sources = grantedSources(input, dropped);
  const permissions = grantedPermissions(input, dropped);
  return {
    header: headerOf(input, sources),
    allow: permissions.map((name) => `${features[name]} *`).join("; "),
    granted: { sources, permissions },
    dropped,
  };
}

function grantedSources(
  { declared, host, deployment, network = "declared" }: PolicyInput,
  dropped: DroppedSource[],
): Record<SourceList, string[]> {
  const granted: Record<SourceList, string[]> = { connect: [], resource: [], frame: [], base: [] };
  for (const list of sourceLists) {
    for (const entry of declared.sources[list] ?? []) {
      const read = readSource(entry, deployment);
      const drop = (reason: string) => dropped.push({ list, entry: String(entry).slice(0, 200), reason });
      if ("fault" in read) drop(read.fault);
      else if (!host.lists[list]) drop("is nothing this host lets through");
      else if (network === "none") drop("is switched off");
      else if (granted[list].includes(read.source)) continue;
      else if (!hasRoom(granted, read.source)) drop("is more than one header should hold");
      else granted[list].push(read.source);
    }
  }
  if (network === "open" && deployment.mode === "local") {
    granted.connect.push("https:", "wss:");
    granted.resource.push("https:");
  }
  return granted;
}

function hasRoom(granted: Record<SourceList, string[]>, source: string): boolean {
  const said = Object.values(granted).flat();
  return said.length < sourceBounds.count && said.join(" ").length + source.length < sourceBounds.bytes;
}

function grantedPermissions({ declared, host }: PolicyInput, dropped: DroppedSource[]): WidgetPermission[] {
  const drop = (entry: string, reason: string) =>
    dropped.push({ list: "permissions", entry: entry.slice(0, 200), reason });
  for (const entry of declared.permissions) {
    const known = widgetPermissions.find((name) => name === entry);
    if (!known) drop(entry, "is no permission there is");
    else if (!host.permissions.includes(known)) drop(entry, "is nothing this host gives");
  }
  return widgetPermissions.filter(
    (name) => declared.permissions.includes(name) && host.permissions.includes(name),
  );
}

/** No `'self'` anywhere: it would name the origin that serves everybody's widgets. */
function headerOf(
  { host, ancestors, reportPath, ownOrigin = false }: PolicyInput,
  { connect, resource, frame, base }: Record<SourceList, string[]>,
): string {
  const loads = (kind: LoadKind) => (host.loads[kind] ? resource : []);
  const directives: Record<string, readonly string[]> = {
    "default-src": [],
    "script-src": ["'unsafe-inline'", ...host.scriptKeywords, ...loads("script")],
    "style-src": ["'unsafe-inline'", ...loads("stylesheet")],
    "img-src": ["data:", "blob:", ...loads("image")],
    "font-src": ["data:", ...loads("font")],
    "media-src": ["data:", "blob:", ...loads("media")],
    "connect-src": connect,
    "frame-src": frame,
    "worker-src": host.workers && resource.length > 0 ? ["blob:"] : [],
    "object-src": [],
    "base-uri": base,
    "form-action": [],
    "frame-ancestors": ancestors,
    sandbox: ["allow-scripts", "allow-forms", ...(ownOrigin ? ["allow-same-origin"] : [])],
  };
  const said = Object.entries(directives).map(
    ([name, values]) => `${name} ${values.length > 0 ? values.join(" ") : "'none'"}`,
  );
  return [...said, ...(reportPath ? [`report-uri ${reportPath}`] : [])].join("; ");
}
