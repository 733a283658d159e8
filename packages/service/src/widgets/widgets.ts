/** @module A widget made ready to be shown: its document read from the server, put under a policy, and laid where the browser fetches it. */
import { createHash, randomBytes } from "node:crypto";
import {
  ApiError,
  declaredWidget,
  hostDisplayModes,
  playsOpenAi,
  type RenderedWidget,
  type UserId,
  type WidgetRequest,
  widgetHost,
  widgetLimits,
  widgetPolicy,
} from "@fettle/contract";
import { loadHost } from "@fettle/mcp";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { SavedServer } from "../live/store.ts";
import { urlOf, widgetUrlOf } from "../service-url.ts";
import { withOpenAiGlobals } from "./openai-globals.ts";
import { documentPath, proxyPath, reportPath } from "./sandbox.ts";
import { deleteExpired, insertDocument } from "./store.ts";

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

/** The origins in use. A widget on the app's own host name could read its cookies: then none is shown at all. */
export function widgetOrigins(config: Config): { app: string; widgets: string } | undefined {
  const app = urlOf(config);
  const widgets = widgetUrlOf(config);
  if (widgets === undefined || new URL(app).hostname === new URL(widgets).hostname) return undefined;
  return { app, widgets };
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

export async function renderWidget(
  app: App,
  about: { server: SavedServer; userId: UserId; request: WidgetRequest },
  read: () => Promise<ReadWidget>,
): Promise<RenderedWidget> {
  const { server, userId, request } = about;
  // Before the server is asked: where nothing can be shown, nothing need be read.
  const origins = widgetOrigins(app.config);
  if (!origins) throw noOrigin();
  const { apps } = await loadHost(request.hostId ?? "fettle");
  const { content, listedMeta } = await read();
  const { html, dialect, mimeType } = documentOf(content, request.resourceUri);
  const declared = declaredWidget(content._meta, listedMeta);
  const id = randomBytes(16).toString("base64url");
  const { header, allow, granted, dropped } = widgetPolicy({
    declared,
    host: widgetHost(apps),
    deployment: {
      mode: app.config.mode,
      ownHosts: Object.values(origins).map((origin) => new URL(origin).hostname),
    },
    ancestors: [origins.widgets, origins.app],
    reportPath: reportPath(id),
    ...(request.network && { network: request.network }),
  });
  const now = app.now();
  const expiresAt = now + widgetLimits.documentMs;
  await deleteExpired(app.db, new Date(now));
  const row = {
    id,
    serverId: server.id,
    userId,
    html: dialect === "openai" && playsOpenAi(apps) ? withOpenAiGlobals(html) : html,
    policy: header,
    allow,
    expiresAt: new Date(expiresAt),
  };
  await insertDocument(app.db, row, widgetLimits.documentsPerPerson);
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
