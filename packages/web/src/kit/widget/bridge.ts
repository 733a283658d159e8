/**
 * @module The host's side of a widget's conversation (MCP Apps, revision 2026-01-26): JSON-RPC with one window on one origin. It knows
 * the protocol and nothing of pages; every request of the widget goes to the one function it was given.
 */
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";

export const uiProtocolVersions = ["2026-01-26", "2025-11-21"] as const;

export interface WidgetMessage {
  at: number;
  from: "host" | "widget";
  message: JsonObject;
}

export interface BridgeOptions {
  /** The frame of the proxy, and where that was loaded from: nothing is sent or taken elsewhere. */
  window: () => Window | null;
  origin: string;
  hostInfo: { name: string; version: string };
  capabilities: JsonObject;
  /** Asked when the widget begins. */
  context: () => JsonObject;
  /** Answers a request of the widget, or throws what to refuse it with. */
  answer: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  notified: (method: string, params: JsonObject) => void;
  /** The widget is there, with what it says it can do: what was sent before now goes out. */
  initialized: (appCapabilities: JsonObject) => void;
  heard: (entry: WidgetMessage) => void;
}

export interface Bridge {
  /** To the frame around the widget, which then loads it. What `name` holds the document finds at once. */
  load(name: string | undefined): void;
  /** To that frame too: whose colours it has, so that what a widget leaves empty shows the page behind it. */
  dress(colorScheme: string): void;
  /** Held back until the widget has begun, in order. */
  notify(method: string, params: JsonObject): void;
  /** Lets the widget put its things away, for a moment at most; then nothing is passed on any more. */
  close(reason: string): Promise<void>;
}

/** A refusal in the protocol's own words. */
export class Refused extends Error {
  readonly code: number;
  constructor(message: string, code = -32_000) {
    super(message);
    this.code = code;
  }
}

const methodNotFound = -32_601;
const teardownMs = 500;
/** Requests of a widget that has not begun. */
const heldMost = 100;

export function openBridge(options: BridgeOptions): Bridge {
  const waiting: JsonObject[] = [];
  const underWay = new Map<Json, AbortController>();
  const asked = new Map<number, () => void>();
  let nextId = 1;
  let appCapabilities: JsonObject = {};
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  let isClosed = false;

  function send(message: JsonObject): void {
    const whole = { jsonrpc: "2.0", ...message };
    options.heard({ at: Date.now(), from: "host", message: whole });
    // A number that keeps its spelling is an object here, and a number to a widget.
    options.window()?.postMessage(JSON.parse(JSON.stringify(whole)), options.origin);
  }

  async function respond(id: Json, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    underWay.set(id, controller);
    try {
      send({ id, result: await resultOf(method, params, controller.signal) });
    } catch (error) {
      const code = error instanceof Refused ? error.code : -32_603;
      send({ id, error: { code, message: error instanceof Error ? error.message : String(error) } });
    } finally {
      underWay.delete(id);
    }
  }

  async function resultOf(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (method === "ping") return {};
    if (method !== "ui/initialize") {
      // Some ask while they begin. Hosts answer those, so what is asked early waits its turn here; nothing else goes out before.
      if (!hasBegun && underWay.size > heldMost)
        throw new Refused("The widget asks too much before it is initialized.");
      await begun.promise;
      return options.answer(method, params, signal);
    }
    if (isJsonObject(params.appCapabilities)) appCapabilities = params.appCapabilities;
    const wanted = uiProtocolVersions.find((version) => version === params.protocolVersion);
    return {
      protocolVersion: wanted ?? uiProtocolVersions[0],
      hostInfo: options.hostInfo,
      hostCapabilities: options.capabilities,
      hostContext: options.context(),
    };
  }

  function noted(method: string, params: JsonObject): void {
    if (method === "ui/notifications/initialized" && !hasBegun) {
      hasBegun = true;
      for (const message of waiting.splice(0)) send(message);
      begun.resolve();
      options.initialized(appCapabilities);
    } else if (method === "notifications/cancelled") {
      underWay.get(params.requestId ?? null)?.abort();
    } else options.notified(method, params);
  }

  function take({ source, origin, data }: MessageEvent<Json>): void {
    if (isClosed || source !== options.window() || origin !== options.origin) return;
    if (!isRpc(data)) return;
    options.heard({ at: Date.now(), from: "widget", message: data });
    const { id, method, params } = data;
    const given = isJsonObject(params) ? params : {};
    if (typeof method === "string") {
      if (id === undefined) noted(method, given);
      else void respond(id, method, given);
    } else if (typeof id === "number") {
      asked.get(id)?.();
    }
  }

  addEventListener("message", take);
  return {
    load: (name) =>
      send({ method: "ui/notifications/sandbox-resource-ready", params: name === undefined ? {} : { name } }),
    dress: (colorScheme) =>
      send({ method: "ui/notifications/sandbox-color-scheme", params: { colorScheme } }),
    notify: (method, params) => (hasBegun ? send({ method, params }) : void waiting.push({ method, params })),
    close: async (reason) => {
      for (const controller of underWay.values()) controller.abort();
      if (hasBegun && !isClosed) {
        const id = nextId++;
        const answered = new Promise<void>((resolve) => asked.set(id, resolve));
        send({ id, method: "ui/resource-teardown", params: { reason } });
        await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, teardownMs))]);
      }
      isClosed = true;
      removeEventListener("message", take);
    },
  };
}

export const unknownMethod = (method: string) =>
  new Refused(`This host does not know ${method}.`, methodNotFound);

const isRpc = (data: Json): data is JsonObject => isJsonObject(data) && data.jsonrpc === "2.0";
