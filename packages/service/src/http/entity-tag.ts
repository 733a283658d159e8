/** @module Answers that may be kept carry a tag of their content, and are not sent again to whoever has them. */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * What is left to send of an answer: all of it, or nothing but 304.
 *
 * @example
 * server.addHook("onSend", async (request, reply, payload) => withTag(request, reply, payload));
 */
export function withTag(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isRead || reply.statusCode !== 200 || !isWhole || !mayBeKept(reply)) return payload;
  const tag = tagOf(payload);
  reply.header("etag", tag);
  if (!isHeld(request.headers["if-none-match"], tag)) return payload;
  reply.status(304).removeHeader("content-type").removeHeader("content-length");
  return null;
}

function mayBeKept(reply: FastifyReply): boolean {
  const said = reply.getHeader("cache-control");
  return typeof said === "string" && !said.includes("no-store");
}

/** Weak, because the same content is sent in several encodings. */
function tagOf(payload: string | Buffer): string {
  return `W/"${createHash("sha256").update(payload).digest("base64url")}"`;
}

/** By the weak comparison of RFC 9110, 8.8.3.2: the mark before a tag does not count. */
function isHeld(header: string | undefined, tag: string): boolean {
  const held = (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return held.includes("*") || held.includes(tag.replace(/^W\//, ""));
}
