/** @module What the command line, the local inspector and its pages say to each other. */
import { z } from "zod";
import { displayModes } from "../widgets/host.ts";
import { inspectorLimits } from "./limits.ts";

/** Tells our inspector apart from whatever else answers on a port. */
export const inspectorService = "fettle-inspector";
/** Carries the token of this start; a cookie would travel to every server under test on the same machine. */
export const inspectorHeader = "x-mcp-session-auth";

export const InspectorHealth = z.object({
  service: z.literal(inspectorService),
  version: z.string(),
  startId: z.string(),
});
export type InspectorHealth = z.output<typeof InspectorHealth>;

/** `inspector.json` in the person's own folder, readable by them alone. */
export const InspectorState = z.object({
  pid: z.int(),
  startId: z.string(),
  version: z.string(),
  url: z.string(),
  sandboxUrl: z.string(),
  token: z.string(),
  startedAt: z.string(),
});
export type InspectorState = z.output<typeof InspectorState>;

/** One open page. */
export const InspectorTab = z.strictObject({
  clientId: z.string().min(1).max(inspectorLimits.nameLength),
  visible: z.boolean(),
  focusedAt: z.number(),
  page: z.string().max(inspectorLimits.textLength),
  ready: z.boolean(),
});
export type InspectorTab = z.output<typeof InspectorTab>;

/** All tabs of one browser, as its leading tab tells them on every change. */
export const InspectorTabs = z.strictObject({
  browserId: z.string().min(1).max(inspectorLimits.nameLength),
  tabs: z.array(InspectorTab).max(inspectorLimits.tabs),
});
export type InspectorTabs = z.output<typeof InspectorTabs>;

const name = z.string().min(1).max(inspectorLimits.nameLength);
/** Where results are tried out: the tools of a server. */
const surface = z.literal("playground");

const side = z.int().min(inspectorLimits.viewport.least).max(inspectorLimits.viewport.most);

const payloads = {
  openPlayground: z.strictObject({ serverName: name }),
  setAppContext: z.strictObject({
    protocol: z.enum(["mcp-apps", "openai-sdk"]).optional(),
    deviceType: z.enum(["mobile", "tablet", "desktop"]).optional(),
    theme: z.enum(["light", "dark"]).optional(),
    locale: name.optional(),
    timeZone: name.optional(),
    displayMode: z.enum(displayModes).optional(),
    viewport: z
      .strictObject({ width: side, height: side })
      .optional()
      .describe("The widget stands alone in a place of this size, for a picture of it"),
  }),
  renderToolResult: z.strictObject({
    surface,
    serverName: name,
    toolName: name,
    parameters: z.record(z.string(), z.unknown()),
    result: z.unknown(),
    durationMs: z.number().min(0).optional().describe("Of the call, where it is known"),
  }),
  snapshotApp: z.strictObject({ surface }),
  navigate: z.strictObject({ page: z.string().startsWith("/").max(inspectorLimits.textLength) }),
};
export type InspectorPayloads = { [Type in keyof typeof payloads]: z.output<(typeof payloads)[Type]> };

const common = {
  id: name.optional(),
  timeoutMs: z.int().min(1).max(inspectorLimits.commandMs).optional(),
  target: name.optional().describe("`active`, or the id of one open page"),
};

export const InspectorCommand = z.discriminatedUnion("type", [
  z.strictObject({ ...common, type: z.literal("openPlayground"), payload: payloads.openPlayground }),
  z.strictObject({ ...common, type: z.literal("setAppContext"), payload: payloads.setAppContext }),
  z.strictObject({ ...common, type: z.literal("renderToolResult"), payload: payloads.renderToolResult }),
  z.strictObject({ ...common, type: z.literal("snapshotApp"), payload: payloads.snapshotApp }),
  z.strictObject({ ...common, type: z.literal("navigate"), payload: payloads.navigate }),
]);
export type InspectorCommand = z.output<typeof InspectorCommand>;

/** Why a result was not shown: what to do about it, and whether the call still counts as done. */
export const inspectorRefusals = {
  no_active_client: { status: 409, remediation: "open_browser", isSkippable: true },
  timeout: { status: 504, remediation: "retry", isSkippable: true },
  disconnected_server: { status: 424, remediation: "reconnect_server", isSkippable: true },
  unsupported_in_mode: { status: 422, remediation: "none", isSkippable: true },
  invalid_request: { status: 400, remediation: "none", isSkippable: false },
  unauthorized: { status: 401, remediation: "none", isSkippable: false },
  unknown_server: { status: 404, remediation: "none", isSkippable: false },
  unknown_tool: { status: 404, remediation: "none", isSkippable: false },
  unknown_command_id: { status: 404, remediation: "none", isSkippable: false },
  execution_failed: { status: 500, remediation: "none", isSkippable: false },
} as const;
export type InspectorRefusal = keyof typeof inspectorRefusals;

export const InspectorFault = z.object({
  code: z.enum(Object.keys(inspectorRefusals) as [InspectorRefusal, ...InspectorRefusal[]]),
  message: z.string().max(inspectorLimits.textLength),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type InspectorFault = z.output<typeof InspectorFault>;

export const InspectorAck = z.strictObject({
  clientId: name,
  phase: z.enum(["accepted", "done", "failed"]),
  result: z.unknown().optional(),
  error: InspectorFault.optional(),
});
export type InspectorAck = z.output<typeof InspectorAck>;

/** What a page says of a widget that it was told to show. */
export const InspectorShown = z.object({
  widget: z.enum(["none", "initialized", "fallback"]),
  displayMode: z.enum(displayModes).optional(),
  readyAt: z.number().optional().describe("When it had begun, by the clock of this machine"),
  fault: z
    .enum(["resource_read_failed", "mount_failed", "bridge_timeout"])
    .optional()
    .describe("Why it is not there"),
  reason: z.string().max(inspectorLimits.textLength).optional(),
});
export type InspectorShown = z.output<typeof InspectorShown>;

export const InspectorCommandAnswer = z.discriminatedUnion("status", [
  z.object({ id: z.string(), status: z.literal("success"), result: z.unknown().optional() }),
  z.object({ id: z.string(), status: z.literal("error"), error: InspectorFault }),
]);
export type InspectorCommandAnswer = z.output<typeof InspectorCommandAnswer>;

export const InspectorStatus = z.object({
  version: z.string(),
  url: z.string(),
  frontendUrl: z.string(),
  sandbox: z.object({ url: z.string(), ok: z.boolean(), reason: z.string().optional() }),
  hasActiveClient: z.boolean(),
  clients: z.array(InspectorTab.extend({ userAgent: z.string() })),
  activeClientId: z.string().nullable(),
  servers: z.array(z.object({ id: z.string(), name: z.string(), approved: z.boolean() })),
});
export type InspectorStatus = z.output<typeof InspectorStatus>;
