/** @module A body on its way from the socket to whoever reads it, with its length known so that the socket can be held back. */

export interface ChunkQueue {
  push(chunk: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
  /** Not yet read. */
  readonly bytes: number;
  /** Reads once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** `onRead` is called whenever some of it was read. */
export function createChunkQueue(onRead: () => void): ChunkQueue {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isEnded = false;
  let failure: Error | undefined;
  let wake = () => {};

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk) {
        bytes -= chunk.length;
        onRead();
        yield chunk;
      } else if (failure) throw failure;
      else if (isEnded) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
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
      wake();
    },
    get bytes() {
      return bytes;
    },
    body: read(),
  };
}
