/** @module One widget that is shown: its bridge, its clocks and its place on the page. What the page draws is a state that can be watched. */
import type { RenderedWidget } from "@fettle/contract/widgets";
import type { AskedByWidget } from "../../api/widget-server.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import type { Store } from "../../lib/store.ts";
import { type Bridge, openBridge, unknownMethod, type WidgetMessage } from "./bridge.ts";
import { type WidgetRequests, widgetRequests } from "./widget-requests.ts";
import {
  createWidgetStore,
  type DisplayMode,
  heights,
  type WidgetFault,
  type WidgetState,
} from "./widget-state.ts";

export interface WidgetShown {
  server: AskedByWidget;
  rendered: RenderedWidget;
  tool: JsonObject & { name: string };
  tools: readonly (JsonObject & { name: string })[];
  args: JsonObject;
  result: JsonObject;
  context: (mode: DisplayMode) => JsonObject;
  /** Where there is a conversation: what the widget says for the person, who reads it before it is sent. */
  onSay?: ((text: string) => void) | undefined;
}

export interface WidgetHost {
  store: Store<WidgetState>;
  /** The frame is in the document. What it answers ends the widget. */
  open(frame: HTMLIFrameElement): () => void;
  setMode(mode: DisplayMode): void;
  /** Of the place it is shown in: only what changed is passed on. */
  tell(place: JsonObject): void;
}

const keptMessages = 200;
const showEachMs = 200;
/** How long the widget's origin, and then the widget, have to begin. */
const clocks = { proxyMs: 5_000, widgetMs: 8_000 };

export function createWidgetHost(shown: WidgetShown): WidgetHost {
  const { rendered } = shown;
  const store = createWidgetStore(rendered.displayModes);
  let bridge: Bridge | undefined;
  /** What the widget knows of its place, each part as it was told last; undefined before it asked. */
  let told: Map<string, string> | undefined;

  /** What is new to the widget of a place. */
  function news(place: JsonObject): JsonObject {
    const parts = Object.entries(place).filter(([name, part]) => told?.get(name) !== JSON.stringify(part));
    for (const [name, part] of parts) told?.set(name, JSON.stringify(part));
    return Object.fromEntries(parts);
  }

  const context = (): JsonObject => ({
    ...shown.context(store.get().mode),
    displayMode: store.get().mode,
    availableDisplayModes: [...rendered.displayModes],
    toolInfo: { tool: shown.tool },
  });

  function setMode(mode: DisplayMode): void {
    if (store.get().mode === mode || !store.get().modes.includes(mode)) return;
    store.change({ mode });
    bridge?.notify("ui/notifications/host-context-changed", { displayMode: mode });
  }

  const answers: WidgetRequests = {
    ...widgetRequests(store, shown),
    /** A mode that is not offered changes nothing; the answer is the mode there is. */
    "ui/request-display-mode": ({ mode }: JsonObject) => {
      const offered = store.get().modes.find((each) => each === mode);
      if (offered) setMode(offered);
      return { mode: store.get().mode };
    },
  };

  function notified(method: string, params: JsonObject): void {
    if (method === "ui/notifications/sandbox-proxy-ready") {
      clock(
        clocks.widgetMs,
        "bridge_timeout",
        "The widget did not begin: it never sent ui/initialize and ui/notifications/initialized.",
      );
      dress(shown.context(store.get().mode));
      bridge?.load(rendered.dialect === "openai" ? JSON.stringify(openAiGlobals()) : undefined);
    } else if (method === "ui/notifications/size-changed" && typeof params.height === "number") {
      store.change({ height: Math.min(heights.most, Math.max(heights.least, Math.ceil(params.height))) });
    } else if (method === "ui/notifications/request-teardown") {
      store.change({ state: "closed", reason: "The widget asked to be closed." });
    }
  }

  /** As the page's own frame is: one that differs from what it stands in is filled with white by the browser. */
  function dress({ theme }: JsonObject): void {
    if (typeof theme === "string") bridge?.dress(theme);
  }

  /** What a document of the Apps SDK reads before anything is told to it. */
  const openAiGlobals = (): JsonObject => ({
    toolInput: shown.args,
    toolOutput: shown.result.structuredContent ?? null,
    toolResponseMetadata: shown.result._meta ?? null,
    context: context(),
  });

  /** Together, a few times a second: a widget may say more than can be drawn one by one. */
  const unshown: WidgetMessage[] = [];
  function note(entry: WidgetMessage): void {
    shown.server.heard(rendered.id, entry);
    if (unshown.push(entry) > 1) return;
    setTimeout(() => {
      store.change({ messages: [...store.get().messages, ...unshown.splice(0)].slice(-keptMessages) });
    }, showEachMs);
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  function clock(ms: number, fault: WidgetFault, reason: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => store.change({ state: "error", fault, reason }), ms);
  }

  function open(frame: HTMLIFrameElement): () => void {
    const { origin } = new URL(rendered.proxyUrl);
    clock(
      clocks.proxyMs,
      "mount_failed",
      `The address that widgets are shown from does not answer: ${origin}`,
    );
    const opened = openBridge({
      window: () => frame.contentWindow,
      origin,
      hostInfo: { name: "Fettle", version: "0.1.0" },
      capabilities: capabilitiesOf(rendered),
      context: () => {
        told = new Map();
        return { ...context(), ...news(shown.context(store.get().mode)) };
      },
      answer: async (method, params, signal) => {
        const known = Object.hasOwn(answers, method) ? answers[method] : undefined;
        if (!known) throw unknownMethod(method);
        store.change({ asking: store.get().asking + 1 });
        try {
          return await known(params, signal);
        } finally {
          store.change({ asking: store.get().asking - 1 });
        }
      },
      notified,
      initialized: (app) => {
        clearTimeout(timer);
        const { availableDisplayModes: said } = app;
        const modes = rendered.displayModes.filter((mode) => !Array.isArray(said) || said.includes(mode));
        store.change({ state: "ready", readyAt: Date.now(), modes });
      },
      heard: note,
    });
    bridge = opened;
    opened.notify("ui/notifications/tool-input", { arguments: shown.args });
    opened.notify("ui/notifications/tool-result", shown.result);
    return () => {
      clearTimeout(timer);
      linger(frame, opened.close("The page shows something else."));
    };
  }

  return {
    store,
    open,
    setMode,
    tell: (place) => {
      const changed = told ? news(place) : {};
      if (changed.theme) dress(changed);
      if (Object.keys(changed).length > 0) bridge?.notify("ui/notifications/host-context-changed", changed);
    },
  };
}

/** Out of sight until the widget has put its things away, where a browser can move a frame without loading it anew. */
function linger(frame: HTMLIFrameElement, closed: Promise<void>): void {
  if (!("moveBefore" in document.body) || !frame.isConnected) return;
  frame.hidden = true;
  document.body.moveBefore(frame, null);
  void closed.then(() => frame.remove());
}

/** What is said to be there is there, and nothing besides. */
function capabilitiesOf({ policy: { granted } }: RenderedWidget): JsonObject {
  const { connect, resource, frame, base } = granted.sources;
  return {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    updateModelContext: { text: {}, structuredContent: {} },
    message: { text: {} },
    sandbox: {
      permissions: Object.fromEntries(granted.permissions.map((name) => [name, {}])),
      csp: { connectDomains: connect, resourceDomains: resource, frameDomains: frame, baseUriDomains: base },
    },
  };
}
