/**
 * @module One operation calls another as whoever called it, by the same route as from outside: its access check, its validation,
 * its rules, its audit. Nobody's credential is needed twice, and no rate limit is taken for what one request sets off.
 */

import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { OperationDeclaration } from "@fettle/contract/core";
import { addressPart } from "@fettle/contract/formats";
import type { FastifyInstance } from "fastify";
import type { Caller } from "./bind.ts";
import { missing } from "./not-found.ts";

export interface OperationInput {
  params: Record<string, string>;
  query?: Record<string, string | string[]> | undefined;
  body?: unknown;
  /** Of an operation that knows a repetition. */
  idempotencyKey?: string;
}

export interface OperationAnswer {
  status: number;
  body: unknown;
}

/** Whatever the operation answers, refusals too. */
export type CallOperation = (wanted: OperationDeclaration, input: OperationInput) => Promise<OperationAnswer>;

/** The request that sets it off. */
interface Cause {
  ip: string;
  headers: IncomingHttpHeaders;
}

export interface InProcess {
  /** Who is behind a request that one of ours makes; each ticket is good for one. */
  callerOf(headers: IncomingHttpHeaders): Caller | undefined;
  call(
    cause: Cause,
    caller: Caller,
    wanted: OperationDeclaration,
    input: OperationInput,
  ): Promise<OperationAnswer>;
}

const ticketHeader = "x-fettle-in-process";

export function createInProcess(
  server: Pick<FastifyInstance, "inject">,
  pathOf: (operation: OperationDeclaration) => string,
): InProcess {
  const tickets = new Map<string, Caller>();
  return {
    callerOf(headers) {
      const ticket = headers[ticketHeader];
      if (typeof ticket !== "string") return undefined;
      const caller = tickets.get(ticket);
      tickets.delete(ticket);
      return caller;
    },
    async call({ ip, headers }, caller, wanted, { params, query, body, idempotencyKey }) {
      const url = withParameters(pathOf(wanted), params);
      const ticket = randomBytes(32).toString("base64url");
      tickets.set(ticket, caller);
      try {
        const { statusCode, payload } = await server.inject({
          method: wanted.method,
          url,
          ...(query && { query }),
          headers: {
            host: headers.host,
            [ticketHeader]: ticket,
            ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
          },
          ...(body !== undefined && { payload: body as object }),
          remoteAddress: ip,
        });
        return { status: statusCode, body: readJson(payload) };
      } finally {
        tickets.delete(ticket);
      }
    },
  };
}

/** A dot or two would be taken for a step in the path, and lead to another route. */
function withParameters(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    if (value === "" || value === "." || value === "..") {
      throw missing("There is no such thing.", "Check the id.", { parameter: name });
    }
    return addressPart(value);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
