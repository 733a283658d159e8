/** @module The open pages of this browser, told to the inspector over one stream: one tab leads and holds it, the others tell that tab of themselves. */
import type { InspectorTab } from "@fettle/contract";
import { type HeardEvent, runLiveStream } from "../api/live-stream.ts";
import { localHeaders } from "../api/local.ts";
import { linkState } from "../api/session.ts";

const name = "fettle-inspector";

type Word =
  | { kind: "tab"; tab: InspectorTab }
  | { kind: "gone"; clientId: string }
  | { kind: "ask" }
  | { kind: "event"; event: HeardEvent };

const clientId = crypto.randomUUID();
let isStarted = false;

/** Begins once for this page. */
export function startTabs(onEvent: (event: HeardEvent) => void): void {
  if (isStarted) return;
  isStarted = true;
  const channel = new BroadcastChannel(name);
  const say = (word: Word) => channel.postMessage(word);
  let focusedAt = Date.now();
  let lead: ReturnType<typeof startLeading> | undefined;
  const self = (): InspectorTab => ({
    clientId,
    visible: document.visibilityState === "visible",
    focusedAt,
    page: location.pathname,
    ready: true,
  });
  const sayTab = () => {
    lead?.hear({ kind: "tab", tab: self() });
    say({ kind: "tab", tab: self() });
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    lead?.hear(data);
    if (data.kind === "event" && !lead) onEvent(data.event);
    if (data.kind === "ask") sayTab();
  };
  addEventListener("focus", () => {
    focusedAt = Date.now();
    sayTab();
  });
  document.addEventListener("visibilitychange", sayTab);
  addEventListener("pagehide", () => {
    lead?.hear({ kind: "gone", clientId });
    say({ kind: "gone", clientId });
  });
  void navigator.locks.request(name, () => {
    lead = startLeading((event) => {
      onEvent(event);
      say({ kind: "event", event });
    });
    say({ kind: "ask" });
    sayTab();
    // Held until the page goes.
    return new Promise(() => {});
  });
  sayTab();
}

function startLeading(onEvent: (event: HeardEvent) => void) {
  const browserId = crypto.randomUUID();
  const tabs = new Map<string, InspectorTab>();
  const tell = () =>
    void fetch("/api/clients", {
      method: "PUT",
      headers: localHeaders(),
      body: JSON.stringify({ browserId, tabs: [...tabs.values()] }),
    }).catch(() => {});
  void runLiveStream({
    url: `/api/events?browser=${browserId}`,
    lastEventId: null,
    signal: new AbortController().signal,
    onEvent,
    onState: (state) => {
      linkState.set(state);
      if (state === "on") tell();
    },
  });
  return {
    hear(word: Word) {
      if (word.kind === "tab") {
        tabs.set(word.tab.clientId, word.tab);
      } else if (word.kind === "gone") tabs.delete(word.clientId);
      else return;
      tell();
    },
  };
}
