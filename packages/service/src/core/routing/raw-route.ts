/** @module Routes the contract cannot say because they are not JSON operations: pages, assets, streams, probes, the sign-in library. */
import type { Method, UserId } from "@fettle/contract/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";

/**
 * Who may call a raw route. `public`: anyone. `session`: a browser session, checked before the handler runs.
 * `own`: the handler proves the caller itself (a token in the body, a signed cookie); `why` says how.
 */
export type RawPolicy = "public" | "session" | "own";

/** One route, in the same committed table as the contract's operations. */
export interface RawRoute {
  /** Names the route in metrics and in the route table. */
  id: string;
  methods: readonly Method[];
  /** The whole path, `{name}` for a parameter and a last `*` for the rest. */
  path: string;
  policy: RawPolicy;
  /**
   * `form` reads `application/x-www-form-urlencoded` instead of JSON; `request.body` is then a URLSearchParams. `stream`
   * reads nothing: the handler takes the body from `request.raw`, and bounds it.
   */
  body?: "form" | "stream";
  /** Why this is no contract operation, and what protects it. */
  why: string;
  handle(call: RawCall): unknown;
}

export interface RawCall {
  app: App;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Set when the policy is `session`. */
  session: { userId: UserId; sessionId: string } | undefined;
}
