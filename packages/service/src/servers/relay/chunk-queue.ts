/** @module A body on its way from the socket to whoever reads it, with its length known so that its sender can be held back. */

export interface ChunkQueue {
  push(chunk: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
  /** Not yet read. */
  readonly bytes: number;
  /** Reads once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** `onRead` is told whenever some of it was read; `onDone` once, when nothing is left to read or nobody reads on. */
export function createChunkQueue(onRead: (bytes: number) => void, onDone: () => void): ChunkQueue {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isEnded = false;
  let failure: Error | undefined;
  let wake = () => {};

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (failure) throw failure;
        const chunk = chunks.shift();
        if (chunk) {
          bytes -= chunk.length;
          onRead(chunk.length);
          yield chunk;
        } else if (isEnded) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      onDone();
    }
  }

  return {
    push(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    fail(error) {
      failure ??= error;
      // Nobody gets half an answer: what has come is not kept for a reader who may never come back.
      chunks.length = 0;
      bytes = 0;
      wake();
    },
    get bytes() {
      return bytes;
    },
    body: read(),
  };
}
