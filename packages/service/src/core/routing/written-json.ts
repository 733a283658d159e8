/** @module An answer that is JSON already, written where it was made: its bytes are passed on and never read here. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

export class WrittenJson {
  readonly #first: Uint8Array;
  readonly #rest: AsyncIterable<Uint8Array> | undefined;

  /** `rest`: what follows of a large one, as it is asked for. */
  constructor(first: Uint8Array, rest?: AsyncIterable<Uint8Array>) {
    this.#first = first;
    this.#rest = rest;
  }

  /** All of it at once; then it is used up. */
  async whole(): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#pieces()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  send(reply: FastifyReply): FastifyReply {
    const { buffer, byteOffset, byteLength } = this.#first;
    reply.type("application/json; charset=utf-8");
    return reply.send(
      this.#rest ? Readable.from(this.#pieces()) : Buffer.from(buffer, byteOffset, byteLength),
    );
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    yield this.#first;
    if (this.#rest) yield* this.#rest;
  }
}
