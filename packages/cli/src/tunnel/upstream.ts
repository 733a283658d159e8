/** @module What stands behind a tunnel: answers HTTP requests, whatever it really speaks. */
import type { TunnelAbort, TunnelHeaders } from "@fettle/contract/servers";

export interface UpstreamRequest {
  method: string;
  /** Path and query, seen from the tunnel's own address. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** Aborts when whoever asked has left. */
  signal: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  headers: TunnelHeaders;
  body: AsyncIterable<Uint8Array>;
}

export interface Upstream {
  request(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

/** No answer, or only half of one; the relay is told why. */
export class UpstreamFailure extends Error {
  readonly abort: TunnelAbort;

  constructor(abort: TunnelAbort, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UpstreamFailure";
    this.abort = abort;
  }
}
