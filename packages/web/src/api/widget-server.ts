/** @module The server behind a widget, as the page around it reaches that: it makes documents ready and answers what a widget may ask for. */
import type { ServerAskRequest } from "@fettle/contract/servers";
import type { RenderedWidget, WidgetRefusals, WidgetRequest } from "@fettle/contract/widgets";
import type { JsonObject } from "../lib/json-exact.ts";
import { toolsQuery } from "./listed-tools.ts";
import { call } from "./operation.ts";
import { askServer } from "./server-asks.ts";
import type { ServerAddress } from "./server-calls.ts";
import { recordBridge } from "./traffic.ts";

/** As much of it as a widget that is shown needs. */
export interface AskedByWidget {
  /** Tells one from another. */
  id: string;
  ask(asked: ServerAskRequest["asked"], signal: AbortSignal): Promise<JsonObject>;
  /** Each message between the page and a document that is shown. */
  heard(widgetId: string, message: Parameters<typeof recordBridge>[2]): void;
  /** Where no person chooses how a widget's calls are met. Nothing is let through there that may change something. */
  meetsCalls?: "reads" | "ask";
}

export interface WidgetServer extends AskedByWidget {
  /** What it lists: a widget may call those that are for widgets. */
  tools: ReturnType<typeof toolsQuery>;
  render(request: WidgetRequest, signal: AbortSignal): Promise<RenderedWidget>;
  /** What the browser refused a document that is shown. */
  refusals(widgetId: string, signal: AbortSignal): Promise<WidgetRefusals>;
}

/** A saved server, asked in front of a member of its project. */
export function savedWidgetServer(address: ServerAddress): WidgetServer {
  const { projectId, serverId } = address;
  return {
    id: serverId,
    tools: toolsQuery(address),
    render: (body, signal) => call("renderWidget", { projectId, serverId, body }, { signal }),
    refusals: (widgetId, signal) => call("listWidgetRefusals", { projectId, serverId, widgetId }, { signal }),
    heard: (widgetId, message) => recordBridge(serverId, widgetId, message),
    ask: (asked, signal) => askServer<JsonObject>(address, asked, { signal }),
  };
}
