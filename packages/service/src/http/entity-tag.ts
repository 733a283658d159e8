/** @module Answers that may be kept carry a tag of their content, and are not sent again to whoever has them. */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyReply {
    /** Of the thing that is answered, if it has one. */
    revision: number | undefined;
  }
}

/**
 * What is left to send of an answer: all of it, or nothing but 304.
 *
 * @example
 * server.addHook("onSend", async (request, reply, payload) => withTag(request, reply, payload));
 */
export function withTag(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isRead || reply.statusCode !== 200 || !isWhole) return payload;
  if (!mayBeKept(reply) && reply.revision === undefined) return payload;
  const tag = tagOf(payload, reply.revision);
  reply.header("etag", tag);
  if (!isHeld(request.headers["if-none-match"], tag)) return payload;
  reply.status(304).removeHeader("content-type").removeHeader("content-length");
  return null;
}

function mayBeKept(reply: FastifyReply): boolean {
  const said = reply.getHeader("cache-control");
  return typeof said === "string" && !said.includes("no-store");
}

/** Weak, because the same content is sent in several encodings. What else is told of a thing may change without its revision. */
function tagOf(payload: string | Buffer, revision: number | undefined): string {
  const digest = createHash("sha256").update(payload).digest("base64url");
  return revision === undefined ? `W/"${digest}"` : `W/"${revision}.${digest}"`;
}

/** By the weak comparison of RFC 9110, 8.8.3.2: the mark before a tag does not count. */
function isHeld(header: string | undefined, tag: string): boolean {
  const held = (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return held.includes("*") || held.includes(tag.replace(/^W\//, ""));
}
