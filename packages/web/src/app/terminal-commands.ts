/** @module What the terminal tells this page of the inspector to do. It shows, and never calls a tool. */
import { addressPart } from "@fettle/contract/formats";
import type { InspectorAck, InspectorFault, InspectorShown } from "@fettle/contract/inspector";
import type { ProjectServer } from "@fettle/contract/servers";
import { toolsQuery } from "../api/listed-tools.ts";
import { operationOptions, queryClient } from "../api/operation.ts";
import { showCall } from "../features/tools/tool-calls.ts";
import { chooseEmulation } from "../kit/widget/chosen-emulation.ts";
import { widgetUris } from "../kit/widget/widget-link.ts";
import type { DisplayMode } from "../kit/widget/widget-state.ts";
import { isJsonObject } from "../lib/json-exact.ts";
import type { PageCommand } from "../local/tabs.ts";
import { pagePath } from "../pages/pages.ts";

/** Opens a page of this app. */
export type GoTo = (address: string) => Promise<void>;

type Tell = (ack: Omit<InspectorAck, "clientId">) => Promise<void>;

class Refused extends Error {
  readonly code: InspectorFault["code"];
  constructor(code: InspectorFault["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const projectId = "proj_local";
/** A page that has no place for it by then has none; the inspector itself waits a little longer. */
const placeMs = 7_000;
/** Longer than a widget's own clocks, so that the page says which of them ran out. */
const widgetMs = 13_500;
const reasonLength = 1_000;

export async function obey({ type, payload }: PageCommand, tell: Tell, goTo: GoTo): Promise<void> {
  await tell({ phase: "accepted" });
  try {
    const act = acts[type];
    if (!act) throw new Refused("invalid_request", `This page knows no command called "${type}".`);
    await tell({ phase: "done", result: await act(payload, goTo) });
  } catch (error) {
    const code = error instanceof Refused ? error.code : "execution_failed";
    const message = error instanceof Error ? error.message : "The page failed.";
    await tell({ phase: "failed", error: { code, message } });
  }
}

const acts: Record<string, (payload: Record<string, unknown>, goTo: GoTo) => Promise<unknown>> = {
  openPlayground: async ({ serverName }, goTo) => {
    const server = await serverNamed(serverName);
    await goTo(pagePath("server-tools", { pid: projectId, sid: server.id }));
    return {};
  },
  setAppContext: async ({ protocol, deviceType, theme, locale, timeZone, displayMode, viewport }) => {
    chooseEmulation({
      ...(isProtocol(protocol) && { dialect: dialectsByProtocol[protocol] }),
      ...(displayModes.includes(displayMode) && { mode: displayMode as DisplayMode }),
      // As the inspector checked it.
      ...(viewport !== undefined && { viewport: viewport as { width: number; height: number } }),
      ...(isDevice(deviceType) && { device: devicesByType[deviceType] }),
      ...((theme === "light" || theme === "dark") && { theme }),
      ...(typeof locale === "string" && { locale }),
      ...(typeof timeZone === "string" && { timeZone }),
    });
    return {};
  },
  renderToolResult: async ({ serverName, toolName, parameters, result, durationMs }, goTo) => {
    const server = await serverNamed(serverName);
    const address = { projectId, serverId: server.id };
    const { items } = await queryClient.ensureQueryData(toolsQuery(address));
    const tool = items.find(({ name }) => name === toolName);
    if (!tool) {
      throw new Refused("unknown_tool", `The server has no tool called "${String(toolName)}".`);
    }
    if (!isJsonObject(result)) throw new Refused("unsupported_in_mode", "Only objects are shown as results.");
    const id = showCall(server.id, tool.name, isJsonObject(parameters) ? parameters : {}, {
      result,
      durationMs: typeof durationMs === "number" ? durationMs : undefined,
    });
    const to = pagePath("server-tools", { pid: projectId, sid: server.id });
    await goTo(`${to}?tool=${addressPart(tool.name)}`);
    const card = `[data-testid="tool-result"][data-call="${id}"]`;
    await untilThere(card, "unsupported_in_mode", "This page has no place to show it.");
    if (widgetUris(tool, result).length === 0) return { widget: "none" };
    const late = "The widget did not begin in time.";
    return shownOf(await untilThere(`${card} ${settledWidget}`, "timeout", late, widgetMs));
  },
  navigate: async ({ page }, goTo) => {
    await goTo(String(page));
    return {};
  },
  snapshotApp: async () => ({ text: shownResult()?.textContent ?? "" }),
};

/** A widget that is there, or what the page says in its place. */
function shownOf(widget: Element): InspectorShown {
  const { state, mode, reason, readyAt, ...told } = (widget as HTMLElement).dataset;
  // Without a state it is what the page says where a document could not be had.
  const fault = state === undefined ? "resource_read_failed" : told.fault;
  return {
    widget: state === "ready" ? "initialized" : "fallback",
    ...(readyAt && { readyAt: Number(readyAt) }),
    ...(mode && { displayMode: mode as DisplayMode }),
    ...(state !== "ready" && {
      ...(fault && { fault: fault as NonNullable<InspectorShown["fault"]> }),
      reason: (reason ?? widget.textContent ?? "").slice(0, reasonLength),
    }),
  };
}

const displayModes: unknown[] = ["inline", "fullscreen", "pip"] satisfies DisplayMode[];
const dialectsByProtocol = { "mcp-apps": "mcp", "openai-sdk": "openai" } as const;
const isProtocol = (protocol: unknown): protocol is keyof typeof dialectsByProtocol =>
  typeof protocol === "string" && Object.hasOwn(dialectsByProtocol, protocol);
const devicesByType = { mobile: "phone", tablet: "tablet", desktop: "desktop" } as const;
const isDevice = (type: unknown): type is keyof typeof devicesByType =>
  typeof type === "string" && Object.hasOwn(devicesByType, type);

async function serverNamed(name: unknown): Promise<ProjectServer> {
  // The terminal may have saved it a moment ago.
  await queryClient.invalidateQueries();
  const { items } = await queryClient.fetchQuery(operationOptions("listProjectServers", { projectId }));
  const server = items.find((each) => each.name === name);
  if (server) return server;
  throw new Refused("unknown_server", `There is no server called "${String(name)}".`);
}

/** It works, or the page says in its place why not. */
const settledWidget = ':is([data-testid="widget"]:not([data-state="loading"]), [role="alert"])';
const shownResult = () => document.querySelector('[data-testid="tool-result"][data-source="terminal"]');

/** Until it is in the document. */
function untilThere(
  selector: string,
  code: InspectorFault["code"],
  message: string,
  ms = placeMs,
): Promise<Element> {
  const { promise, resolve, reject } = Promise.withResolvers<Element>();
  const look = () => {
    const found = document.querySelector(selector);
    if (found) resolve(found);
  };
  const watching = new MutationObserver(look);
  const timer = setTimeout(() => reject(new Refused(code, message)), ms);
  watching.observe(document.body, { childList: true, subtree: true, attributes: true });
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    watching.disconnect();
  });
}
