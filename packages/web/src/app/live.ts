/** @module Live updates for all tabs of this browser over one stream: one tab leads and holds it, the others listen to that tab. */

import { addressPart } from "@fettle/contract/formats";
import { type HeardEvent, runLiveStream } from "../api/live-stream.ts";
import { type LinkState, linkState } from "../api/session.ts";

const name = "fettle-live";
const rollCall = 30_000;

/** What tabs say to each other. */
type Word =
  | { kind: "want"; tab: string; topics: readonly string[] }
  | { kind: "gone"; tab: string }
  | { kind: "ask" }
  | { kind: "event"; event: HeardEvent }
  | { kind: "state"; state: LinkState };

export interface Live {
  /** Replaces the topics this tab wants to hear about. */
  want: (topics: readonly string[]) => void;
  stop: () => void;
}

/**
 * Starts listening. Browsers allow about six connections to one host, so a stream per tab would starve the seventh.
 *
 * @example
 * const live = startLive((event) => invalidate(event));
 * live.want(["project:prj_1"]);
 */
export function startLive(onEvent: (event: HeardEvent) => void): Live {
  const tab = crypto.randomUUID();
  const stopped = new AbortController();
  const channel = new BroadcastChannel(name);
  let own: readonly string[] = [];
  let lead: ReturnType<typeof startLeading> | undefined;

  const say = (word: Word) => channel.postMessage(word);
  const sayWant = () => {
    lead?.hear({ kind: "want", tab, topics: own });
    say({ kind: "want", tab, topics: own });
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (lead) lead.hear(data);
    else if (data.kind === "event") onEvent(data.event);
    else if (data.kind === "state") linkState.set(data.state);
    if (data.kind === "ask") sayWant();
  };
  addEventListener("pagehide", () => say({ kind: "gone", tab }), { signal: stopped.signal });

  void navigator.locks
    .request(name, { signal: stopped.signal }, () => {
      lead = startLeading({ say, onEvent, signal: stopped.signal });
      say({ kind: "ask" });
      sayWant();
      return lead.done;
    })
    // Aborted while queueing: this tab never led.
    .catch(() => {});

  return {
    want: (topics) => {
      if (topics.join() === own.join()) return;
      own = topics;
      sayWant();
    },
    stop: () => {
      say({ kind: "gone", tab });
      stopped.abort();
      channel.close();
    },
  };
}

interface Leading {
  say: (word: Word) => void;
  onEvent: (event: HeardEvent) => void;
  signal: AbortSignal;
}

function startLeading({ say, onEvent, signal }: Leading) {
  const wanted = new Map<string, { topics: readonly string[]; heardAt: number }>();
  let lastEventId: string | null = null;
  let current = "";
  let stream: AbortController | undefined;

  const follow = () => {
    const topics = [...new Set([...wanted.values()].flatMap((each) => each.topics))].toSorted();
    if (topics.join() === current) return;
    current = topics.join();
    stream?.abort();
    if (topics.length === 0) return;
    stream = new AbortController();
    void runLiveStream({
      url: `/app/events?topics=${addressPart(topics.join())}`,
      lastEventId,
      // What happened between a page's first reads and its stream is told as well.
      openForMs: () => performance.now(),
      signal: AbortSignal.any([signal, stream.signal]),
      onEvent: (event) => {
        lastEventId = event.id ?? lastEventId;
        onEvent(event);
        say({ kind: "event", event });
      },
      onState: (state) => {
        linkState.set(state);
        say({ kind: "state", state });
      },
    });
  };
  // A tab that crashed says no goodbye: whoever misses two roll calls is let go.
  const timer = setInterval(() => {
    const deadline = Date.now() - 2 * rollCall;
    for (const [tab, { heardAt }] of wanted) if (heardAt < deadline) wanted.delete(tab);
    follow();
    say({ kind: "ask" });
  }, rollCall);

  return {
    hear: (word: Word) => {
      if (word.kind === "want") wanted.set(word.tab, { topics: word.topics, heardAt: Date.now() });
      else if (word.kind === "gone") wanted.delete(word.tab);
      else return;
      if (word.kind === "want") say({ kind: "state", state: linkState.get() });
      follow();
    },
    /** Settles when this tab stops, which lets the next one lead. */
    done: new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        resolve();
      }),
    ),
  };
}
