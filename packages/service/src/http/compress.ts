/**
 * @module Sends what is long in fewer bytes to whoever can read that. Live streams and what passes through from elsewhere
 * stay as they are. Nobody can learn a secret from the length of an answer: another site's request carries no cookie
 * (SameSite), so it cannot put text of its own beside what only the signed-in see.
 */
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { keysOf, limits } from "@fettle/contract/core";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Fast before small: at this quality it is smaller than gzip, in less time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** The better first. */
const encodings = {
  br: {
    whole: (bytes: string | Buffer) => brotli(bytes, brotliOptions),
    stream: () => createBrotliCompress(brotliOptions),
  },
  gzip: { whole: (bytes: string | Buffer) => zip(bytes), stream: () => createGzip() },
};
type Encoding = keyof typeof encodings;

/** Of a document that is sent again and again: it is the same buffer each time. */
const compressed: Record<Encoding, WeakMap<Buffer, Promise<Buffer>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

/**
 * @example
 * server.addHook("onSend", async (request, reply, payload) => compress(request, reply, payload));
 */
export async function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!isCompressible(reply) || !isLong(payload)) return payload;
  reply.header("vary", "accept-encoding");
  const encoding = request.method === "HEAD" ? undefined : chooseEncoding(request.headers["accept-encoding"]);
  if (!encoding) return payload;
  reply.header("content-encoding", encoding).removeHeader("content-length");
  if (payload instanceof Readable) {
    const packing = encodings[encoding].stream();
    // An answer that breaks off must not look whole.
    payload.once("error", (error) => packing.destroy(error));
    packing.once("close", () => payload.destroy());
    return payload.pipe(packing);
  }
  return typeof payload === "string" ? encodings[encoding].whole(payload) : once(payload, encoding);
}

function isCompressible(reply: FastifyReply): boolean {
  const type = String(reply.getHeader("content-type") ?? "");
  // Of a part its place in the whole is known, and that is in plain bytes.
  if (reply.statusCode === 206) return false;
  const isText = /^(?:text\/(?!event-stream)|application\/(?:json|javascript))/.test(type);
  return isText && !reply.hasHeader("content-encoding");
}

/** An answer in pieces is one because it is long. */
function isLong(payload: unknown): payload is string | Buffer | Readable {
  if (payload instanceof Readable) return true;
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  return isWhole && Buffer.byteLength(payload) > limits.request.plainAnswerBytes;
}

/** The first of ours that the client takes (RFC 9110, 12.5.3); none when it names none. */
export function chooseEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = new Map<string, boolean>();
  for (const part of String(header ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    accepted.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  const isTaken = (name: string) => accepted.get(name) ?? accepted.get("*") ?? false;
  return keysOf(encodings).find(isTaken);
}

function once(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const held = compressed[encoding].get(bytes) ?? encodings[encoding].whole(bytes);
  compressed[encoding].set(bytes, held);
  return held;
}
