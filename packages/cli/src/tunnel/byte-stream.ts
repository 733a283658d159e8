/** @module Bytes written by one side and read by the other when it gets to it, within a budget. */
import type { ByteBudget } from "./byte-budget.ts";
import { UpstreamFailure } from "./upstream.ts";

export interface ByteStream {
  /** Reads once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** False when it does not fit, and then the stream has failed. */
  push(text: string): boolean;
  end(): void;
  fail(reason: Error): void;
}

/** `onOver`: nothing more will be written, because it ended, failed, or its reader left. Told once. */
export function createByteStream(budget: ByteBudget, onOver: () => void = () => {}): ByteStream {
  const pieces: Uint8Array[] = [];
  let isOpen = true;
  let failure: Error | undefined;
  let wake = Promise.withResolvers<void>();

  const stir = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const forget = () => {
    for (const piece of pieces.splice(0)) budget.give(piece.length);
  };

  function finish(): void {
    if (!isOpen) return;
    isOpen = false;
    stir();
    onOver();
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = pieces.shift();
        if (piece) {
          yield piece;
          budget.give(piece.length);
        } else if (failure) throw failure;
        else if (!isOpen) return;
        else await wake.promise;
      }
    } finally {
      forget();
      finish();
    }
  }

  return {
    body: read(),
    push(text) {
      if (!isOpen) return true;
      const piece = Buffer.from(text);
      if (!budget.take(piece.length)) {
        this.fail(new UpstreamFailure("overloaded", "More is waiting to be read than may be held."));
        return false;
      }
      pieces.push(piece);
      stir();
      return true;
    },
    end: finish,
    fail(reason) {
      if (!isOpen) return;
      failure = reason;
      forget();
      finish();
    },
  };
}
