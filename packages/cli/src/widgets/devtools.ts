/** @module Speaks the browser's own protocol (CDP) over two pipes that nobody else can open, unlike a port. */
import type { Readable, Writable } from "node:stream";

type Params = Record<string, unknown>;

export interface DevtoolsEvent {
  method: string;
  params: Params;
  /** Of the page or frame it comes from. */
  sessionId?: string;
}

export interface Devtools {
  /** Throws what the browser says against it, and when it is gone. */
  send(method: string, params?: Params, sessionId?: string): Promise<Params>;
  /** Each event as it comes. */
  listen(listener: (event: DevtoolsEvent) => void): void;
}

interface Message extends DevtoolsEvent {
  id?: number;
  result?: Params;
  error?: { message?: string };
}

/** A picture of a large page is its largest word. */
const mostBytes = 256 * 1024 * 1024;

export function openDevtools(write: Writable, read: Readable): Devtools {
  const waiting = new Map<number, PromiseWithResolvers<Params>>();
  const listeners: ((event: DevtoolsEvent) => void)[] = [];
  let nextId = 1;
  let gone: Error | undefined;

  function leave(reason: string): void {
    gone ??= new Error(reason);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  }

  function take(message: Message): void {
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.reject(new Error(`The browser refused: ${message.error.message}`));
    else asked?.resolve(message.result ?? {});
  }

  let held: Buffer[] = [];
  let heldBytes = 0;
  read.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      const whole = Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      heldBytes = 0;
      rest = rest.subarray(end + 1);
      take(JSON.parse(whole.toString()) as Message);
    }
    held.push(rest);
    heldBytes += rest.length;
    if (heldBytes > mostBytes) read.destroy(new Error("The browser says more than is taken."));
  });
  read.on("error", ({ message }) => leave(message));
  read.on("close", () => leave("The browser is gone."));
  // A browser that ended takes no more words; that it is gone is told above.
  write.on("error", () => {});

  return {
    send(method, params = {}, sessionId) {
      if (gone) return Promise.reject(gone);
      const id = nextId++;
      const asked = Promise.withResolvers<Params>();
      waiting.set(id, asked);
      write.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      return asked.promise;
    },
    listen: (listener) => void listeners.push(listener),
  };
}
