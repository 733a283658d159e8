/** @module What the terminal tells this page of the inspector to do. It shows, and never calls a tool. */
import type { InspectorAck, InspectorFault, ProjectServer } from "@fettle/contract";
import { toolsQuery } from "../api/listed-tools.ts";
import { operationOptions, queryClient } from "../api/operation.ts";
import { showCall } from "../features/tools/tool-calls.ts";
import { chooseEmulation } from "../kit/widget/chosen-emulation.ts";
import { widgetUris } from "../kit/widget/widget-link.ts";
import { isJsonObject } from "../lib/json-exact.ts";
import type { PageCommand } from "../local/tabs.ts";
import { pagePath } from "../pages/pages.ts";
import { router } from "./router.tsx";

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

export async function obey({ type, payload }: PageCommand, tell: Tell): Promise<void> {
  await tell({ phase: "accepted" });
  try {
    const act = acts[type];
    if (!act) throw new Refused("invalid_request", `This page knows no command called "${type}".`);
    await tell({ phase: "done", result: await act(payload) });
  } catch (error) {
    const code = error instanceof Refused ? error.code : "execution_failed";
    const message = error instanceof Error ? error.message : "The page failed.";
    await tell({ phase: "failed", error: { code, message } });
  }
}

const acts: Record<string, (payload: Record<string, unknown>) => Promise<unknown>> = {
  openPlayground: async ({ serverName }) => {
    const server = await serverNamed(serverName);
    await router.navigate({ to: pagePath("server-tools", { pid: projectId, sid: server.id }) });
    return {};
  },
  setAppContext: async ({ deviceType, theme, locale, timeZone }) => {
    chooseEmulation({
      ...(isDevice(deviceType) && { device: devicesByType[deviceType] }),
      ...((theme === "light" || theme === "dark") && { theme }),
      ...(typeof locale === "string" && { locale }),
      ...(typeof timeZone === "string" && { timeZone }),
    });
    return {};
  },
  renderToolResult: async ({ serverName, toolName, parameters, result }) => {
    const server = await serverNamed(serverName);
    const address = { projectId, serverId: server.id };
    const { items } = await queryClient.ensureQueryData(toolsQuery(address));
    const tool = items.find(({ name }) => name === toolName);
    if (!tool) {
      throw new Refused("unknown_tool", `The server has no tool called "${String(toolName)}".`);
    }
    if (!isJsonObject(result)) throw new Refused("unsupported_in_mode", "Only objects are shown as results.");
    const id = showCall(server.id, tool.name, isJsonObject(parameters) ? parameters : {}, result);
    const to = pagePath("server-tools", { pid: projectId, sid: server.id });
    await router.navigate({ to: `${to}?tool=${encodeURIComponent(tool.name)}` });
    const card = `[data-testid="tool-result"][data-call="${id}"]`;
    await untilThere(card, "unsupported_in_mode", "This page has no place to show it.");
    if (widgetUris(tool, result).length === 0) return { widget: "none" };
    const widget = await untilThere(
      `${card} ${settledWidget}`,
      "timeout",
      "The widget did not begin in time.",
    );
    return { widget: widget.getAttribute("data-state") === "ready" ? "initialized" : "fallback" };
  },
  navigate: async ({ page }) => {
    await router.navigate({ to: String(page) });
    return {};
  },
  snapshotApp: async () => ({ text: shownResult()?.textContent ?? "" }),
};

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
function untilThere(selector: string, code: InspectorFault["code"], message: string): Promise<Element> {
  const { promise, resolve, reject } = Promise.withResolvers<Element>();
  const look = () => {
    const found = document.querySelector(selector);
    if (found) resolve(found);
  };
  const watching = new MutationObserver(look);
  const timer = setTimeout(() => reject(new Refused(code, message)), placeMs);
  watching.observe(document.body, { childList: true, subtree: true, attributes: true });
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    watching.disconnect();
  });
}
