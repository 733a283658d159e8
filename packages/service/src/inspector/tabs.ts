/** @module The open pages: which there are, and which one the terminal speaks to. */
import { type InspectorTab, type InspectorTabs, inspectorLimits } from "@fettle/contract/inspector";

export interface OpenTab extends InspectorTab {
  userAgent: string;
}

export interface Tabs {
  /** A browser's stream is open, and hears what its pages missed before; call what comes back when it closes. */
  connect(
    browserId: string,
    browser: { userAgent: string; openForMs: number; send(frame: object): void },
  ): () => void;
  /** All tabs of one browser. Ignored for one that has no stream. */
  tell(tabs: InspectorTabs): void;
  list(): OpenTab[];
  /** Visible before hidden, then the one that was looked at last; only those that are ready. */
  ranked(): OpenTab[];
  /** Says something to one tab. False when it is gone. */
  send(clientId: string, frame: object): boolean;
  tellAll(frame: object): void;
  close(): void;
}

interface Browser {
  userAgent: string;
  streams: Set<(frame: object) => void>;
  tabs: InspectorTab[];
  lost?: NodeJS.Timeout;
}

/** How long a page's question may have been on the way. What is told twice is only read twice. */
const onTheWayMs = 5_000;

export function createTabs(lostMs: number = inspectorLimits.lostMs): Tabs {
  const browsers = new Map<string, Browser>();
  /** When each thing was told last, under its text: there are only a few different ones. */
  const told = new Map<string, { frame: object; at: number }>();

  const list = () =>
    [...browsers.values()].flatMap(({ tabs, userAgent }) => tabs.map((tab) => ({ ...tab, userAgent })));

  return {
    connect(browserId, { userAgent, openForMs, send }) {
      const browser = browsers.get(browserId) ?? { userAgent, streams: new Set(), tabs: [] };
      clearTimeout(browser.lost);
      browser.userAgent = userAgent;
      browser.streams.add(send);
      browsers.set(browserId, browser);
      const openedAt = performance.now() - openForMs - onTheWayMs;
      for (const { frame, at } of told.values()) if (at >= openedAt) send(frame);
      return () => {
        browser.streams.delete(send);
        // A reload closes the stream and opens another.
        if (browser.streams.size === 0) {
          browser.lost = setTimeout(() => browsers.delete(browserId), lostMs).unref();
        }
      };
    },
    tell({ browserId, tabs }) {
      const browser = browsers.get(browserId);
      if (browser) browser.tabs = tabs;
    },
    list,
    ranked: () =>
      list()
        .filter(({ ready }) => ready)
        .toSorted((a, b) => Number(b.visible) - Number(a.visible) || b.focusedAt - a.focusedAt),
    send(clientId, frame) {
      const browser = [...browsers.values()].find(({ tabs }) =>
        tabs.some((tab) => tab.clientId === clientId),
      );
      if (!browser || browser.streams.size === 0) return false;
      for (const send of browser.streams) send(frame);
      return true;
    },
    tellAll(frame) {
      told.set(JSON.stringify(frame), { frame, at: performance.now() });
      for (const { streams } of browsers.values()) for (const send of streams) send(frame);
    },
    close() {
      for (const { lost } of browsers.values()) clearTimeout(lost);
      browsers.clear();
    },
  };
}
