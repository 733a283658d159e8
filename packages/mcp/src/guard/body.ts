/** @module A response body as a bounded stream: size counted after decompression, silence timed, the reason for its end kept. */
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { codeOf } from "@fettle/contract/core";
import { McpError } from "../failure.ts";
import { networkFailure } from "./network-failure.ts";
import { type Stop, timeout } from "./stop.ts";

export interface BodyLimits {
  maxBytes: number;
  idleMs: number;
  url: string;
  stop: Stop;
  onChunk(chunk: Uint8Array): void;
  onEnd(error?: unknown): void;
}

/** A server that sends without pause lets everyone else have their turn after this much. */
const bytesPerTurn = 256 * 1024;

/** Unpacked in pieces as large as those of a socket: each costs a way to another thread and back. */
const unpackedBytes = 64 * 1024;

/** Yields the decoded body; after any fault the socket is closed and the fault is thrown. */
export async function* boundedBody(message: IncomingMessage, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const { stop } = limits;
  let timer: NodeJS.Timeout | undefined;
  const expectMore = () => {
    if (!Number.isFinite(limits.idleMs)) return;
    if (timer) timer.refresh();
    else timer = setTimeout(() => stop.now(timeout("idle", limits.idleMs)), limits.idleMs);
  };
  let received = 0;
  let thisTurn = 0;
  let failure: unknown;
  let finished = false;
  try {
    expectMore();
    for await (const chunk of decoded(message) as AsyncIterable<Uint8Array>) {
      expectMore();
      received += chunk.length;
      if (received > limits.maxBytes) throw tooLarge(limits);
      limits.onChunk(chunk);
      yield chunk;
      thisTurn += chunk.length;
      if (thisTurn < bytesPerTurn) continue;
      thisTurn = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    finished = true;
  } catch (error) {
    failure = stop.failure ?? encodingFailure(error, message, limits) ?? networkFailure(error, limits.url);
    throw failure;
  } finally {
    clearTimeout(timer);
    stop.release();
    if (!finished) message.destroy();
    limits.onEnd(failure);
  }
}

function encodingOf(message: IncomingMessage): string {
  return (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
}

/** What zlib and its like could not unpack: the header promised another encoding, or the body is cut. */
function encodingFailure(
  error: unknown,
  message: IncomingMessage,
  { url }: BodyLimits,
): McpError | undefined {
  if (!(error instanceof Error && /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(String(codeOf(error)))))
    return undefined;
  const contentEncoding = encodingOf(message);
  return new McpError(
    "HTTP_PROTOCOL",
    `The answer is not the ${contentEncoding} that its header promises: ${error.message}.`,
    {
      hint: "The server or a proxy sets Content-Encoding without packing the body, or cuts it off.",
      details: { url, contentEncoding },
      cause: error,
    },
  );
}

function decoded(message: IncomingMessage): Readable {
  const encoding = encodingOf(message);
  if (encoding === "identity" || encoding === "") return message;
  // We ask for identity; only a server that compresses regardless pays for loading zlib.
  const zlib = process.getBuiltinModule("node:zlib");
  const decoders: Record<string, ((options: { chunkSize: number }) => Transform) | undefined> = {
    gzip: zlib.createGunzip,
    "x-gzip": zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
    zstd: zlib.createZstdDecompress,
  };
  const create = decoders[encoding];
  if (!create) {
    throw new McpError("HTTP_PROTOCOL", `The answer is encoded as "${encoding}", which was not asked for.`, {
      details: { contentEncoding: encoding },
    });
  }
  const { pipeline } = process.getBuiltinModule("node:stream");
  const decoder = create({ chunkSize: unpackedBytes });
  pipeline(message, decoder, () => {});
  return decoder;
}

function tooLarge(limits: BodyLimits): McpError {
  return new McpError("TOO_LARGE", `The answer is larger than ${limits.maxBytes} bytes.`, {
    hint: "Fettle stops reading there; make the server answer in pages.",
    details: { limit: limits.maxBytes, url: limits.url },
  });
}
