/** @module The open pages of this browser, told to the inspector over one stream: one tab leads and holds it, the others tell that tab of themselves. */
import { addressPart } from "@fettle/contract/formats";
import type { InspectorAck, InspectorTab } from "@fettle/contract/inspector";
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

/** What the terminal wants of one page. */
export interface PageCommand {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}

/** Begins once for this page. */
export function startTabs(
  onChange: (event: HeardEvent) => void,
  onCommand: (command: PageCommand, tell: (ack: Omit<InspectorAck, "clientId">) => Promise<void>) => void,
): void {
  if (isStarted) return;
  isStarted = true;
  const onEvent = (event: HeardEvent) => {
    if (event.event !== "command") {
      onChange(event);
      return;
    }
    const { clientId: meant, ...command } = JSON.parse(event.data) as PageCommand & { clientId: string };
    if (meant === clientId) onCommand(command, (ack) => acknowledge(command.id, ack));
  };
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
  void navigator.locks.request(lockOf(clientId), () => {
    sayTab();
    return new Promise(() => {});
  });
}

/** Held by a tab as long as it lives. Whoever is given it knows that the tab is gone, also where it could not say so. */
const lockOf = (tab: string) => `${name} ${tab}`;

async function acknowledge(id: string, ack: Omit<InspectorAck, "clientId">): Promise<void> {
  await fetch(`/api/mcp/command/${addressPart(id)}/ack`, {
    method: "POST",
    headers: localHeaders(),
    body: JSON.stringify({ clientId, ...ack }),
  }).catch(() => {});
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
    openForMs: () => performance.now(),
    signal: new AbortController().signal,
    onEvent,
    onState: (state) => {
      linkState.set(state);
      if (state === "on") tell();
    },
  });
  const drop = (tab: string) => {
    tabs.delete(tab);
    tell();
  };
  return {
    hear(word: Word) {
      if (word.kind === "tab") {
        const { clientId: tab } = word.tab;
        if (tab !== clientId && !tabs.has(tab)) void navigator.locks.request(lockOf(tab), () => drop(tab));
        tabs.set(tab, word.tab);
      } else if (word.kind === "gone") tabs.delete(word.clientId);
      else return;
      tell();
    },
  };
}
