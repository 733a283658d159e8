/** @module How much of one body may be sent through a tunnel: the reader gives credit for more as it reads. */

/** The sender's side. */
export interface TunnelCredit {
  /** Resolves when so many bytes may be sent: true, or false when it is over and nothing may. One asks at a time. */
  take(bytes: number): Promise<boolean>;
  give(bytes: number): void;
  end(): void;
}

/** `window` may be infinite, towards a reader that gives no credit. */
export function createTunnelCredit(window: number): TunnelCredit {
  let left = window;
  let isOver = false;
  let wake = () => {};
  return {
    async take(bytes) {
      while (left < bytes && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      left -= bytes;
      return !isOver;
    },
    give(bytes) {
      left += bytes;
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  };
}

/** The reader's side: counts what was read, and gives credit in few, large words. */
export function createTunnelReading(window: number, give: (bytes: number) => void): (bytes: number) => void {
  let read = 0;
  return (bytes) => {
    read += bytes;
    if (read < window / 2) return;
    give(read);
    read = 0;
  };
}
