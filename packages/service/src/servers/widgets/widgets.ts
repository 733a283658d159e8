/** @module A widget made ready to be shown: its document read from the server, put under a policy, and laid where the browser fetches it. */
import { createHash, randomBytes } from "node:crypto";
import { ApiError } from "@fettle/contract/core";
import {
  declaredWidget,
  hostDisplayModes,
  playsOpenAi,
  type RenderedWidget,
  type WidgetRequest,
  widgetHost,
  widgetLimits,
  widgetPolicy,
} from "@fettle/contract/widgets";
import { loadHosts } from "@fettle/mcp";
import type { Config } from "../../core/config/config.ts";
import { withOpenAiGlobals } from "./openai-globals.ts";
import type { WidgetOrigins } from "./origins.ts";
import { withPeerGuard } from "./peer-guard.ts";
import { documentPath, proxyPath, reportPath, type WidgetDocument } from "./sandbox.ts";

/** As a server gave it: the document, and what its entry in the list says of it. */
export interface ReadWidget {
  content: Record<string, unknown>;
  listedMeta?: unknown;
}

const kinds: Record<string, RenderedWidget["dialect"]> = {
  "text/html;profile=mcp-app": "mcp",
  "text/html+skybridge": "openai",
  // Older servers; it is shown, and said.
  "text/html": "mcp",
};

/** Where a widget is shown, and where its document is laid until then. */
export interface WidgetPlace {
  origins: WidgetOrigins | undefined;
  mode: Config["mode"];
  now(): number;
  keep(document: WidgetDocument & { id: string; expiresAt: number }): Promise<void> | void;
}

const noOrigin = () =>
  new ApiError(
    "FEATURE_NOT_SUPPORTED",
    "Widgets need an address of their own, on another host name than the app.",
    {
      reason: "WIDGET_ORIGIN",
      hint: "Give the service a second host name with FETTLE_WIDGET_URL.",
    },
  );

async function requireHost(id: string) {
  const hosts = await loadHosts();
  const host = hosts.find((one) => one.id === id);
  if (host) return host;
  throw new ApiError("VALIDATION_ERROR", `No host is called "${id}".`, {
    path: "body.hostId",
    hint: `Known hosts: ${hosts.map((one) => one.id).join(", ")}.`,
  });
}

export async function renderWidget(
  place: WidgetPlace,
  request: WidgetRequest,
  read: () => Promise<ReadWidget>,
): Promise<RenderedWidget> {
  const { origins, mode } = place;
  // Before the server is asked: where nothing can be shown, nothing need be read.
  if (!origins) throw noOrigin();
  const { apps } = await requireHost(request.hostId ?? "fettle");
  const { content, listedMeta } = await read();
  const { html, dialect, mimeType } = documentOf(content, request.resourceUri);
  const declared = declaredWidget(content._meta, listedMeta);
  const id = randomBytes(16).toString("base64url");
  const { header, allow, granted, dropped } = widgetPolicy({
    declared,
    host: widgetHost(apps),
    deployment: {
      mode,
      ownHosts: Object.values(origins).map((origin) => new URL(origin).hostname),
    },
    ancestors: [origins.widgets, origins.app],
    reportPath: reportPath(id),
    ...(request.network && { network: request.network }),
  });
  const expiresAt = place.now() + widgetLimits.documentMs;
  await place.keep({
    id,
    html: withPeerGuard(dialect === "openai" && playsOpenAi(apps) ? withOpenAiGlobals(html) : html),
    policy: header,
    allow,
    expiresAt,
  });
  return {
    id,
    documentUrl: `${origins.widgets}${documentPath(id)}`,
    proxyUrl: `${origins.widgets}${proxyPath(id)}`,
    dialect,
    mimeType,
    bytes: Buffer.byteLength(html),
    sha256: createHash("sha256").update(html).digest("hex"),
    ...(declared.prefersBorder !== undefined && { prefersBorder: declared.prefersBorder }),
    displayModes: hostDisplayModes(apps),
    policy: { header, allow, granted, dropped: dropped.slice(0, widgetLimits.dropped) },
    expiresAt,
  };
}

function documentOf(content: Record<string, unknown>, uri: string) {
  const mimeType = typeof content.mimeType === "string" ? content.mimeType : "";
  const refuse = (why: string) =>
    new ApiError("INVALID_ANSWER", `"${uri}" is no widget: ${why}`, { reason: "not_a_widget" });
  const dialect = kinds[mimeType.replaceAll(" ", "").toLowerCase()];
  if (!dialect) throw refuse(`its type is ${mimeType ? `"${mimeType}"` : "not said"}.`);
  const html = typeof content.text === "string" ? content.text : fromBlob(content.blob);
  if (html === undefined) throw refuse("it holds no text.");
  if (Buffer.byteLength(html) > widgetLimits.documentBytes) {
    throw refuse(`it has more than ${widgetLimits.documentBytes / 1_000_000} MB.`);
  }
  return { html, dialect, mimeType };
}

const fromBlob = (blob: unknown) =>
  typeof blob === "string" ? Buffer.from(blob, "base64").toString("utf8") : undefined;
