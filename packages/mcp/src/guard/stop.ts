/** @module How an exchange is ended from outside, once and for one reason. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { abortFailure, McpError } from "../failure.ts";

/** Ends an exchange from outside, for one reason: the signal, the total time, or the caller. */
export class Stop {
  failure: McpError | undefined;
  /** Somebody took the connection. */
  isOpen = false;
  body: IncomingMessage | undefined;
  readonly #outgoing: ClientRequest;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onAbort: () => void;

  constructor(outgoing: ClientRequest, signal: AbortSignal | undefined, totalMs: number) {
    this.#outgoing = outgoing;
    this.#signal = signal;
    this.#onAbort = () => signal && this.now(abortFailure(signal));
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (Number.isFinite(totalMs))
      this.#timer = setTimeout(() => this.now(timeout(this.isOpen ? "total" : "connect", totalMs)), totalMs);
  }

  now(failure: McpError): void {
    this.failure ??= failure;
    this.release();
    if (this.body) this.body.destroy(this.failure);
    else this.#outgoing.destroy(this.failure);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

const waitedFor = {
  connect: "the connection to open",
  "first-byte": "the first byte of the answer",
  idle: "the next byte of the answer",
  total: "the whole answer",
};
export type Phase = keyof typeof waitedFor;

export function timeout(phase: Phase, timeoutMs: number): McpError {
  return new McpError("TIMEOUT", `Gave up after ${timeoutMs} ms waiting for ${waitedFor[phase]}.`, {
    details: { phase, timeoutMs },
  });
}
