/** @module Whether the host at the other end of a socket is there: it pings by itself, and is asked while somebody waits for it. */
import { limits } from "@fettle/contract/core";
import type { WebSocket } from "ws";

export interface Heartbeat {
  /** It was asked for a sign of life and has given none since. */
  readonly isSilent: boolean;
  /** Asks for one. */
  ask(): void;
}

const { pingMs, missedPings } = limits.tunnels;
/** A host that is there answers within its network's delay, whatever the server behind it does. */
const answerMs = 8_000;
const askEveryMs = 4_000;

/** `isAwaited`: whether somebody waits for the host now. `onSilent` is told each time it falls silent. */
export function createHeartbeat(
  socket: WebSocket,
  isAwaited: () => boolean,
  onSilent: () => void,
): Heartbeat {
  let heardAt = performance.now();
  let isSilent = false;
  let asked: NodeJS.Timeout | undefined;

  function heard(): void {
    heardAt = performance.now();
    isSilent = false;
    clearTimeout(asked);
    asked = undefined;
  }

  function ask(): void {
    if (asked || isSilent || socket.readyState !== socket.OPEN) return;
    socket.ping();
    const askedAt = performance.now();
    asked = setTimeout(() => {
      // If it was we who stood still, its answer has come and is only not read yet.
      setImmediate(() => {
        if (heardAt >= askedAt) return;
        asked = undefined;
        isSilent = true;
        onSilent();
      });
    }, answerMs).unref();
  }

  for (const sign of ["ping", "pong", "message"]) socket.on(sign, heard);
  const waiting = setInterval(() => isAwaited() && ask(), askEveryMs).unref();
  // One that has gone without a word is let go.
  const watch = setInterval(() => {
    if (performance.now() - heardAt > pingMs * (missedPings + 1)) socket.terminate();
  }, pingMs).unref();
  socket.on("close", () => {
    for (const timer of [waiting, watch]) clearInterval(timer);
    clearTimeout(asked);
  });

  return {
    get isSilent() {
      return isSilent;
    },
    ask,
  };
}
